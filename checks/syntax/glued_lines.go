package syntax

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed glued-lines.md
var gluedLinesDoc string

// GluedLines finds a setting in the middle of another line.
var GluedLines = &advisor.Rule{
	ID:         "syntax/glued-lines",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        gluedLinesDoc,
	Check:      each(conf.FaultGluedLines, gluedLines),
}

func gluedLines(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: "two settings stand on one line: the second is not read as one",
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "begins another setting"}},
		Notes:   []string{"this happens when something appends to a file that lacks a final line end"},
		Help:    "put a line end before it",
	}
}
