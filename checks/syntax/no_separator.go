package syntax

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed no-separator.md
var noSeparatorDoc string

// NoSeparator finds lines of flink-conf.yaml that Flink skips because they lack ": " (GlobalConfiguration.loadLegacyYAMLResource).
var NoSeparator = &advisor.Rule{
	ID:         "syntax/no-separator",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        noSeparatorDoc,
	Check:      each(conf.FaultNoSeparator, noSeparator),
}

func noSeparator(_ *advisor.Target, f conf.Fault) advisor.Finding {
	what := f.Key
	if what == "" {
		what = "this line"
	}
	finding := advisor.Finding{
		Message: fmt.Sprintf("Flink skips %s: there is no colon followed by a blank", what),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "not read"}},
		Notes:   []string{"Flink only writes a warning to its log and goes on as if the line were not there"},
		Help:    "write `key: value`, or make the line a comment",
	}
	if f.Key != "" && strings.HasPrefix(f.Span.Text(), f.Key+":") {
		finding.Message = fmt.Sprintf("Flink skips %s: the colon has no blank after it", f.Key)
		finding.Help = "put a blank after the colon"
	}
	return finding
}
