package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed unaligned-refused.md
var unalignedRefusedDoc string

// UnalignedRefused finds settings with which Flink refuses unaligned checkpoints, or drops them with a line in its log.
var UnalignedRefused = &advisor.Rule{
	ID:         "checkpoint/unaligned-refused",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyUnaligned, keyConcurrent, keyMode, keyForced},
	Facts:      []string{"job.edges"},
	Doc:        unalignedRefusedDoc,
	Check:      unalignedRefused,
}

func unalignedRefused(t *advisor.Target, r *advisor.Report) {
	unaligned := t.Conf.Bool(keyUnaligned)
	if !unaligned.Has || !unaligned.V || !t.Checkpoint.Enabled {
		return
	}
	on := "unaligned checkpoints are on"
	if mode := t.Conf.Enum(keyMode); mode.Has && mode.V == "AT_LEAST_ONCE" {
		r.Find(advisor.Finding{
			Severity: advisor.Warning, Impact: advisor.NoEffect,
			Message: "unaligned checkpoints have no effect in mode AT_LEAST_ONCE: Flink switches them off with one line in its log",
			Labels:  t.Labels(keyMode, "at least once", keyUnaligned, on),
			Notes:   []string{"at-least-once barriers are not aligned either: they wait in the queues like everything else"},
			Help:    "remove one of the two: unaligned checkpoints belong to EXACTLY_ONCE",
		})
		return
	}
	if n := t.Conf.Int(keyConcurrent); n.Has && n.V > 1 {
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("Flink refuses the job: unaligned checkpoints allow one checkpoint at a time, and %d are asked for", n.V),
			Labels:  t.Labels(keyConcurrent, "more than one", keyUnaligned, on),
			Notes:   []string{`submission fails with "maxConcurrentCheckpoints can't be > 1 if UnalignedCheckpoints enabled"`},
			Help:    "leave " + keyConcurrent + " at 1",
			Edits:   []advisor.Edit{advisor.Set(keyConcurrent, "1", false)},
		})
	}
	if forced := t.Conf.Bool(keyForced); t.Version.Before(1, 13) || !forced.Has || forced.V {
		return
	}
	for _, e := range t.Job.Job.Edges {
		if e.ShipStrategy.V != "CUSTOM" {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("Flink refuses the job: unaligned checkpoints do not go with the custom partitioner between %s and %s", e.From, e.To),
			Labels:  t.Labels(keyUnaligned, on),
			Notes:   []string{"Flink cannot tell how the in-flight data of such an exchange is to be shared out when the parallelism changes"},
			Help:    "use a built-in partitioning, or switch unaligned checkpoints off, or force them with " + keyForced + " if the parallelism never changes",
		}
		if e.Span.Valid() {
			f.Labels = append(f.Labels, advisor.Label{Span: e.Span, Text: "custom partitioner"})
		}
		r.Find(f)
	}
}
