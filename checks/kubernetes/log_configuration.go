package kubernetes

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
)

//go:embed log-configuration.md
var logConfigurationDoc string

// LogConfiguration finds log files that the operator refuses.
var LogConfiguration = &advisor.Rule{
	ID:         "kubernetes/log-configuration",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        logConfigurationDoc,
	Check:      logConfiguration,
}

// Names of the files that the operator ships to the pods.
const log4j, logback = "log4j-console.properties", "logback-console.xml"

func logConfiguration(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil {
		return
	}
	for _, f := range m.LogFiles {
		if !f.Known || f.V == log4j || f.V == logback {
			continue
		}
		finding := advisor.Finding{
			Message: fmt.Sprintf("the operator refuses %s in logConfiguration", f.V),
			Labels:  []advisor.Label{{Span: f.Span, Key: "spec.logConfiguration", Text: "not a file that Flink's pods read"}},
			Help:    fmt.Sprintf("use %s or %s", log4j, logback),
		}
		if name := log4j; strings.HasPrefix(f.V, "log4j") && !slices.ContainsFunc(m.LogFiles, func(o carrier.Field) bool { return o.V == name }) {
			finding.Help = "call it " + name
			finding.Edits = []advisor.Edit{{Span: f.Span, New: name, Safe: true}}
		}
		r.Find(finding)
	}
}
