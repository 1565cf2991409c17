package memory

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

var all = []*advisor.Rule{
	DoesNotFit, NotConfigured, ConflictingTotals, ContainerLimitBelowProcessSize, TaskHeapTooSmall, OverheadThinForRocksDB, ManagedIdle,
	HeapStateExceedsHeap, JobManagerHeapSmall, JavaOptsOverride, RocksDBUnbounded, RocksDBFixedNotBudgeted, RocksDBWithoutManaged,
	ConsumerWeightMissing, CompressedOopsGap, ContainerUnused,
}

func TestRules(t *testing.T) {
	for _, rule := range all {
		checktest.Run(t, rule)
	}
}
