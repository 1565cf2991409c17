package memory

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

func TestRules(t *testing.T) {
	for _, rule := range []*advisor.Rule{
		DoesNotFit, NotConfigured, ConflictingTotals, ContainerLimitBelowProcessSize, TaskHeapTooSmall, OverheadThinForRocksDB, ManagedIdle,
		HeapStateExceedsHeap, JobManagerHeapSmall, JavaOptsOverride, RocksDBUnbounded, RocksDBFixedNotBudgeted, RocksDBWithoutManaged,
		ConsumerWeightMissing, CompressedOopsGap, ContainerUnused,
	} {
		checktest.Run(t, rule)
	}
}
