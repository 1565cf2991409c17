package option

import (
	"iter"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A span is a run of minor lines, as places in version.Minors, both ends included.
type span struct{ from, to uint8 }

func (s span) has(i int) bool { return int(s.from) <= i && i <= int(s.to) }

// An alias is an old or foreign name that the option with key target reads in the minor lines of span.
type alias struct {
	key, target string
	via         Via
	span        span
}

// Lookup finds the option that key sets in version v. The order is Flink's where it matters: an option's own key, old names,
// entries of map options, keys that only scripts read, open families. A version outside version.Minors counts as the nearest
// line, an unknown one as the newest.
func Lookup(key string, v version.Version) (Match, bool) {
	i := index(v)
	if o := canonical(key, i); o != nil {
		return Match{Option: o}, true
	}
	if m, ok := byAlias(key, i); ok {
		return m, true
	}
	if m, ok := byPrefix(key, i); ok {
		return m, true
	}
	if m, ok := byScript(key, i); ok {
		return m, true
	}
	return byFamily(key, i)
}

// index is the place of v in version.Minors; an unknown version counts as the newest.
func index(v version.Version) int {
	if !v.Known() {
		return len(version.Minors) - 1
	}
	i, _ := v.Index()
	return i
}

// find returns the first place in options whose key is not below key.
func find(key string) int {
	low, high := 0, len(options)
	for low < high {
		mid := (low + high) / 2
		if options[mid].Key < key {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// canonical returns the option whose own key is key in the minor line i, or nil.
func canonical(key string, i int) *Option {
	for n := find(key); n < len(options) && options[n].Key == key; n++ {
		if spans[n].has(i) {
			return &options[n]
		}
	}
	return nil
}

// aliasesOf returns the entries of aliases for key.
func aliasesOf(key string) []alias {
	low, _ := slices.BinarySearchFunc(aliases[:], key, func(a alias, k string) int { return strings.Compare(a.key, k) })
	high := low
	for high < len(aliases) && aliases[high].key == key {
		high++
	}
	return aliases[low:high]
}

func byAlias(key string, i int) (Match, bool) {
	var m Match
	for _, a := range aliasesOf(key) {
		if !a.span.has(i) {
			continue
		}
		o := canonical(a.target, i)
		if m.Option == nil {
			m = Match{Option: o, Via: a.via}
		} else {
			m.Others = append(m.Others, o)
		}
	}
	return m, m.Option != nil
}

// byPrefix finds the map option of which key is a spread entry "map.entry"; Flink takes those since 1.14
// (ConfigurationUtils.canBePrefixMap).
func byPrefix(key string, i int) (Match, bool) {
	if version.Minors[i].Before(1, 14) {
		return Match{}, false
	}
	for end := strings.LastIndexByte(key, '.'); end > 0; end = strings.LastIndexByte(key[:end], '.') {
		if end == len(key)-1 {
			continue
		}
		o := canonical(key[:end], i)
		if o == nil {
			if m, ok := byAlias(key[:end], i); ok {
				o = m.Option
			}
		}
		if o != nil && o.Kind == Map {
			return Match{Option: o, Via: ByPrefix, Pattern: key[:end] + ".<key>", Open: true}, true
		}
	}
	return Match{}, false
}

// All yields the options whose own key is known in version v, sorted by key. Families and script keys are not among them.
func All(v version.Version) iter.Seq[*Option] {
	i := index(v)
	return func(yield func(*Option) bool) {
		for n := range options {
			if spans[n].has(i) && !yield(&options[n]) {
				return
			}
		}
	}
}
