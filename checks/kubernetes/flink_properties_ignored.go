package kubernetes

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed flink-properties-ignored.md
var flinkPropertiesIgnoredDoc string

// FlinkPropertiesIgnored finds FLINK_PROPERTIES in pods whose configuration file cannot be written.
var FlinkPropertiesIgnored = &advisor.Rule{
	ID:         "kubernetes/flink-properties-ignored",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Doc:        flinkPropertiesIgnoredDoc,
	Check:      flinkPropertiesIgnored,
}

func flinkPropertiesIgnored(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil {
		return
	}
	for _, p := range podTemplates(m) {
		c := p.template.MainContainer()
		if c == nil {
			continue
		}
		for _, e := range c.Env {
			if e.Name.V != "FLINK_PROPERTIES" {
				continue
			}
			r.Find(advisor.Finding{
				Message: "FLINK_PROPERTIES has no effect in a pod of the operator: its configuration file is mounted read-only",
				Labels:  []advisor.Label{{Span: e.Name.Span, Key: p.field, Text: "not read"}},
				Notes:   []string{"the image's entrypoint adds the variable to the file in conf/, fails to, and starts Flink all the same"},
				Help:    "put the options into spec.flinkConfiguration",
			})
		}
	}
}
