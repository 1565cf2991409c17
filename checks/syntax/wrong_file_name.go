package syntax

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed wrong-file-name.md
var wrongFileNameDoc string

// WrongFileName finds files that Flink of the version at hand does not look at (GlobalConfiguration.loadConfiguration).
var WrongFileName = &advisor.Rule{
	ID:         "syntax/wrong-file-name",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        wrongFileNameDoc,
	Check:      each(conf.FaultWrongFileName, wrongFileName),
}

func wrongFileName(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: "Flink does not look at this file: " + f.Detail,
		Labels:  []advisor.Label{{Span: f.Span}},
		Help:    "rename the file, or name the right version with --flink-version; the dialect changes with the name",
	}
}
