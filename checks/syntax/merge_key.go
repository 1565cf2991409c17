package syntax

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed merge-key.md
var mergeKeyDoc string

// MergeKey finds YAML merge keys, which Flink does not merge.
var MergeKey = &advisor.Rule{
	ID:         "syntax/merge-key",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        mergeKeyDoc,
	Check:      each(conf.FaultMergeKey, mergeKey),
}

func mergeKey(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: "Flink's loader does not merge: what << refers to sets nothing here",
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "an ordinary key to Flink"}},
		Help:    "write the options out",
	}
}
