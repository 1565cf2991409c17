package checkpoint

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

func TestRules(t *testing.T) {
	for _, rule := range []*advisor.Rule{
		Disabled, TimeoutTooShort, UnalignedOverhead, UnalignedRefused, AlignedTimeoutMissing, AlignedDrainExceedsTimeout, ZeroTolerableFailures,
		LocalDirectory, FullRocksDBSnapshots, BelowMinimum, MinPauseExceedsInterval, MinPauseWithConcurrent, AlignedTimeoutTooLong,
		LongerThanInterval, UnalignedWithoutEffect, ChannelStateDiscarded, NoDirectory,
	} {
		checktest.Run(t, rule)
	}
}
