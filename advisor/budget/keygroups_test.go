package budget

import (
	"testing"

	"pgregory.net/rapid"
)

func TestDefaultMaxParallelism(t *testing.T) {
	// The bounds where KeyGroupRangeAssignment changes its answer: 85 + 42 = 127, 86 + 43 = 129, 170 + 85 = 255, 171 + 85 = 256, 172 + 86 = 258.
	for p, want := range map[int]int{
		0: 128, 1: 128, 24: 128, 85: 128, 86: 256, 170: 256, 171: 256, 172: 512, 1000: 2048, 21845: 32768, 30000: 32768, 32768: 32768, 1 << 30: 32768,
	} {
		if got := DefaultMaxParallelism(p); got != want {
			t.Errorf("DefaultMaxParallelism(%d) = %d, want %d", p, got, want)
		}
	}
}

func TestKeyGroupLoad(t *testing.T) {
	for _, c := range []struct {
		groups, p int
		want      float64
	}{{128, 128, 1}, {128, 64, 1}, {128, 96, 1.5}, {128, 100, 1.5625}, {128, 120, 1.875}, {720, 100, 800.0 / 720}, {128, 24, 1.125}, {128, 1, 1}} {
		if got := KeyGroupLoad(c.groups, c.p); got != c.want {
			t.Errorf("KeyGroupLoad(%d, %d) = %v, want %v", c.groups, c.p, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.IntRange(1, 32768).Draw(t, "groups")
		p := rapid.IntRange(1, groups).Draw(t, "p")
		load := KeyGroupLoad(groups, p)
		if load < 1 || load >= 2 || (load == 1) != (groups%p == 0) {
			t.Fatalf("load = %v", load)
		}
	})
}
