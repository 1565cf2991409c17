package network

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

func TestRules(t *testing.T) {
	for _, rule := range []*advisor.Rule{InsufficientBuffers, InsufficientOnRestore, BelowTarget, Oversized, RemovedKnob, RefusedCount, DebloatRefused, HybridBreaksStreaming} {
		checktest.Run(t, rule)
	}
}
