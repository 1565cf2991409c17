package syntax

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed encoding.md
var encodingDoc string

// Encoding finds text that is not UTF-8.
var Encoding = &advisor.Rule{
	ID:         "syntax/encoding",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Certain,
	Doc:        encodingDoc,
	Check:      each(conf.FaultEncoding, encoding),
}

func encoding(_ *advisor.Target, f conf.Fault) advisor.Finding {
	finding := advisor.Finding{
		Message: "the text is not UTF-8: what Flink reads depends on the charset of the machine",
		Labels:  []advisor.Label{{Span: f.Span, Text: "not UTF-8"}},
		Help:    "save the file as UTF-8",
	}
	if f.Fatal {
		finding.Severity, finding.Impact = advisor.Error, advisor.WontStart
		finding.Message = "the text is not UTF-8, and Flink does not load such a config.yaml"
	}
	return finding
}
