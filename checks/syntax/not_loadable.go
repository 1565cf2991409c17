package syntax

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed not-loadable.md
var notLoadableDoc string

// NotLoadable finds what makes the loader of config.yaml stop (YamlParserUtils).
var NotLoadable = &advisor.Rule{
	ID:         "syntax/not-loadable",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        notLoadableDoc,
	Check:      each(conf.FaultNotLoadable, notLoadable),
}

func notLoadable(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: "Flink does not start: it cannot load this config.yaml: " + f.Detail,
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "here"}},
		Notes:   []string{`the log says "Error parsing YAML configuration"`},
		Help:    "mend the YAML at this place; a value with special characters wants quotes",
	}
}
