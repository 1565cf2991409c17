package syntax

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed nested-in-flat.md
var nestedInFlatDoc string

// NestedInFlat finds nested YAML in flink-conf.yaml, which sets wrong keys.
var NestedInFlat = &advisor.Rule{
	ID:         "syntax/nested-in-flat",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        nestedInFlatDoc,
	Check:      each(conf.FaultNestedInFlat, nestedInFlat),
}

func nestedInFlat(_ *advisor.Target, f conf.Fault) advisor.Finding {
	meant := ""
	if f.Detail != "" {
		meant = fmt.Sprintf(", such as `%s: …`", f.Detail)
	}
	return advisor.Finding{
		Message: fmt.Sprintf("flink-conf.yaml has no nesting: the block below %s sets nothing", strings.TrimSuffix(f.Span.Text(), ":")),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "skipped, and the lines below are read as keys of their own"}},
		Notes:   []string{"nested YAML is read from config.yaml alone, by Flink 1.19 and newer"},
		Help:    "write each option on a line of its own with its whole key" + meant,
	}
}
