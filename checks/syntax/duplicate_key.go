package syntax

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed duplicate-key.md
var duplicateKeyDoc string

// DuplicateKey finds a key that stands twice: the later wins in flink-conf.yaml, config.yaml is refused.
var DuplicateKey = &advisor.Rule{
	ID:         "syntax/duplicate-key",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        duplicateKeyDoc,
	Check:      each(conf.FaultDuplicateKey, duplicateKey),
}

func duplicateKey(_ *advisor.Target, f conf.Fault) advisor.Finding {
	finding := advisor.Finding{
		Message: fmt.Sprintf("%s is set twice; Flink takes the later one", f.Key),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "this one counts"}, {Span: f.Related, Key: f.Key, Text: "this one does not"}},
		Help:    "remove the one that is not meant",
	}
	if f.Fatal {
		finding.Severity, finding.Impact = advisor.Error, advisor.WontStart
		finding.Message = fmt.Sprintf("%s stands twice, and Flink does not load such a file", f.Key)
		finding.Labels[0].Text, finding.Labels[1].Text = "again", "first"
	}
	return finding
}
