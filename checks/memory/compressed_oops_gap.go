package memory

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed compressed-oops-gap.md
var compressedOopsGapDoc string

const (
	// compressedOopsLimit: a HotSpot JVM addresses at most 32 GiB with 32-bit references to objects aligned at 8 bytes; with a larger heap every
	// reference takes 64 bits.
	compressedOopsLimit = 32 * quantity.GiB
	// compressedOopsBreakEven is the heap that holds about as many objects with 64-bit references as 32 GiB do with 32-bit ones; objects grow by up
	// to a half.
	compressedOopsBreakEven = 48 * quantity.GiB
)

// CompressedOopsGap finds heaps that are a little too large for 32-bit references, and so hold less than a smaller one.
var CompressedOopsGap = &advisor.Rule{
	ID:         "memory/compressed-oops-gap",
	Since:      "0.1",
	Preview:    true,
	Severity:   advisor.Advice,
	Impact:     advisor.Wasteful,
	Confidence: advisor.Likely,
	Reads:      []string{tmProcessSize, tmFlinkSize, tmTaskHeap, tmManaged, tmFraction, "env.java.opts.all", "env.java.opts.taskmanager"},
	Doc:        compressedOopsGapDoc,
	Check:      compressedOopsGap,
}

func compressedOopsGap(t *advisor.Target, r *advisor.Report) {
	m := t.TaskManager
	if !accepted(m) {
		return
	}
	heap := m.FrameworkHeap.Bytes + m.TaskHeap.Bytes
	if heap < compressedOopsLimit || heap >= compressedOopsBreakEven {
		return
	}
	opts := t.Conf.String("env.java.opts.all").V + " " + t.Conf.String("env.java.opts.taskmanager").V
	// ZGC has no 32-bit references at all, a larger alignment moves the limit, and an -Xmx of the user's own replaces the heap.
	for _, flag := range []string{"UseZGC", "ObjectAlignmentInBytes", "UseCompressedOops", "-Xmx"} {
		if strings.Contains(opts, flag) {
			return
		}
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("a heap of %s holds no more objects than one just below 32 GiB", heap.Pretty()),
		Labels:  mark(t, []string{tmTaskHeap, tmProcessSize, tmFlinkSize}, func(string) string { return "" }),
		Terms:   []budget.Term{term(m.FrameworkHeap), term(m.TaskHeap)},
		Notes:   []string{"from 32 GiB on the JVM addresses objects with 64 bits in place of 32, and they grow by up to a half"},
		Saves:   float64(heap - compressedOopsLimit),
		Help:    "keep the heap below 32 GiB (more managed memory, or more and smaller TaskManagers), or go beyond 48 GiB",
	})
}
