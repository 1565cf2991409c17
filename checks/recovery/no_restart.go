package recovery

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed no-restart.md
var noRestartDoc string

// NoRestart finds jobs that take checkpoints and may not use them.
var NoRestart = &advisor.Rule{
	ID:         "recovery/no-restart",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.WillFail,
	Confidence: advisor.Certain,
	Reads:      []string{keyStrategy, keyInterval},
	Facts:      []string{"job.type"},
	Doc:        noRestartDoc,
	Check:      noRestart,
}

func noRestart(t *advisor.Target, r *advisor.Report) {
	if kind, ok := strategyOf(t); !ok || kind != none || !t.Checkpoint.Enabled {
		return
	}
	r.Find(advisor.Finding{
		Message: "the job takes checkpoints and does not restart from them: the first failure ends it",
		Labels:  t.Labels(keyStrategy, "no restart", keyInterval, "checkpoints are on"),
		Notes: []string{
			"a lost TaskManager, a node that is drained and an expired checkpoint are failures too",
			"without this line Flink restarts a job with checkpoints by itself",
		},
		Help:  "remove the line, or use exponential-delay",
		Edits: []advisor.Edit{advisor.Unset(keyStrategy, false)},
	})
}
