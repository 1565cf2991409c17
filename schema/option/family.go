package option

import (
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A family is a pattern of keys that carry a free name, or an open prefix. Segments in angle brackets stand for one or more
// characters without a dot; a last segment "**" stands for any rest. The list is kept by hand because Flink builds these keys
// at run time; each entry names the class that reads it.
type family struct {
	pattern string
	kind    Kind
	elem    Kind
	def     string // default as text; noDefault for none
	// from and until are the first and last minor line; zero means the oldest and the newest.
	from, until line
	class       string
}

// A line is a minor line in a literal list, which must not call a function so that it costs nothing at start.
type line struct{ major, minor int }

// within tells whether the minor line i lies between from and until.
func within(i int, from, until line) bool {
	v := version.Minors[i]
	return v.AtLeast(from.major, from.minor) && (until == line{} || v.Compare(version.Of(until.major, until.minor)) <= 0)
}

const noDefault = "\x00"

// byFamily finds the first family that key belongs to.
func byFamily(key string, i int) (Match, bool) {
	for n := range families {
		f := &families[n]
		// Most families differ from key in the first letter already.
		if key == "" || f.pattern[0] != key[0] || !f.matches(key) || !within(i, f.from, f.until) {
			continue
		}
		o := &Option{Key: key, Kind: f.kind, Elem: f.elem, Class: f.class}
		if f.def != noDefault {
			o.Default, o.HasDefault = f.def, true
		}
		return Match{Option: o, Via: ByFamily, Pattern: f.pattern, Open: strings.HasSuffix(f.pattern, "**")}, true
	}
	return Match{}, false
}

// matches compares segment by segment without allocating.
func (f *family) matches(key string) bool {
	pattern := f.pattern
	for {
		p, restP, moreP := strings.Cut(pattern, ".")
		if p == "**" {
			return key != "" && !strings.HasSuffix(key, ".")
		}
		k, restK, moreK := strings.Cut(key, ".")
		if p[0] == '<' {
			if k == "" {
				return false
			}
		} else if p != k {
			return false
		}
		if moreP != moreK {
			return false
		}
		if !moreP {
			return true
		}
		pattern, key = restP, restK
	}
}
