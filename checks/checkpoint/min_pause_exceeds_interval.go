package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed min-pause-exceeds-interval.md
var minPauseExceedsIntervalDoc string

// MinPauseExceedsInterval finds an interval that Flink raises to the pause (CheckpointCoordinator).
var MinPauseExceedsInterval = &advisor.Rule{
	ID:         "checkpoint/min-pause-exceeds-interval",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Reads:      []string{keyInterval, keyMinPause},
	Doc:        minPauseExceedsIntervalDoc,
	Check:      minPauseExceedsInterval,
}

func minPauseExceedsInterval(t *advisor.Target, r *advisor.Report) {
	interval, pause := t.Conf.Duration(keyInterval), t.Conf.Duration(keyMinPause)
	if !t.Checkpoint.Enabled || !interval.Has || !pause.Has || pause.V.Compare(interval.V) <= 0 {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("checkpoints start every %s, not every %s: the pause between them is longer than the interval", pause.V.Pretty(), interval.V.Pretty()),
		Labels:  t.Labels(keyInterval, "raised to the pause", keyMinPause, "longer"),
		Notes:   []string{"Flink raises the interval to the pause without a word; the time of a checkpoint comes on top"},
		Help:    "set the interval that is meant, and a pause below it",
	})
}
