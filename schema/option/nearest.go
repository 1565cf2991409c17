package option

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Suggestion is a known key that a typo may have meant.
type Suggestion struct {
	Key string
	// Option is what Key sets; for an old name the canonical option.
	Option *Option
	Via    Via
	// Distance counts the characters to insert, delete or replace.
	Distance int
}

// How far a typo may lie from the key it meant. A key of n characters may differ by n/editShare, at least by editFloor: two slips
// of the finger in a short key, one every eight characters in a long one. Beyond that, a key that shares all but one of its
// dotted segments is still a sensible guess ("taskmanager.memory.size").
const (
	editFloor = 2
	editShare = 8
	// sharedFloor is the least share of dotted segments, in order, that two keys must have in common.
	sharedFloor = 0.75
)

// Nearest returns at most n known keys of version v that key may be a typo of, best first. An option's own key comes before an
// old name at the same distance. The result is empty when nothing is near enough to be worth a person's time.
func Nearest(key string, v version.Version, n int) []Suggestion {
	i := index(v)
	type scored struct {
		Suggestion
		score float64
	}
	var found []scored
	// consider weighs candidate by the text of it that is fixed: fixed against what key has in its place.
	consider := func(candidate string, m Match, key, fixed string) {
		folded, c := fold(key), fold(fixed)
		long := max(len(folded), len(c))
		limit := max(editFloor, long/editShare)
		segments := strings.Split(folded, ".")
		shared := sharedSegments(segments, strings.Split(c, "."))
		similar := shared >= sharedFloor && len(segments) > 2
		if abs(len(folded)-len(c)) > limit && !similar {
			return
		}
		d := levenshtein.ComputeDistance(folded, c)
		if d > limit && !similar {
			return
		}
		found = append(found, scored{Suggestion{candidate, m.Option, m.Via, d}, float64(d)/float64(long) - shared/4})
	}
	for n := range options {
		if spans[n].has(i) && !options[n].Internal {
			consider(options[n].Key, Match{Option: &options[n]}, key, options[n].Key)
		}
	}
	for _, a := range aliases {
		if a.span.has(i) && canonical(a.key, i) == nil {
			consider(a.key, Match{Option: canonical(a.target, i), Via: a.via}, key, a.key)
		}
	}
	for _, s := range scripts {
		if m, ok := byScript(s.key, i); ok {
			consider(s.key, m, key, s.key)
		}
	}
	for n := range families {
		if candidate, rest, ok := families[n].nearest(key, i); ok {
			if m, ok := Lookup(candidate, v); ok {
				consider(candidate, m, strings.TrimSuffix(key, rest), strings.TrimSuffix(candidate, rest))
			}
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Via, b.Via), cmp.Compare(a.Key, b.Key))
	})
	found = slices.CompactFunc(found, func(a, b scored) bool { return a.Key == b.Key })
	out := make([]Suggestion, 0, min(n, len(found)))
	for _, f := range found[:min(n, len(found))] {
		out = append(out, f.Suggestion)
	}
	return out
}

// nearest lays the family's fixed segments over key and keeps the key's own text where a name is free. rest is the open end
// that both have in common.
func (f *family) nearest(key string, i int) (candidate, rest string, ok bool) {
	if !within(i, f.from, f.until) {
		return "", "", false
	}
	p, k := strings.Split(f.pattern, "."), strings.Split(key, ".")
	if len(p) > len(k) || (len(p) < len(k) && p[len(p)-1] != "**") {
		return "", "", false
	}
	for n, s := range p {
		switch {
		case s == "**":
			rest = strings.Join(k[n:], ".")
			p[n] = rest
		case s[0] == '<':
			p[n] = k[n]
		}
	}
	return strings.Join(p, "."), rest, true
}

// fold makes the differences that people do not see cheap: case, and - against _.
func fold(key string) string { return strings.ReplaceAll(strings.ToLower(key), "_", "-") }

// sharedSegments is the share of dotted segments that a and b have in common in order (twice the longest common subsequence over
// the sum of lengths).
func sharedSegments(a, b []string) float64 {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return 2 * float64(row[len(b)]) / float64(len(a)+len(b))
}

func abs(n int) int { return max(n, -n) }
