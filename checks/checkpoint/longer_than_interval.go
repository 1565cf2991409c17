package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed longer-than-interval.md
var longerThanIntervalDoc string

// LongerThanInterval finds checkpoints that take longer to write than the time between them.
var LongerThanInterval = &advisor.Rule{
	ID:         "checkpoint/longer-than-interval",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Slow,
	Confidence: advisor.Likely,
	Reads:      []string{keyInterval, keyMinPause},
	Facts:      durationFacts,
	Doc:        longerThanIntervalDoc,
	Check:      longerThanInterval,
}

func longerThanInterval(t *advisor.Target, r *advisor.Report) {
	c := t.Checkpoint
	interval := t.Conf.Duration(keyInterval)
	if !c.Enabled || !interval.Has {
		return
	}
	if !c.DurationLeast.Known {
		r.NotAssessed(c.DurationLeast.Needs...)
		return
	}
	if c.DurationLeast.V <= interval.V.Seconds() {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("a checkpoint takes %s to write and one is asked for every %s: the storage is never idle", inSeconds(c.DurationLeast.V), interval.V.Pretty()),
		Labels:  t.Labels(keyInterval, "shorter than one checkpoint takes"),
		Terms:   c.DurationLeast.Terms,
		Notes:   []string{"with one checkpoint at a time the next one starts when the last one is done"},
		Help:    "set the interval to " + minutes(2*c.DurationLeast.V) + " or more, or write less with incremental checkpoints",
		Beyond:  c.DurationLeast.V / max(interval.V.Seconds(), shortest),
		CausedBy: []string{
			"checkpoint/timeout-too-short", "checkpoint/full-rocksdb-snapshots",
		},
	})
}
