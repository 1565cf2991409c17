package conformance_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/conformance"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// mustCover are the minor lines that every area has to compare.
var mustCover = []version.Version{
	version.Of(1, 13), version.Of(1, 14), version.Of(1, 15), version.Of(1, 16), version.Of(1, 17), version.Of(1, 18), version.Of(1, 19),
	version.Of(1, 20), version.Of(2, 0), version.Of(2, 1), version.Of(2, 2), version.Of(2, 3),
}

func open(t *testing.T, area string) *conformance.Set {
	t.Helper()
	set, err := conformance.Open("testdata", area)
	if err != nil {
		t.Fatal(err)
	}
	if set.Area != area {
		t.Fatalf("testdata of %s say that they are of %q", area, set.Area)
	}
	for _, line := range mustCover {
		if !slices.ContainsFunc(set.Releases, func(r conformance.Release) bool { return r.Version.Line() == line }) {
			t.Errorf("%s: no vectors of %s", area, line)
		}
	}
	return set
}

// A tally counts comparisons and differences, and prints the first differences in full.
type tally struct {
	t                   *testing.T
	compared, different int
	differentInputs     map[int]bool
	// known are the differences that stay, with their reasons; seen counts the inputs that show each.
	known     []knownDifference
	seen      map[string]map[int]bool
	byVersion map[string]int
}

// A knownDifference is one that is not going to be mended.
type knownDifference struct {
	// concerned matches inputs that may show it.
	concerned *regexp.Regexp
	reason    string
}

// maxPrinted keeps a broken comparison readable.
const maxPrinted = 25

func newTally(t *testing.T) *tally {
	return &tally{t: t, differentInputs: map[int]bool{}, seen: map[string]map[int]bool{}, byVersion: map[string]int{}}
}

// compare notes whether ours is what Flink answered.
func (c *tally) compare(v *conformance.Vector, release version.Version, flink, ours []string) {
	c.compared++
	c.byVersion[release.String()]++
	if slices.Equal(flink, ours) {
		return
	}
	for _, k := range c.known {
		if slices.ContainsFunc(v.Input, k.concerned.MatchString) {
			if c.seen[k.reason] == nil {
				c.seen[k.reason] = map[int]bool{}
			}
			c.seen[k.reason][v.Line] = true
			return
		}
	}
	c.different++
	// One input that differs in many versions is printed once.
	if !c.differentInputs[v.Line] && len(c.differentInputs) < maxPrinted {
		c.t.Errorf("line %d, Flink %s: %s\n(-Flink +flinkadvise)\n%s", v.Line, release, quoteAll(v.Input), cmp.Diff(flink, ours))
	}
	c.differentInputs[v.Line] = true
}

func (c *tally) report(atLeast int) {
	c.t.Helper()
	if c.different > 0 {
		c.t.Errorf("%d differences in %d comparisons, from %d inputs", c.different, c.compared, len(c.differentInputs))
	}
	for _, line := range mustCover {
		n := 0
		for v, k := range c.byVersion {
			if version.MustParse(v).Line() == line {
				n += k
			}
		}
		if n < atLeast {
			c.t.Errorf("%d comparisons with Flink %s, expected at least %d", n, line, atLeast)
		}
	}
	for _, k := range c.known {
		if len(c.seen[k.reason]) == 0 {
			c.t.Errorf("no difference any more where %s: take it off the list", k.reason)
		}
		c.t.Logf("known: %s (%d inputs)", k.reason, len(c.seen[k.reason]))
	}
	c.t.Logf("%d comparisons", c.compared)
}

func quoteAll(s []string) string {
	q := make([]string, len(s))
	for i, x := range s {
		q[i] = fmt.Sprintf("%q", x)
	}
	return strings.Join(q, " ")
}

func TestRead(t *testing.T) {
	set, err := conformance.Read(strings.NewReader("#form\n#area\tx\n#seed\t7\n#version\t1.13.6\tj1\n#version\t1.20.5\tj2\n#version\t2.3.0\tj3\n" +
		"+a\t\"b\\tc\\u00e9\"\n0,2\tone\n1\t\"\\x00\"\n+d\n1-2\ttwo\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range set.Vectors {
		for r := range set.Releases {
			out, ok := set.Vectors[i].Output(r)
			got = append(got, fmt.Sprintf("%q %q %v", set.Vectors[i].Input, out, ok))
		}
	}
	want := []string{
		`["a" "b\tcé"] ["one"] true`, `["a" "b\tcé"] ["\x00"] true`, `["a" "b\tcé"] ["one"] true`,
		`["d"] [] false`, `["d"] ["two"] true`, `["d"] ["two"] true`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if set.Seed != 7 || len(set.Releases) != 3 || set.Releases[1].Jars != "j2" {
		t.Errorf("header read as %+v", set)
	}
	for _, bad := range []string{"0\tx\n", "#version\t1.13.6\tj\n+a\n1\tx\n", "#version\t1.13.6\tj\n+a\nx\ty\n", "+\"a\n", "#seed\tx\n", "#version\tone\tj\n"} {
		if _, err := conformance.Read(strings.NewReader(bad)); err == nil {
			t.Errorf("Read(%q) gave no error", bad)
		}
	}
}
