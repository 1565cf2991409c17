package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed min-pause-with-concurrent.md
var minPauseWithConcurrentDoc string

// MinPauseWithConcurrent finds two options that contradict each other.
var MinPauseWithConcurrent = &advisor.Rule{
	ID:         "checkpoint/min-pause-with-concurrent",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Reads:      []string{keyMinPause, keyConcurrent},
	Doc:        minPauseWithConcurrentDoc,
	Check:      minPauseWithConcurrent,
}

func minPauseWithConcurrent(t *advisor.Target, r *advisor.Report) {
	pause, concurrent := t.Conf.Duration(keyMinPause), t.Conf.Int(keyConcurrent)
	if !t.Checkpoint.Enabled || !pause.Has || pause.V.IsZero() || !concurrent.Has || concurrent.V < 2 {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%d checkpoints may run at a time, and there must be a pause of %s between them: one of the two is not meant", concurrent.V, pause.V.Pretty()),
		Labels:  t.Labels(keyConcurrent, "several at a time", keyMinPause, "a pause after each"),
		Notes:   []string{"a pause counts from the end of the last checkpoint, which is meant for one at a time"},
		Help:    "leave " + keyConcurrent + " at 1",
		Edits:   []advisor.Edit{advisor.Set(keyConcurrent, "1", false)},
	})
}
