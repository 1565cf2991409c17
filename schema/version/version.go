// Package version names Flink releases and orders them.
//
// Everything that Flink computes depends on the release: defaults, parsers, option names, limits. The rest of the
// program asks a Version questions (AtLeast, Minor) and never compares text.
package version

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// A Version is a Flink release. The zero value means "unknown".
type Version struct {
	Major, Minor int
	// Patch is -1 when only the minor line is known ("1.18").
	Patch int
	// Suffix is what follows the numbers without its separator: "SNAPSHOT", "scala_2.12-java11", "csadh1.9.0".
	Suffix string
}

// Minors lists the minor lines that flinkadvise knows, oldest first.
var Minors = []Version{
	Of(1, 10), Of(1, 11), Of(1, 12), Of(1, 13), Of(1, 14), Of(1, 15), Of(1, 16), Of(1, 17), Of(1, 18), Of(1, 19), Of(1, 20),
	Of(2, 0), Of(2, 1), Of(2, 2), Of(2, 3),
}

// Oldest and Newest are the ends of Minors.
func Oldest() Version { return Minors[0] }

// Newest is the newest minor line that flinkadvise knows.
func Newest() Version { return Minors[len(Minors)-1] }

// Of is the minor line major.minor with an unknown patch level.
func Of(major, minor int) Version { return Version{Major: major, Minor: minor, Patch: -1} }

// Parse reads "1.13", "1.13.1", "1.18-scala_2.12", "flink:1.18.1-java11" and the operator's "v1_18".
func Parse(text string) (Version, error) {
	s := strings.TrimSpace(text)
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		s = s[i+1:]
	}
	if rest, ok := strings.CutPrefix(s, "v"); ok {
		s = strings.ReplaceAll(rest, "_", ".")
	}
	end := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	suffix := ""
	if end >= 0 {
		s, suffix = s[:end], strings.TrimLeft(s[end:], "-_.+")
	}
	parts := strings.Split(strings.TrimSuffix(s, "."), ".")
	bad := func() (Version, error) {
		return Version{}, fmt.Errorf("%q is not a Flink version such as 1.20 or 1.20.3", text)
	}
	if len(parts) < 2 {
		return bad()
	}
	// A fourth number ("1.15.2.1") is a vendor's rebuild: keep it as suffix.
	if len(parts) > 3 {
		suffix = strings.Trim(strings.Join(parts[3:], ".")+"-"+suffix, "-")
		parts = parts[:3]
	}
	var n [3]int
	n[2] = -1
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v > 9999 {
			return bad()
		}
		n[i] = v
	}
	return Version{Major: n[0], Minor: n[1], Patch: n[2], Suffix: suffix}, nil
}

// MustParse is Parse for constants; it panics on bad text.
func MustParse(text string) Version {
	v, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return v
}

// Known tells whether v names a release at all.
func (v Version) Known() bool { return v.Major > 0 }

// HasPatch tells whether the patch level is known.
func (v Version) HasPatch() bool { return v.Known() && v.Patch >= 0 }

// Line is the minor line of v, without patch level and suffix.
func (v Version) Line() Version { return Of(v.Major, v.Minor) }

// Compare orders by major, minor and patch; a missing patch level sorts as 0 and suffixes do not count.
func (v Version) Compare(o Version) int {
	return cmp.Or(cmp.Compare(v.Major, o.Major), cmp.Compare(v.Minor, o.Minor), cmp.Compare(max(v.Patch, 0), max(o.Patch, 0)))
}

// AtLeast tells whether the minor line of v is major.minor or newer.
func (v Version) AtLeast(major, minor int) bool { return v.Line().Compare(Of(major, minor)) >= 0 }

// Before tells whether the minor line of v is older than major.minor.
func (v Version) Before(major, minor int) bool { return !v.AtLeast(major, minor) }

// AtLeastPatch tells whether v is major.minor.patch or newer. A version without patch level counts as the newest of its line.
func (v Version) AtLeastPatch(major, minor, patch int) bool {
	if !v.HasPatch() && v.Major == major && v.Minor == minor {
		return true
	}
	return v.Compare(Version{Major: major, Minor: minor, Patch: patch}) >= 0
}

// String prints the numbers: "1.13.1", or "1.13" without patch level, or "unknown".
func (v Version) String() string {
	switch {
	case !v.Known():
		return "unknown"
	case v.Patch < 0:
		return fmt.Sprintf("%d.%d", v.Major, v.Minor)
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// Index is the place of the minor line of v in Minors. Older lines count as the oldest and newer ones as the newest;
// exact tells whether the line itself is known.
func (v Version) Index() (i int, exact bool) {
	for i, m := range Minors {
		switch c := m.Compare(v.Line()); {
		case c == 0:
			return i, true
		case c > 0:
			return max(i-1, 0), false
		}
	}
	return len(Minors) - 1, false
}
