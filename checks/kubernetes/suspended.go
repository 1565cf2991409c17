package kubernetes

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed suspended.md
var suspendedDoc string

// Suspended finds jobs that are not meant to run.
var Suspended = &advisor.Rule{
	ID:         "kubernetes/suspended",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Possible,
	Doc:        suspendedDoc,
	Check:      suspended,
}

func suspended(t *advisor.Target, r *advisor.Report) {
	m := either(t)
	if m == nil || m.Job == nil || m.Job.State.V != "suspended" {
		return
	}
	r.Find(advisor.Finding{
		Message: "the job is suspended: the operator starts nothing for a new resource, and stops the job of one that runs",
		Labels:  []advisor.Label{{Span: m.Job.State.Span, Key: "spec.job.state", Text: "not running"}},
		Help:    "write running, or leave the field out, when the job is meant to run",
	})
}
