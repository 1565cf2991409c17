package option

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

func TestLimitOf(t *testing.T) {
	for _, l := range limits {
		if _, ok := Lookup(l.Key, version.Newest()); !ok {
			t.Errorf("limit on %s, which %s does not know", l.Key, version.Newest())
		}
	}
	l, ok := LimitOf("taskmanager.memory.segment-size", version.Of(1, 13))
	if !ok || l.Min != "4 kb" || !l.PowerOfTwo || l.Class != "ConfigurationParserUtils" {
		t.Errorf("got %+v, %v", l, ok)
	}
	// An old name has the limit of what it sets.
	if l, ok := LimitOf("taskmanager.network.memory.fraction", version.Of(1, 20)); !ok || l.Max != "1" || !l.MaxExclusive {
		t.Errorf("got %+v, %v", l, ok)
	}
	if _, ok := LimitOf("pipeline.name", version.Of(1, 20)); ok {
		t.Error("pipeline.name has a limit")
	}
}
