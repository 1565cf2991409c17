package recovery

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

func TestRules(t *testing.T) {
	for _, rule := range []*advisor.Rule{
		CancellationWatchdog, NoRestart, FixedDelayRunsOut, FailureRateNeverTrips, UnusedRestartOptions, UnknownRestartStrategy,
		HeartbeatOrder, HAIncomplete, HALocalDirectory, StandbyWithoutHA, TransactionTimeout,
	} {
		checktest.Run(t, rule)
	}
}
