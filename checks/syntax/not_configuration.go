package syntax

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed not-configuration.md
var notConfigurationDoc string

// NotConfiguration finds texts that are something else.
var NotConfiguration = &advisor.Rule{
	ID:         "syntax/not-configuration",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        notConfigurationDoc,
	Check:      each(conf.FaultNotConfiguration, notConfiguration),
}

func notConfiguration(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: "this does not look like a Flink configuration: Flink would skip most of its lines",
		Labels:  []advisor.Label{{Span: f.Span}},
		Help:    "name the configuration file; --dialect forces a way of reading it",
	}
}
