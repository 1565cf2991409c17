package recovery

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed unused-restart-options.md
var unusedRestartOptionsDoc string

// UnusedRestartOptions finds options of restart strategies where none is chosen.
var UnusedRestartOptions = &advisor.Rule{
	ID:         "recovery/unused-restart-options",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Reads:      []string{keyStrategy, keyAttempts, keyFixedDelay, keyMaxFailures, keyRateInterval, keyRateDelay},
	Doc:        unusedRestartOptionsDoc,
	Check:      unusedRestartOptions,
}

func unusedRestartOptions(t *advisor.Target, r *advisor.Report) {
	strategy := t.Conf.String(keyStrategy)
	if strategy.Set() {
		return // option/no-effect compares the options with the strategy that is set
	}
	for _, s := range strategies[1:] {
		entries := t.Conf.Prefixed("restart-strategy." + s.kind + ".")
		if len(entries) == 0 {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("the options of %s have no effect: %s is not set", s.kind, strategy.Key),
			Labels:  labelsOf(entries),
			Notes:   []string{fallback(t)},
			Help:    fmt.Sprintf("set %s: %s", strategy.Key, s.kind),
			Edits:   []advisor.Edit{advisor.Set(keyStrategy, s.kind, false)},
		}
		if !t.VersionAssumed && s.kind == defaultStrategy(t) {
			f.Notes = append(f.Notes, "the default strategy of the same name does not read them either: it runs with Flink's default values")
		}
		r.Find(f)
	}
}

func labelsOf(entries []*conf.Entry) []advisor.Label {
	var out []advisor.Label
	for _, e := range entries {
		if e.KeySpan.Valid() {
			out = append(out, advisor.Label{Span: e.KeySpan, Key: e.Key, Text: "no effect"})
		}
	}
	return out
}

// defaultStrategy is what Flink uses with checkpoints and without a strategy.
func defaultStrategy(t *advisor.Target) string {
	if t.Version.AtLeast(1, 19) {
		return exponentialDelay
	}
	return fixedDelay
}

// fallback says what happens without a strategy.
func fallback(t *advisor.Target) string {
	if t.VersionAssumed {
		return "without a strategy a job with checkpoints restarts without limit, with delays of its own; a job without checkpoints does not restart"
	}
	if t.Version.AtLeast(1, 19) {
		return "without a strategy a job with checkpoints restarts with growing delays and no limit; a job without checkpoints does not restart"
	}
	return "without a strategy a job with checkpoints restarts every second without limit; a job without checkpoints does not restart"
}
