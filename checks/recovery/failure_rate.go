package recovery

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed failure-rate-never-trips.md
var failureRateNeverTripsDoc string

// FailureRateNeverTrips finds failure-rate strategies whose limit cannot be reached.
var FailureRateNeverTrips = &advisor.Rule{
	ID:         "recovery/failure-rate-never-trips",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Reads:      []string{keyStrategy, keyMaxFailures, keyRateInterval, keyRateDelay},
	Doc:        failureRateNeverTripsDoc,
	Check:      failureRateNeverTrips,
}

func failureRateNeverTrips(t *advisor.Target, r *advisor.Report) {
	if kind, ok := strategyOf(t); !ok || kind != failureRate {
		return
	}
	failures, interval, delay := t.Conf.Int(keyMaxFailures), t.Conf.Duration(keyRateInterval), t.Conf.Duration(keyRateDelay)
	if !failures.Has || !interval.Has || !delay.Has || failures.V < 1 {
		return
	}
	// The strategy gives up when failure number failures+1 comes within the interval of the first, and failures delays lie between those two.
	least := float64(failures.V) * delay.V.Seconds()
	if least <= interval.V.Seconds() {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%d failures can never come within %s when each restart waits %s: the job restarts without end",
			int64(failures.V)+1, interval.V.Pretty(), delay.V.Pretty()),
		Labels: t.Labels(keyMaxFailures, "never reached", keyRateDelay, "too long for the interval", keyRateInterval, "too short for the delay"),
		Terms: []budget.Term{
			advisor.OptionTerm("failures tolerated", failures, float64(failures.V), budget.Count),
			advisor.OptionTerm("delay before each restart", delay, delay.V.Seconds(), budget.Seconds),
			advisor.OptionTerm("interval", interval, interval.V.Seconds(), budget.Seconds),
		},
		Help:   fmt.Sprintf("make the interval longer than %s, or say what is meant with exponential-delay", seconds(least)),
		Beyond: least / interval.V.Seconds(),
	})
}
