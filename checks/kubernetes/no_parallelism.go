package kubernetes

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
)

//go:embed no-parallelism.md
var noParallelismDoc string

// NoParallelism finds jobs and processes of which there would be none.
var NoParallelism = &advisor.Rule{
	ID:         "kubernetes/no-parallelism",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        noParallelismDoc,
	Check:      noParallelism,
}

func noParallelism(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil {
		return
	}
	for _, p := range processes(m) {
		if n, ok := number(p.Replicas); ok && n < 1 {
			r.Find(advisor.Finding{
				Message: fmt.Sprintf("the operator refuses %d replicas of the %s", n, p.name),
				Labels:  []advisor.Label{{Span: p.Replicas.Span, Key: p.field + ".replicas", Text: "at least 1"}},
				Help:    "write 1 or more; to stop a job write state: suspended",
			})
		}
	}
	if m.Job == nil || m.Has("spec.taskManager.replicas") {
		return
	}
	n, ok := number(m.Job.Parallelism)
	missing := !m.Has("spec.job.parallelism") && whole(t, m) || null(m, "spec.job.parallelism")
	if !missing && (!ok || n > 0) {
		return
	}
	f := advisor.Finding{
		Message: "the operator refuses a job without parallelism",
		Labels:  []advisor.Label{at(m, m.Job.Parallelism, "spec.job.parallelism", "at least 1")},
		Help:    "set spec.job.parallelism; parallelism.default does not count here",
	}
	if ok {
		f.Message = fmt.Sprintf("the operator refuses a job with parallelism %d", n)
	}
	r.Find(f)
}

// null tells that a template rendered a field as null, which is as good as missing.
func null(m *carrier.Manifest, path string) bool {
	return slices.ContainsFunc(m.NullFields, func(f carrier.Field) bool { return f.V == path })
}
