package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed below-minimum.md
var belowMinimumDoc string

// BelowMinimum finds settings of checkpoints below what Flink takes (CheckpointConfig, CheckpointCoordinatorConfiguration).
var BelowMinimum = &advisor.Rule{
	ID:         "checkpoint/below-minimum",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyInterval, keyTimeout, keyConcurrent, keyTolerable, keyBacklog},
	Doc:        belowMinimumDoc,
	Check:      belowMinimum,
}

const (
	keyBacklog = "execution.checkpointing.interval-during-backlog"
	// shortest is CheckpointCoordinatorConfiguration.MINIMAL_CHECKPOINT_TIME in seconds: 10 ms.
	shortest = 0.01
)

func belowMinimum(t *advisor.Target, r *advisor.Report) {
	refuse := func(key, message, help string, edits ...advisor.Edit) {
		r.Find(advisor.Finding{
			Message: message, Labels: t.Labels(key, "refused"), Help: help, Edits: edits,
			Notes: []string{"the job is refused when it is submitted"},
		})
	}
	interval := t.Conf.Duration(keyInterval)
	for _, key := range []string{keyInterval, keyTimeout} {
		v := t.Conf.Duration(key)
		if !v.Has || !v.Set() || v.V.Seconds() >= shortest {
			continue
		}
		if key == keyInterval && v.V.IsZero() {
			refuse(key, "an interval of 0 does not switch checkpoints off: Flink refuses it, as anything below 10 ms",
				"remove the option to switch checkpoints off", advisor.Unset(key, false))
			continue
		}
		refuse(key, fmt.Sprintf("%s is %s, and Flink takes 10 ms at least; a number without unit is milliseconds", v.Key, v.V.Pretty()), "write the unit")
	}
	if v := t.Conf.Int(keyConcurrent); v.Set() && v.Has && v.V < 1 {
		refuse(keyConcurrent, fmt.Sprintf("%s is %d, and one checkpoint at a time is the least", v.Key, v.V), "leave it at 1, Flink's default", advisor.Set(keyConcurrent, "1", false))
	}
	if v := t.Conf.Int(keyTolerable); v.Set() && v.Has && v.V < 0 {
		refuse(keyTolerable, fmt.Sprintf("%s is %d; Flink refuses a negative number", v.Key, v.V), "write 0 for none, or a large number for any", advisor.Set(keyTolerable, "0", false))
	}
	backlog := t.Conf.Duration(keyBacklog)
	if backlog.Set() && backlog.Has && !backlog.V.IsZero() && interval.Has && backlog.V.Compare(interval.V) < 0 {
		refuse(keyBacklog, fmt.Sprintf("the interval during backlog (%s) is shorter than the normal one (%s); Flink takes 0 or more than that", backlog.V.Pretty(), interval.V.Pretty()),
			"during a backlog checkpoints may be rarer, not more frequent")
	}
}
