package syntax

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed retyped-scalar.md
var retypedScalarDoc string

// RetypedScalar finds scalars whose text YAML changes before a String option reads it.
var RetypedScalar = &advisor.Rule{
	ID:         "syntax/retyped-scalar",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        retypedScalarDoc,
	Check:      each(conf.FaultRetyped, retypedScalar),
}

func retypedScalar(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: fmt.Sprintf("YAML takes this value for a number: %s becomes %q", f.Key, f.Detail),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "a number to YAML"}},
		Help:    "put the value in quotes",
	}
}
