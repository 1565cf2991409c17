package kubernetes

import (
	_ "embed"
	"fmt"
	"regexp"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
)

//go:embed invalid-name.md
var invalidNameDoc string

// InvalidName finds names of clusters that the operator refuses.
var InvalidName = &advisor.Rule{
	ID:         "kubernetes/invalid-name",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        invalidNameDoc,
	Check:      invalidName,
}

// clusterName is what the operator takes for the name of a cluster; Kubernetes itself would take longer ones.
var clusterName = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,43}[a-z0-9])?$`)

func invalidName(t *advisor.Target, r *advisor.Report) {
	path, f := "metadata.name", carrier.Field{}
	switch m := either(t); {
	case m == nil:
		return
	case m.Kind == "FlinkSessionJob":
		path, f = "spec.deploymentName", m.DeploymentName
	default:
		f = m.Name
	}
	if !f.Known || clusterName.MatchString(f.V) {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("the operator refuses the cluster name %s", f.V),
		Labels:  []advisor.Label{{Span: f.Span, Key: path, Text: fmt.Sprintf("%d characters", len(f.V))}},
		Help:    "use at most 45 lower case letters, digits and dashes, beginning with a letter and not ending with a dash",
	})
}
