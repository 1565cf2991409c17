package advisor

import (
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
)

// OptionTerm is the term of an option's value.
func OptionTerm[T any](name string, v conf.Value[T], value float64, unit budget.Unit) budget.Term {
	return budget.Term{Name: name, Value: value, Unit: unit, Origin: v.Origin(), From: v.From(), Span: v.Span()}
}

// FactTerm is the term of a job fact.
func FactTerm[T any](name string, f job.Fact[T], value float64, unit budget.Unit) budget.Term {
	return budget.Term{Name: name, Value: value, Unit: unit, Origin: conf.Given, From: f.Origin(), Span: f.Span}
}

// Batch tells whether the job ends: by its facts, or else by execution.runtime-mode. An unknown job is a streaming job, as in Flink.
func (t *Target) Batch() bool {
	if t.Job.Job.Type.Known {
		return t.Job.Job.Type.V == "batch"
	}
	mode := t.Conf.Enum("execution.runtime-mode")
	return mode.Has && mode.V == "BATCH"
}
