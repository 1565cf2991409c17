package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed parallelism-ignored.md
var parallelismIgnoredDoc string

// ParallelismIgnored finds parallelism that the number of TaskManagers goes over.
var ParallelismIgnored = &advisor.Rule{
	ID:         "kubernetes/parallelism-ignored",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Reads:      []string{keySlots},
	Doc:        parallelismIgnoredDoc,
	Check:      parallelismIgnored,
}

func parallelismIgnored(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || m.Job == nil {
		return
	}
	replicas, ok := number(m.TaskManager.Replicas)
	parallelism, given := number(m.Job.Parallelism)
	slots := t.Conf.Int(keySlots)
	if !ok || !given || replicas < 1 || parallelism < 1 || !slots.Has || replicas*slots.V == parallelism {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("parallelism %d has no effect: %d TaskManagers with %d slots give %d", parallelism, replicas, slots.V, replicas*slots.V),
		Labels: []advisor.Label{
			{Span: m.Job.Parallelism.Span, Key: "spec.job.parallelism", Text: "not read"},
			{Span: m.TaskManager.Replicas.Span, Key: "spec.taskManager.replicas", Text: "this one counts"},
		},
		Terms: []budget.Term{
			{Name: "TaskManagers", Value: float64(replicas), Unit: budget.Count, Origin: conf.Given, From: m.TaskManager.Replicas.Span.String(), Span: m.TaskManager.Replicas.Span},
			advisor.OptionTerm("slots each", slots, float64(slots.V), budget.Count),
		},
		Help: "remove one of the two: without replicas the operator starts as many TaskManagers as the parallelism needs",
	})
}
