package sql

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed two-phase-without-mini-batch.md
var twoPhaseDoc string

// TwoPhaseWithoutMiniBatch finds two-phase aggregation that cannot happen.
var TwoPhaseWithoutMiniBatch = &advisor.Rule{
	ID:         "sql/two-phase-without-mini-batch",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Reads:      []string{keyPhases, keyMiniBatch},
	Facts:      []string{"job.type"},
	Doc:        twoPhaseDoc,
	Check:      twoPhaseWithoutMiniBatch,
}

func twoPhaseWithoutMiniBatch(t *advisor.Target, r *advisor.Report) {
	phases, on := t.Conf.String(keyPhases), t.Conf.Bool(keyMiniBatch)
	if !phases.Set() || !phases.Has || !strings.EqualFold(phases.V, "TWO_PHASE") || !on.Has || on.V || t.Batch() || t.Version.Before(1, 15) {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%s has no effect on group aggregations while mini-batch is off", phases.Key),
		Labels:  t.Labels(keyPhases, "needs mini-batch", keyMiniBatch, "off"),
		Notes:   []string{"the local phase collects records in mini-batches; only window aggregations have two phases without them"},
		Help:    fmt.Sprintf("set %s with %s and %s, or remove it", on.Key, keyLatency, keySize),
	})
}
