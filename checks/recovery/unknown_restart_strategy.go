package recovery

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed unknown-restart-strategy.md
var unknownRestartStrategyDoc string

// UnknownRestartStrategy finds names of restart strategies that Flink does not have.
var UnknownRestartStrategy = &advisor.Rule{
	ID:         "recovery/unknown-restart-strategy",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyStrategy},
	Doc:        unknownRestartStrategyDoc,
	Check:      unknownRestartStrategy,
}

func unknownRestartStrategy(t *advisor.Target, r *advisor.Report) {
	kind, ok := strategyOf(t)
	v := t.Conf.String(keyStrategy)
	if !ok || kind != "" && (kind != exponentialDelay || t.Version.AtLeast(1, 13)) {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("Flink has no restart strategy %q, and refuses every job", v.V),
		Labels:  t.Labels(keyStrategy, "unknown"),
		Help:    "use one of none, fixed-delay, failure-rate, exponential-delay",
	}
	switch {
	case kind == exponentialDelay:
		f.Notes = []string{"exponential-delay exists since Flink 1.13"}
		f.Help = "use one of none, fixed-delay, failure-rate"
	case strings.Trim(v.V, ` "'`) != v.V:
		f.Notes = []string{"quotes and blanks are part of the name here"}
	}
	r.Find(f)
}
