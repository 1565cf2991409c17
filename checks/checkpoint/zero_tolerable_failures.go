package checkpoint

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed zero-tolerable-failures.md
var zeroTolerableFailuresDoc string

// ZeroTolerableFailures finds jobs that one failed checkpoint restarts (CheckpointFailureManager).
var ZeroTolerableFailures = &advisor.Rule{
	ID:         "checkpoint/zero-tolerable-failures",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Unstable,
	Confidence: advisor.Certain,
	Reads:      []string{keyTolerable, keyTimeout, keyInterval},
	Facts:      append([]string{"job.api"}, durationFacts...),
	Doc:        zeroTolerableFailuresDoc,
	Check:      zeroTolerableFailures,
}

// riskyShare is the share of the timeout that an estimate may take before a restart for one late checkpoint becomes likely.
const riskyShare = 0.3

func zeroTolerableFailures(t *advisor.Target, r *advisor.Report) {
	c := t.Checkpoint
	failures, known := tolerable(t)
	if !c.Enabled || !known || failures != 0 {
		return
	}
	f := advisor.Finding{
		Confidence: sureOf(t, keyTolerable),
		Message:    "one checkpoint that fails or expires restarts the job: no failed checkpoint is tolerated",
		Labels:     []advisor.Label{t.Anchor("checkpoints are on", keyInterval)},
		Notes: []string{
			"an expired checkpoint counts like one that failed; a success sets the count back",
			`the log says "Exceeded checkpoint tolerable failure threshold."`,
		},
		Help:  "tolerate 3 and watch the time since the last completed checkpoint instead",
		Edits: []advisor.Edit{advisor.Set(keyTolerable, "3", false)},
	}
	if l, ok := t.Label(keyTolerable, "none is tolerated"); ok {
		f.Labels = []advisor.Label{l}
	}
	limit, seconds, ok := timeout(t)
	switch {
	case ok && c.Duration.Known && c.Duration.V > riskyShare*seconds:
		f.Severity = advisor.Warning
		f.Notes = append(f.Notes, "a checkpoint may take "+inSeconds(c.Duration.V)+" of its timeout of "+limit.V.Pretty())
	case ok && !c.Duration.Known && seconds < shortTimeout:
		f.Severity = advisor.Warning
		f.Notes = append(f.Notes, "the timeout of "+limit.V.Pretty()+" makes that more likely")
	}
	r.Find(f)
}
