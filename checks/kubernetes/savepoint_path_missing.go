package kubernetes

import (
	_ "embed"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed savepoint-path-missing.md
var savepointPathMissingDoc string

// SavepointPathMissing finds redeployments from a savepoint without its path.
var SavepointPathMissing = &advisor.Rule{
	ID:         "kubernetes/savepoint-path-missing",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        savepointPathMissingDoc,
	Check:      savepointPathMissing,
}

func savepointPathMissing(t *advisor.Target, r *advisor.Report) {
	m := either(t)
	if m == nil || m.Job == nil || !m.Job.SavepointRedeployNonce.Known || t.Carried.Templated {
		return
	}
	if path := m.Job.InitialSavepointPath; path.Known && strings.TrimSpace(path.V) != "" {
		return
	}
	r.Find(advisor.Finding{
		Message: "savepointRedeployNonce needs initialSavepointPath, and the operator refuses the change without",
		Labels:  []advisor.Label{at(m, m.Job.SavepointRedeployNonce, "spec.job.savepointRedeployNonce", "redeploys from a savepoint")},
		Help:    "set spec.job.initialSavepointPath to the savepoint or retained checkpoint",
	})
}
