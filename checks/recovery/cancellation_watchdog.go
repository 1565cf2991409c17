package recovery

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed cancellation-watchdog.md
var cancellationWatchdogDoc string

// CancellationWatchdog finds settings under which a task that does not stop does more harm than it must.
var CancellationWatchdog = &advisor.Rule{
	ID:         "recovery/cancellation-watchdog",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Likely,
	Reads:      []string{keyCancelTimeout, keyInterval, keyTimeout, keyTolerable, keySlots, keyUnaligned},
	Facts:      []string{"deployment.taskManagers"},
	Doc:        cancellationWatchdogDoc,
	Check:      cancellationWatchdog,
}

const (
	// patience is the least time that a task should have to stop: closing producers and state backends, and a user function that waits for a reply, take
	// tens of seconds under load. Flink's default is three minutes.
	patience = 60
	// shortTimeout is a checkpoint timeout, in seconds, below which expired checkpoints are an everyday event under back pressure: half of Flink's
	// default of ten minutes.
	shortTimeout = 300
)

func cancellationWatchdog(t *advisor.Target, r *advisor.Report) {
	v := t.Conf.Duration(keyCancelTimeout)
	if !v.Has {
		return
	}
	term := advisor.OptionTerm("time to stop after a cancel", v, v.V.Seconds(), budget.Seconds)
	switch {
	case v.Set() && v.V.IsZero():
		r.Find(advisor.Finding{
			Message:    "the cancellation watchdog is off: a task that does not stop holds its slot, and the job with it, for ever",
			Labels:     t.Labels(keyCancelTimeout, "off"),
			Confidence: advisor.Certain,
			Terms:      []budget.Term{term},
			Notes:      []string{"a failover waits until every task of the job has stopped, so one stuck task keeps the job down without an error"},
			Help:       "remove it, so that Flink's 3min hold",
			Edits:      []advisor.Edit{advisor.Unset(keyCancelTimeout, false)},
		})
	case v.Set() && v.V.Seconds() < patience:
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("a task that has not stopped %s after a cancel takes its whole TaskManager down", v.V.Pretty()),
			Labels:  t.Labels(keyCancelTimeout, "short"),
			Terms:   []budget.Term{term},
			Notes:   []string{"closing sinks and state backends takes longer than that under load, and then every failover costs a TaskManager"},
			Help:    "remove it, so that Flink's 3min hold",
			Edits:   []advisor.Edit{advisor.Unset(keyCancelTimeout, false)},
			Beyond:  patience / v.V.Seconds(),
		})
	case t.Checkpoint.Enabled && !t.Checkpoint.Timeout.IsZero():
		afterExpiry(t, r, v.V, term)
	}
}

// afterExpiry looks at the chain that begins with an expired checkpoint: no failure is tolerated, so the tasks are cancelled; one does not stop; the watchdog ends
// the process with everything else in it.
func afterExpiry(t *advisor.Target, r *advisor.Report, wait quantity.Duration, term budget.Term) {
	timeout, tolerable := t.Conf.Duration(keyTimeout), t.Conf.Int(keyTolerable)
	if tolerable.Set() && (!tolerable.Has || tolerable.V > 0) || timeout.V.Seconds() >= shortTimeout || t.TaskManager.Slots < 2 {
		return
	}
	slots := t.TaskManager.Slots
	f := advisor.Finding{
		Severity: advisor.Advice,
		Message: fmt.Sprintf("every expired checkpoint cancels the job, and a task that has not stopped %s later takes its TaskManager with %s down",
			wait.Pretty(), all(slots)),
		Labels: t.Labels(keyTimeout, "each expiry cancels the tasks", keySlots, fmt.Sprintf("%d slots go together", slots)),
		Terms: []budget.Term{
			advisor.OptionTerm("checkpoint timeout", timeout, timeout.V.Seconds(), budget.Seconds),
			{Name: "tolerable failed checkpoints", Unit: budget.Count, Origin: tolerable.Origin(), From: tolerable.From(), Span: tolerable.Span()},
			term,
		},
		Notes: []string{
			`"did not react to cancelling signal" in the log is only a warning, repeated every 30 s; it holds the stack of the stuck task, which is the thing to look at`,
			"tasks that wait for a buffer under back pressure, or in user code without reacting to interrupts, are the usual ones",
		},
		Help: fmt.Sprintf("keep the watchdog; take away what cancels: %s above 0 and a longer checkpoint timeout", tolerable.Key),
	}
	if n := t.Job.Deployment.TaskManagers; n.Known && n.V > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("one of %d TaskManagers gone is %.0f %% of the slots, until it has been started again", n.V, 100/float64(n.V)))
	}
	r.Find(f)
}

// all is "both slots" or "all 8 slots".
func all(slots int) string {
	if slots == 2 {
		return "both slots"
	}
	return fmt.Sprintf("all %d slots", slots)
}
