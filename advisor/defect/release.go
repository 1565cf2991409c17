package defect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// An Affected tells whether a release has a defect.
type Affected int

// The answers.
const (
	No Affected = iota
	// Some: the patch level is not known, and some releases of the minor line have the defect.
	Some
	Yes
)

// String is the answer in words.
func (a Affected) String() string { return [...]string{"no", "some", "yes"}[a] }

// A Line is a minor line of Flink as far as it is known.
type Line struct {
	Minor version.Version
	// Patches are the patch levels that were released, rising. Levels that were tagged and never released are left out.
	Patches []int
	// LastDate is the day or month of the newest of them.
	LastDate string
	// EndedBy is the release with which the line fell out of support: the second minor line after it (Flink supports the current and the
	// previous line, flink.apache.org/downloads). The zero Version while it is supported.
	EndedBy version.Version
}

// KnownAsOf is the day up to which Flink's releases and repairs are known here: later patch releases may exist.
const KnownAsOf = "2026-07-24"

// lines holds what was released. Sources: the release announcements and the release archive of flink.apache.org, the tags of
// apache/flink, the artefacts of Maven Central (1.20.5 and 2.1.3, built on 2026-06-08); 1.20 is the last 1.x line and keeps its support beyond the second line after it.
var lines = []Line{
	{version.Of(1, 10), []int{0, 1, 2, 3}, "2021-01-29", version.Of(1, 12)},
	{version.Of(1, 11), []int{0, 1, 2, 3, 4, 6}, "2021-12-16", version.Of(1, 13)},
	{version.Of(1, 12), []int{0, 1, 2, 3, 4, 5, 7}, "2021-12-16", version.Of(1, 14)},
	{version.Of(1, 13), []int{0, 1, 2, 3, 5, 6}, "2022-02-18", version.Of(1, 15)},
	{version.Of(1, 14), []int{0, 2, 3, 4, 5, 6}, "2022-09-28", version.Of(1, 16)},
	{version.Of(1, 15), []int{0, 1, 2, 3, 4}, "2023-03-15", version.Of(1, 17)},
	{version.Of(1, 16), []int{0, 1, 2, 3}, "2023-11-29", version.Of(1, 18)},
	{version.Of(1, 17), []int{0, 1, 2}, "2023-11-29", version.Of(1, 19)},
	{version.Of(1, 18), []int{0, 1}, "2024-01-19", version.Of(1, 20)},
	{version.Of(1, 19), []int{0, 1, 2, 3}, "2025-07-10", version.Of(2, 0)},
	{version.Of(1, 20), []int{0, 1, 2, 3, 4, 5}, "2026-06", version.Version{}},
	{version.Of(2, 0), []int{0, 1, 2}, "2026-05", version.Of(2, 2)},
	{version.Of(2, 1), []int{0, 1, 2, 3}, "2026-06", version.Of(2, 3)},
	{version.Of(2, 2), []int{0, 1}, "2026-05", version.Version{}},
	{version.Of(2, 3), []int{0}, "2026-06-25", version.Version{}},
}

// LineOf is the minor line of a Flink release; ok is false for a line that is not known.
func LineOf(v version.Version) (line Line, ok bool) {
	for _, l := range lines {
		if l.Minor.Compare(v.Line()) == 0 {
			return l, true
		}
	}
	return Line{}, false
}

// Newest is the newest known release of the line.
func (l Line) Newest() version.Version { return l.release(l.Patches[len(l.Patches)-1]) }

func (l Line) release(patch int) version.Version {
	return version.Version{Major: l.Minor.Major, Minor: l.Minor.Minor, Patch: patch}
}

// BehindBy is how many known patch releases of its minor line came after v, and the newest of them. It is 0 for a release without known
// patch level and for lines that are not known.
func BehindBy(v version.Version) (releases int, newest version.Version) {
	l, ok := LineOf(v)
	if !ok || !v.HasPatch() {
		return 0, version.Version{}
	}
	for _, p := range l.Patches {
		if p > v.Patch {
			releases++
		}
	}
	return releases, l.Newest()
}

// Vendor is what a release's suffix says about a build that is not the Apache project's: "csadh1.9.0". Such builds carry repairs of later
// releases, so that what is known of the Apache release is less sure. It is "" for Apache's own builds.
func Vendor(v version.Version) string {
	var own []string
	for _, part := range strings.Split(v.Suffix, "-") {
		lower := strings.ToLower(part)
		apache := part == ""
		// Parts of the names of Apache's own artefacts, images and tags.
		for _, prefix := range []string{"scala_", "java", "jdk", "snapshot", "rc", "debian", "alpine", "ubuntu", "hadoop", "stream", "bin"} {
			apache = apache || strings.HasPrefix(lower, prefix)
		}
		if !apache {
			own = append(own, part)
		}
	}
	return strings.Join(own, "-")
}

// reached tells whether v is at or beyond one of the releases: in a line that the list names, from the named release on; in other lines, when
// the list names an earlier first release X.Y.0. Most repairs reach two lines only, so an older line without an entry stays as it is.
func reached(v version.Version, list []version.Version) bool {
	named := false
	later := false
	for _, x := range list {
		switch c := x.Line().Compare(v.Line()); {
		case c == 0:
			named = true
			if v.Compare(x) >= 0 {
				return true
			}
		case c < 0 && x.Patch <= 0:
			later = true
		}
	}
	return later && !named
}

func (d *Defect) has(v version.Version) bool { return reached(v, d.Introduced) && !reached(v, d.Fixed) }

// Affects tells whether a release of the defect's product has it. An unknown release and one of before the oldest that the data covers do not.
func (d *Defect) Affects(v version.Version) Affected {
	if !v.Known() {
		return No
	}
	if v.HasPatch() {
		if d.has(v) {
			return Yes
		}
		return No
	}
	releases := d.releasesOf(v)
	affected := d.AffectedReleases(v)
	switch len(affected) {
	case 0:
		return No
	case len(releases):
		return Yes
	}
	return Some
}

// AffectedReleases lists the releases of v's minor line that have the defect, rising.
func (d *Defect) AffectedReleases(v version.Version) []version.Version {
	return slices.DeleteFunc(d.releasesOf(v), func(r version.Version) bool { return !d.has(r) })
}

// releasesOf lists the releases of v's minor line. For products other than Flink these are the first one and those that the lists name.
func (d *Defect) releasesOf(v version.Version) []version.Version {
	first := v.Line()
	first.Patch = 0
	if l, ok := LineOf(v); ok && d.Product == Flink {
		var out []version.Version
		for _, p := range l.Patches {
			out = append(out, l.release(p))
		}
		return out
	}
	out := []version.Version{first}
	for _, list := range [][]version.Version{d.Introduced, d.Fixed} {
		for _, x := range list {
			if x.Line() == v.Line() {
				out = append(out, x)
			}
		}
	}
	slices.SortFunc(out, version.Version.Compare)
	return slices.Compact(out)
}

// FixedIn is the release of v's own minor line that mends the defect; ok is false when none does.
func (d *Defect) FixedIn(v version.Version) (fixed version.Version, ok bool) {
	return d.earliest(func(x version.Version) bool { return x.Line() == v.Line() && (!v.HasPatch() || x.Compare(v) > 0) })
}

// FixedAfter is the first release of a newer minor line that mends the defect; ok is false when no release is known to.
func (d *Defect) FixedAfter(v version.Version) (fixed version.Version, ok bool) {
	return d.earliest(func(x version.Version) bool { return x.Line().Compare(v.Line()) > 0 })
}

// Cure says which release to go to from v: that of its own minor line which mends the defect, else that of a later line; else that none is known.
func (d *Defect) Cure(v version.Version) string {
	if fixed, ok := d.FixedIn(v); ok {
		newest := ""
		if l, known := LineOf(v); known && l.Newest().Compare(fixed) > 0 {
			newest = fmt.Sprintf(", or %s, the newest release of the %s line", l.Newest(), v.Line())
		}
		return fmt.Sprintf("upgrade to %s, which mends it%s", fixed, newest)
	}
	if fixed, ok := d.FixedAfter(v); ok {
		return fmt.Sprintf("no release of the %s line mends it: upgrade to %s or a later line that does", v.Line(), fixed)
	}
	return fmt.Sprintf("no release is known to mend it (as of %s)", KnownAsOf)
}

func (d *Defect) earliest(wanted func(version.Version) bool) (fixed version.Version, ok bool) {
	for _, x := range d.Fixed {
		if wanted(x) && d.released(x) && (!ok || x.Compare(fixed) < 0) {
			fixed, ok = x, true
		}
	}
	return fixed, ok
}

// released tells whether a release is out: repairs on Flink's main branch are listed under the release that will carry them.
func (d *Defect) released(x version.Version) bool {
	if d.Product != Flink {
		return true
	}
	// Lines before the oldest of the table are out long since.
	return x.Compare(lines[0].Minor) < 0 || slices.ContainsFunc(lines, func(l Line) bool { return l.Minor.Line() == x.Line() && x.Compare(l.Newest()) <= 0 })
}
