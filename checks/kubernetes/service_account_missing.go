package kubernetes

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed service-account-missing.md
var serviceAccountMissingDoc string

// ServiceAccountMissing finds resources without service account.
var ServiceAccountMissing = &advisor.Rule{
	ID:         "kubernetes/service-account-missing",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        serviceAccountMissingDoc,
	Check:      serviceAccountMissing,
}

func serviceAccountMissing(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || m.Has("spec.serviceAccount") && !null(m, "spec.serviceAccount") || !whole(t, m) {
		return
	}
	r.Find(advisor.Finding{
		Message: "the operator refuses a FlinkDeployment without serviceAccount",
		Labels:  []advisor.Label{at(m, m.ServiceAccount, "spec.serviceAccount", "no serviceAccount")},
		Help:    "name the account that may make pods and ConfigMaps; the operator's Helm chart creates one called flink",
	})
}
