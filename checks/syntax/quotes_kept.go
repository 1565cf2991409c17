package syntax

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed quotes-kept.md
var quotesKeptDoc string

// QuotesKept finds quoted values of flink-conf.yaml, whose quotes Flink keeps.
var QuotesKept = &advisor.Rule{
	ID:         "syntax/quotes-kept",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        quotesKeptDoc,
	Check:      each(conf.FaultQuotesKept, quotesKept),
}

func quotesKept(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: fmt.Sprintf("the quotes become part of the value of %s", f.Key),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "read with its quotes"}},
		Notes:   []string{"flink-conf.yaml looks like YAML and is read line by line, without YAML's quoting"},
		Help:    "remove the quotes",
	}
}
