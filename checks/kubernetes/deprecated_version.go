package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed deprecated-version.md
var deprecatedVersionDoc string

// DeprecatedVersion finds Flink versions that the operator is about to drop.
var DeprecatedVersion = &advisor.Rule{
	ID:         "kubernetes/deprecated-version",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Hygiene,
	Confidence: advisor.Certain,
	Doc:        deprecatedVersionDoc,
	Check:      deprecatedVersion,
}

// deprecations are the operator releases that deprecated Flink versions (FlinkVersion).
var deprecations = []struct{ flink, operator string }{{"1.15", "1.10"}, {"1.16", "1.11"}, {"1.17", "1.13"}, {"1.18", "1.13"}}

func deprecatedVersion(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || !m.FlinkVersion.Known {
		return
	}
	v, err := version.Parse(m.FlinkVersion.V)
	if err != nil {
		return
	}
	for _, d := range deprecations {
		if d.flink == v.Line().String() {
			r.Find(advisor.Finding{
				Message: fmt.Sprintf("the operator deprecated Flink %s in its release %s and may drop it in any", d.flink, d.operator),
				Labels:  []advisor.Label{{Span: m.FlinkVersion.Span, Key: "spec.flinkVersion", Text: "deprecated"}},
				Help:    "plan the upgrade to 1.19 or newer before that of the operator",
			})
		}
	}
}
