package defect

import (
	"testing"

	"pgregory.net/rapid"
)

// TestMatchesComparesTheBeginningAtOnce holds the short cut against the comparison segment by segment.
func TestMatchesComparesTheBeginningAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`([ab]|\*|\*\*|a\*)?(\.([ab]|\*|\*\*|a\*)?){0,3}`).Draw(t, "pattern")
		key := rapid.StringMatching(`[ab*]{0,2}(\.[ab*]{0,2}){0,3}`).Draw(t, "key")
		if got, want := matches(pattern, key), matchesFrom(pattern, key); got != want {
			t.Errorf("matches(%q, %q) is %v, segment by segment %v", pattern, key, got, want)
		}
	})
	for _, x := range []struct {
		pattern, key string
		want         bool
	}{
		{"a.b", "a.b", true}, {"a.b", "a.bc", false}, {"a.bc", "a.b", false}, {"a.*.c", "a.b.c", true}, {"a.*.c", "a..c", false}, {"a.**", "a.b.c", true},
		{"a.**", "a", false}, {"a.**", "a.", false}, {"**", "a", true}, {"a.*", "a.b.c", false}, {"a.b*", "a.bc", false},
	} {
		if got := matches(x.pattern, x.key); got != x.want {
			t.Errorf("matches(%q, %q) is %v", x.pattern, x.key, got)
		}
	}
}
