package recovery

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed fixed-delay-runs-out.md
var fixedDelayRunsOutDoc string

// FixedDelayRunsOut finds fixed-delay restart strategies whose attempts one outage uses up.
var FixedDelayRunsOut = &advisor.Rule{
	ID:         "recovery/fixed-delay-runs-out",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.WillFail,
	Confidence: advisor.Likely,
	Reads:      []string{keyStrategy, keyAttempts, keyFixedDelay, keyInterval},
	Facts:      []string{"job.type"},
	Doc:        fixedDelayRunsOutDoc,
	Check:      fixedDelayRunsOut,
}

// outage is how long, in seconds, a job should outlive the loss of something it needs: draining a Kubernetes node or moving a Kafka leader takes two to five
// minutes, and a restart itself only seconds.
const outage = 300

func fixedDelayRunsOut(t *advisor.Target, r *advisor.Report) {
	if kind, ok := strategyOf(t); !ok || kind != fixedDelay || t.Batch() {
		return
	}
	attempts, delay := t.Conf.Int(keyAttempts), t.Conf.Duration(keyFixedDelay)
	if !attempts.Has || !delay.Has || attempts.V < 0 {
		return
	}
	lasts := float64(attempts.V) * delay.V.Seconds()
	if lasts >= outage {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("the job ends for good with its failure number %d, and its %s last %s", int64(attempts.V)+1, plural(int64(attempts.V), "restart"), seconds(lasts)),
		Labels:  t.Labels(keyAttempts, "over the whole life of the job", keyStrategy, "gives up"),
		Terms: []budget.Term{
			advisor.OptionTerm("restarts", attempts, float64(attempts.V), budget.Count),
			advisor.OptionTerm("delay before each", delay, delay.V.Seconds(), budget.Seconds),
		},
		Notes: []string{
			"fixed-delay never forgets a failure: the count is not reset however long the job has run well in between",
			fmt.Sprintf("an outage of %d minutes, such as a node that is drained, uses all of them up at once", outage/60),
		},
		Help:   "use exponential-delay, which slows down while failures last and forgets them afterwards",
		Beyond: outage / max(lasts, 1),
	}
	if !attempts.Set() {
		f.Notes = append(f.Notes, "restart-strategy.fixed-delay.attempts is not set: Flink's default is one restart")
	}
	if t.Version.Before(1, 13) {
		f.Help = "raise the attempts so far that they never run out (2147483647), with a delay of ten seconds or more"
	}
	if t.Checkpoint.Enabled {
		f.Severity = advisor.Warning
	}
	r.Find(f)
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// seconds prints a time that is a product: "30 s", "2.5 min".
func seconds(s float64) string {
	if s < 120 {
		return fmt.Sprintf("%.6g s", s)
	}
	return fmt.Sprintf("%.3g min", s/60)
}
