package defect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// released are all known releases of Flink.
func released() []version.Version {
	var out []version.Version
	for _, l := range lines {
		for _, p := range l.Patches {
			out = append(out, l.release(p))
		}
	}
	return out
}

// From the lists of each entry: the releases that they name as first ones are affected, those that mend it are not, and the release before
// a mending one of the same line is affected.
func TestListsGiveAffectedAndUnaffectedReleases(t *testing.T) {
	for _, d := range entries(t) {
		affected, mended := 0, 0
		for _, v := range d.Introduced {
			// A release can bring a defect and its repair at once; it is listed twice, for the line's older releases to stay clear.
			if slices.Contains(d.Fixed, v) {
				continue
			}
			if d.Affects(v) != Yes {
				t.Errorf("%s: %s is listed as affected", d.ID, v)
			}
			affected++
		}
		for _, v := range d.Fixed {
			if d.Affects(v) != No {
				t.Errorf("%s: %s is listed as mended", d.ID, v)
			}
			mended++
			before := v
			before.Patch--
			if v.Patch > 0 && reached(before, d.Introduced) && d.Affects(before) != Yes {
				t.Errorf("%s: %s comes right before %s, which mends it", d.ID, before, v)
			}
		}
		// What was not there before it was introduced.
		first := slices.MinFunc(d.Introduced, version.Version.Compare)
		older := version.Version{Major: first.Major, Minor: first.Minor - 1, Patch: 0}
		if first.Minor > 0 && d.Affects(older) != No {
			t.Errorf("%s: %s is older than the first affected release", d.ID, older)
		}
		if affected == 0 || mended == 0 && len(d.Fixed) > 0 {
			t.Errorf("%s: no affected or no mended release", d.ID)
		}
	}
}

// The affected releases as a reader writes them, against the test of the lists: the two were written down apart.
func TestAffectedReleases(t *testing.T) {
	cases := map[string]string{
		"FLINK-22946":    "1.11.0-3 1.12.0-4 1.13.0-1",
		"FLINK-18595":    "1.10.0-1 1.11.0-1",
		"FLINK-20654":    "1.11.0-3 1.12.0-2",
		"FLINK-24621":    "1.13.2-5",
		"FLINK-25407":    "1.14.0-3",
		"FLINK-31293":    "1.16.0-1 1.17.0",
		"FLINK-31963":    "1.15 1.16.0-1 1.17.0",
		"FLINK-38267":    "1.16.2-3 1.17.1-2 1.18 1.19 1.20.0-2 2.0.0 2.1.0",
		"FLINK-33693":    "1.16 1.17 1.18.0",
		"FLINK-36287":    "1.15 1.16 1.17 1.18 1.19.0-1 1.20.0",
		"FLINK-37870":    "1.19.2 1.20.1 2.0.0",
		"FLINK-21351":    "1.10 1.11 1.12.0-1",
		"FLINK-29913":    "1.15 1.16.0-2 1.17.0-1",
		"FLINK-38574":    "1.16.3 1.17.2 1.18 1.19 1.20 2.0.0-1 2.1.0-1",
		"FLINK-34063":    "1.18",
		"FLINK-34007":    "1.18",
		"FLINK-28861":    "1.15.0-1",
		"FLINK-39135":    "1.15 1.16 1.17 1.18 1.19 1.20.0-3 2.0 2.1 2.2 2.3",
		"FLINK-38704":    "1.19 1.20 2.0 2.1.0-1 2.2.0",
		"FLINK-37670":    "1.19.2-3 1.20.0-1 2.0.0",
		"FLINK-38370":    "1.19.3 1.20.2 2.1.0",
		"FLINK-36549":    "1.11 1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19.0-2 1.20.0-1 2.0",
		"FLINK-35661":    "1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19 1.20 2.0 2.1 2.2",
		"CVE-2021-44228": "1.11.0-4 1.12.0-5 1.13.0-3 1.14.0",
		"CVE-2026-35194": "1.15 1.16 1.17 1.18 1.19 1.20.0-3 2.0.0-1 2.1.0-1 2.2.0",
		"FLINK-40157":    "2.0 2.1 2.2 2.3",
		"ICEBERG-15846":  "1.11 1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19 1.20 2.0 2.1 2.2 2.3",
		"FLINK-33231":    "1.12 1.13 1.14 1.15 1.16 1.17",
	}
	for id, want := range cases {
		t.Run(id, func(t *testing.T) {
			d := ByID(id)[0]
			if got := ranges(d); got != want {
				t.Errorf("affected: %s, want %s", got, want)
			}
		})
	}
}

// ranges writes the affected releases of each line: "1.15" for a whole line, "1.16.0-1" for some of it.
func ranges(d *Defect) string {
	var out []string
	for _, line := range version.Minors {
		affected := d.AffectedReleases(line)
		switch n := len(affected); {
		case n == 0:
		case d.Affects(line) == Yes:
			out = append(out, line.String())
		case n == 1:
			out = append(out, affected[0].String())
		default:
			out = append(out, fmt.Sprintf("%s-%d", affected[0], affected[n-1].Patch))
		}
	}
	return strings.Join(out, " ")
}

func TestAffectsWithoutPatchLevel(t *testing.T) {
	cases := []struct {
		id, version string
		want        Affected
	}{
		{"FLINK-22946", "1.13", Some},
		{"FLINK-22946", "1.13-SNAPSHOT", Some},
		{"FLINK-22946", "1.14", No},
		{"FLINK-34063", "1.18", Yes},
		{"FLINK-34063", "v1_18", Yes},
		{"FLINK-22946", "1.13.1-scala_2.11", Yes},
		{"FLINK-22946", "1.13.2-csa1.5.1.0", No},
		{"FLINK-22946", "1.9.3", No},
		{"FLINK-40157", "2.4", No},
		{"FLINK-39753", "2.3.7", Yes},
	}
	for _, c := range cases {
		if got := ByID(c.id)[0].Affects(version.MustParse(c.version)); got != c.want {
			t.Errorf("%s affects %s: %s, want %s", c.id, c.version, got, c.want)
		}
	}
	if got := ByID("FLINK-22946")[0].Affects(version.Version{}); got != No {
		t.Errorf("an unknown release is affected: %s", got)
	}
}

func TestFixedInAndAfter(t *testing.T) {
	cases := []struct{ id, version, in, after string }{
		{"FLINK-22946", "1.13.1", "1.13.2", "1.14.0"},
		{"FLINK-22946", "1.13", "1.13.2", "1.14.0"},
		{"FLINK-22946", "1.11.0", "1.11.4", "1.12.5"},
		{"FLINK-34063", "1.18.1", "-", "1.19.0"},
		{"FLINK-38574", "1.20.4", "-", "2.0.2"},
		{"FLINK-36549", "2.0.1", "-", "2.1.0"},
		{"FLINK-40157", "2.3.0", "-", "-"},
		{"FLINK-38370", "1.19.3", "-", "1.20.3"},
		{"ICEBERG-15846", "1.20.0", "-", "-"},
		{"CVE-2021-44228", "1.14.0", "1.14.2", "1.15.0"},
	}
	show := func(v version.Version, ok bool) string {
		if !ok {
			return "-"
		}
		return v.String()
	}
	for _, c := range cases {
		d, v := ByID(c.id)[0], version.MustParse(c.version)
		if in, after := show(d.FixedIn(v)), show(d.FixedAfter(v)); in != c.in || after != c.after {
			t.Errorf("%s on %s is mended in %s and after in %s, want %s and %s", c.id, c.version, in, after, c.in, c.after)
		}
	}
}

// What FixedIn names is a release that does not have the defect.
func TestFixedInMends(t *testing.T) {
	for _, d := range entries(t) {
		for _, v := range released() {
			if d.Product != Flink || d.Affects(v) != Yes {
				continue
			}
			if fixed, ok := d.FixedIn(v); ok && (d.Affects(fixed) != No || fixed.Compare(v) <= 0) {
				t.Errorf("%s on %s: %s does not mend it", d.ID, v, fixed)
			}
			if fixed, ok := d.FixedAfter(v); ok && (d.Affects(fixed) != No || fixed.Compare(v) <= 0) {
				t.Errorf("%s on %s: %s does not mend it", d.ID, v, fixed)
			}
		}
	}
}

// Repairs that the lists name were released, apart from those that wait on the main branch.
func TestFixedReleasesAreKnown(t *testing.T) {
	known := released()
	for _, d := range entries(t) {
		for _, v := range slices.Concat(d.Introduced, d.Fixed) {
			if d.Product != Flink || slices.Contains(known, v) || v == version.MustParse("2.4.0") || v.Before(1, 10) {
				continue
			}
			t.Errorf("%s names %s, which was never released", d.ID, v)
		}
	}
}

func TestLinesAreThoseOfTheCatalogue(t *testing.T) {
	var got []version.Version
	for _, l := range lines {
		got = append(got, l.Minor)
		if !slices.IsSorted(l.Patches) {
			t.Errorf("%s: patch levels do not rise", l.Minor)
		}
	}
	if diff := cmp.Diff(version.Minors, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestBehindBy(t *testing.T) {
	cases := []struct {
		version, newest string
		want            int
	}{
		{"1.13.1", "1.13.6", 4}, // 1.13.4 was never released
		{"1.14.0", "1.14.6", 5},
		{"1.18.1", "1.18.1", 0},
		{"1.20.7", "1.20.5", 0},
		{"1.20", "unknown", 0},
		{"3.0.0", "unknown", 0},
	}
	for _, c := range cases {
		n, newest := BehindBy(version.MustParse(c.version))
		if n != c.want || newest.String() != c.newest {
			t.Errorf("%s is behind by %d, newest %s; want %d, %s", c.version, n, newest, c.want, c.newest)
		}
	}
}

func TestVendor(t *testing.T) {
	cases := map[string]string{
		"1.13.1": "", "1.13.1-scala_2.12-java11": "", "1.18-SNAPSHOT": "", "2.0.0-rc1": "", "1.15.2.1": "1",
		"1.16.1-csadh1.10.0.0": "csadh1.10.0.0", "1.17.1-amzn-1": "amzn-1", "1.15-vvr-6.0.7-flink-1.15": "vvr-6.0.7-flink-1.15",
		"1.18.1-scala_2.12-stackable24.3.0": "stackable24.3.0",
	}
	for text, want := range cases {
		if got := Vendor(version.MustParse(text)); got != want {
			t.Errorf("vendor of %s: %q, want %q", text, got, want)
		}
	}
}
