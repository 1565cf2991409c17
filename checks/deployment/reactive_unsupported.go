package deployment

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed reactive-unsupported.md
var reactiveUnsupportedDoc string

// ReactiveUnsupported finds reactive mode on clusters that refuse it.
var ReactiveUnsupported = &advisor.Rule{
	ID:         "deployment/reactive-unsupported",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyMode},
	Facts:      []string{"deployment.target", "deployment.mode"},
	Doc:        reactiveUnsupportedDoc,
	Check:      reactiveUnsupported,
}

func reactiveUnsupported(t *advisor.Target, r *advisor.Report) {
	v := t.Conf.Enum(keyMode)
	if !v.Set() || !v.Has || v.V != "REACTIVE" {
		return
	}
	target, mode := t.Job.Deployment.Target, t.Job.Deployment.Mode
	where := ""
	switch {
	case target.V == "kubernetes-native", target.V == "yarn":
		where = "on " + target.V
	case mode.V == "session", mode.V == "per-job":
		where = "in a " + mode.V + " cluster"
	case !target.Known || !mode.Known:
		r.NotAssessed("deployment.target", "deployment.mode")
		return
	default:
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("reactive mode does not run %s, and the JobManager does not start", where),
		Labels:  t.Labels(keyMode, "standalone application clusters only"),
		Help:    "use the adaptive scheduler (jobmanager.scheduler: adaptive) where TaskManagers are started on demand, or run the job with bin/standalone-job.sh",
	})
}
