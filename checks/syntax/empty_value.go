package syntax

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed empty-value.md
var emptyValueDoc string

// EmptyValue finds keys without value: skipped in flink-conf.yaml, fatal in config.yaml.
var EmptyValue = &advisor.Rule{
	ID:         "syntax/empty-value",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        emptyValueDoc,
	Check:      each(conf.FaultEmptyValue, emptyValue),
}

func emptyValue(_ *advisor.Target, f conf.Fault) advisor.Finding {
	what := f.Key
	if what == "" {
		what = "this line"
	}
	if f.Fatal {
		return advisor.Finding{
			Severity: advisor.Error, Impact: advisor.WontStart,
			Message: fmt.Sprintf("%s has no value, and Flink does not start with a null in config.yaml", what),
			Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "null"}},
			Notes:   []string{`the loader stops with "Value must not be null."`},
			Help:    "give it a value, or remove or comment out the key",
		}
	}
	return advisor.Finding{
		Message: fmt.Sprintf("Flink skips %s: key or value is empty", what),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "not read"}},
		Notes:   []string{"the option keeps its default; Flink only writes a warning to its log"},
		Help:    "give it a value, or make the line a comment",
	}
}
