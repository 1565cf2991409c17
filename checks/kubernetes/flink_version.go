package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed flink-version.md
var flinkVersionDoc string

// FlinkVersion finds resources whose flinkVersion is missing or none that the operator takes.
var FlinkVersion = &advisor.Rule{
	ID:         "kubernetes/flink-version",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        flinkVersionDoc,
	Check:      flinkVersion,
}

// firstSupported is the oldest Flink that operator 1.7 and newer take (FlinkVersion.isSupported); 1.13 and 1.14 are still named in the schema.
var firstSupported = version.Of(1, 15)

func flinkVersion(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil {
		return
	}
	f := m.FlinkVersion
	if !f.Known {
		if whole(t, m) && !m.Has("spec.flinkVersion") {
			r.Find(advisor.Finding{
				Message: "the operator refuses a FlinkDeployment without flinkVersion",
				Labels:  []advisor.Label{at(m, f, "spec.flinkVersion", "no flinkVersion")},
				Help:    "write the version of the image, such as flinkVersion: " + constant(t.Version),
			})
		}
		return
	}
	v, err := version.Parse(f.V)
	switch {
	case err != nil || constant(v) != f.V:
		finding := advisor.Finding{
			Message: fmt.Sprintf("%s is no flinkVersion, and the API server refuses the resource", f.V),
			Labels:  []advisor.Label{{Span: f.Span, Key: "spec.flinkVersion", Text: "not a constant of the operator's"}},
			Help:    "write it as v1_20 or v2_0",
		}
		if err == nil {
			finding.Help = "write " + constant(v)
			finding.Edits = []advisor.Edit{{Span: f.Span, New: constant(v), Safe: true}}
		}
		r.Find(finding)
	case v.Before(firstSupported.Major, firstSupported.Minor):
		r.Find(advisor.Finding{
			Message:    fmt.Sprintf("operator 1.7 and newer refuse Flink %s", v),
			Confidence: advisor.Likely,
			Labels:     []advisor.Label{{Span: f.Span, Key: "spec.flinkVersion", Text: "gone since operator 1.7"}},
			Help:       "upgrade the job, or stay on operator 1.6",
		})
	}
}

// constant is how the operator spells a version: v1_20.
func constant(v version.Version) string { return fmt.Sprintf("v%d_%d", v.Major, v.Minor) }
