package syntax

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed cut-by-hash.md
var cutByHashDoc string

// CutByHash finds values of flink-conf.yaml that a "#" cuts (GlobalConfiguration.loadLegacyYAMLResource).
var CutByHash = &advisor.Rule{
	ID:         "syntax/cut-by-hash",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        cutByHashDoc,
	Check:      each(conf.FaultCutByHash, cutByHash),
}

func cutByHash(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: fmt.Sprintf("the value of %s ends at the #: Flink takes the rest of the line for a comment", f.Key),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "not read"}},
		Notes:   []string{"flink-conf.yaml has no way to quote or escape a #"},
		Help:    "pass the value as -D or in config.yaml (Flink 1.19 and newer), or put a blank before the # if a comment is meant",
	}
}
