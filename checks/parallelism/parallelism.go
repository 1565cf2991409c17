// Package parallelism has the rules about slots, subtasks and key groups.
package parallelism

import (
	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/job"
)

// Options that these rules read, by today's names.
const (
	keyDefault   = "parallelism.default"
	keyMax       = "pipeline.max-parallelism"
	keySlots     = "taskmanager.numberOfTaskSlots"
	keySlotLimit = "slotmanager.number-of-slots.max"
	keyScheduler = "jobmanager.scheduler"
	keyMode      = "scheduler-mode"
	keyIdle      = "table.exec.source.idle-timeout"
	keyCores     = "taskmanager.cpu.cores"
	keyPodCPU    = "kubernetes.taskmanager.cpu.amount"
	keyVcores    = "yarn.containers.vcores"
)

// ofJob is the parallelism of the job: the fact, or parallelism.default where it is set. Flink's default of 1 says nothing about a job.
func ofJob(t *advisor.Target) (p int, term budget.Term, ok bool) {
	if f := t.Job.Job.Parallelism; f.Known {
		return f.V, advisor.FactTerm("parallelism of the job", f, float64(f.V), budget.Count), true
	}
	if v := t.Conf.Int(keyDefault); v.Set() && v.Has && v.V > 0 {
		return int(v.V), advisor.OptionTerm("parallelism of the job", v, float64(v.V), budget.Count), true
	}
	return 0, budget.Term{}, false
}

// ofVertex is the parallelism of a vertex: its own, or the job's.
func ofVertex(t *advisor.Target, v *job.Vertex) (p int, term budget.Term, ok bool) {
	if v.Parallelism.Known {
		return v.Parallelism.V, advisor.FactTerm("parallelism of "+v.Name, v.Parallelism, float64(v.Parallelism.V), budget.Count), true
	}
	return ofJob(t)
}

// groupsOf is the maximum parallelism that a vertex is given: by its own facts, the job's, or the option. ok is false where Flink chooses it. v is nil for
// the job as a whole.
func groupsOf(t *advisor.Target, v *job.Vertex) (groups int, term budget.Term, ok bool) {
	if v != nil && v.MaxParallelism.Known {
		return v.MaxParallelism.V, advisor.FactTerm("maximum parallelism of "+v.Name, v.MaxParallelism, float64(v.MaxParallelism.V), budget.Count), true
	}
	if f := t.Job.Job.MaxParallelism; f.Known {
		return f.V, advisor.FactTerm("maximum parallelism", f, float64(f.V), budget.Count), true
	}
	if v := t.Conf.Int(keyMax); v.Set() && v.Has && v.V > 0 {
		return int(v.V), advisor.OptionTerm("maximum parallelism", v, float64(v.V), budget.Count), true
	}
	return 0, budget.Term{}, false
}

// labels marks options and facts: of the options those that are set in a file.
func labels(t *advisor.Target, terms ...budget.Term) []advisor.Label {
	var out []advisor.Label
	for _, term := range terms {
		if term.Span.Valid() {
			out = append(out, advisor.Label{Span: term.Span, Key: keyAt(t, term), Text: term.Name})
		}
	}
	return out
}

// keyAt is the option whose value stands at the place of a term; "" for a job fact.
func keyAt(t *advisor.Target, term budget.Term) string {
	for _, e := range t.Conf.Entries() {
		if e.ValueSpan == term.Span {
			return e.Key
		}
	}
	return ""
}
