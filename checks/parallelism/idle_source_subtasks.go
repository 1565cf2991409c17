package parallelism

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed idle-source-subtasks.md
var idleSourceSubtasksDoc string

// IdleSourceSubtasks finds sources with more subtasks than partitions to read.
var IdleSourceSubtasks = &advisor.Rule{
	ID:         "parallelism/idle-source-subtasks",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Wasteful,
	Confidence: advisor.Likely,
	Reads:      []string{keyIdle, keyDefault},
	Facts:      []string{"job.vertices.source.partitions", "job.parallelism", "job.api"},
	Doc:        idleSourceSubtasksDoc,
	Check:      idleSourceSubtasks,
}

func idleSourceSubtasks(t *advisor.Target, r *advisor.Report) {
	if t.Batch() {
		return
	}
	for i := range t.Job.Job.Vertices {
		v := &t.Job.Job.Vertices[i]
		if v.Source == nil || !v.Source.Partitions.Known {
			continue
		}
		partitions := v.Source.Partitions
		p, term, known := ofVertex(t, v)
		if !known || p <= partitions.V {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("%d of %d subtasks of %s have nothing to read: there are %d partitions", p-partitions.V, p, v.Name, partitions.V),
			Terms:   []budget.Term{term, advisor.FactTerm("partitions of "+v.Name, partitions, float64(partitions.V), budget.Count)},
			Help:    fmt.Sprintf("give %s parallelism %d and let the next exchange spread the records", v.Name, partitions.V),
			Beyond:  float64(p) / float64(partitions.V),
		}
		f.Labels = labels(t, f.Terms[1], f.Terms[0])
		if stalls(t) {
			f.Severity, f.Impact = advisor.Warning, advisor.WillFail
			f.Notes = []string{
				"a subtask without a partition never sends a watermark, and event time stands still for everything behind it: windows do not fire",
				keyIdle + " is 0: idle subtasks are waited for without end",
			}
			f.Help += "; or set " + keyIdle + " to some seconds, longer than the usual gap between records"
		}
		r.Find(f)
	}
}

// stalls tells whether idle subtasks hold event time back: a SQL job with a window, and no idle timeout. A DataStream program says it in its watermark
// strategy, which is not known here.
func stalls(t *advisor.Target) bool {
	idle := t.Conf.Duration(keyIdle)
	if t.Job.Job.API.V != "sql" || idle.Set() && (!idle.Has || !idle.V.IsZero()) {
		return false
	}
	for _, v := range t.Job.Job.Vertices {
		if v.Window != nil {
			return true
		}
	}
	return false
}
