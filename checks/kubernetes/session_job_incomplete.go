package kubernetes

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
)

//go:embed session-job-incomplete.md
var sessionJobIncompleteDoc string

// SessionJobIncomplete finds session jobs without job or cluster.
var SessionJobIncomplete = &advisor.Rule{
	ID:         "kubernetes/session-job-incomplete",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        sessionJobIncompleteDoc,
	Check:      sessionJobIncomplete,
}

func sessionJobIncomplete(t *advisor.Target, r *advisor.Report) {
	m := sessionJob(t)
	if m == nil || t.Carried.Templated {
		return
	}
	if !m.Has("spec.deploymentName") || null(m, "spec.deploymentName") {
		r.Find(advisor.Finding{
			Subject: "cluster",
			Message: "the operator refuses a FlinkSessionJob without deploymentName",
			Labels:  []advisor.Label{at(m, m.DeploymentName, "spec.deploymentName", "no deploymentName")},
			Help:    "name the FlinkDeployment of the session cluster",
		})
	}
	if m.Job == nil {
		r.Find(advisor.Finding{
			Subject: "job",
			Message: "the operator refuses a FlinkSessionJob without job",
			Labels:  []advisor.Label{at(m, carrier.Field{}, "spec.job", "no job")},
			Help:    "write spec.job with jarURI and parallelism",
		})
		return
	}
	n, ok := number(m.Job.Parallelism)
	if ok && n > 0 || !ok && m.Has("spec.job.parallelism") && !null(m, "spec.job.parallelism") {
		return
	}
	r.Find(advisor.Finding{
		Subject: "parallelism",
		Message: "the operator refuses a session job without parallelism",
		Labels:  []advisor.Label{at(m, m.Job.Parallelism, "spec.job.parallelism", "at least 1")},
		Help:    "set spec.job.parallelism; parallelism.default does not count here",
	})
}
