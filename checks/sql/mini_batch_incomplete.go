package sql

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed mini-batch-incomplete.md
var miniBatchIncompleteDoc string

// MiniBatchIncomplete finds mini-batch that is on without latency or size.
var MiniBatchIncomplete = &advisor.Rule{
	ID:         "sql/mini-batch-incomplete",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WillFail,
	Confidence: advisor.Certain,
	Reads:      []string{keyMiniBatch, keyLatency, keySize},
	Facts:      []string{"job.type"},
	Doc:        miniBatchIncompleteDoc,
	Check:      miniBatchIncomplete,
}

func miniBatchIncomplete(t *advisor.Target, r *advisor.Report) {
	on := t.Conf.Bool(keyMiniBatch)
	// Before 1.15 the Table API did not read the cluster's configuration.
	if !on.Set() || !on.Has || !on.V || t.Batch() || t.Version.Before(1, 15) {
		return
	}
	var missing []string
	latency, size := t.Conf.Duration(keyLatency), t.Conf.Long(keySize)
	if latency.Has && latency.V.IsZero() {
		missing = append(missing, latency.Key)
	}
	if size.Has && size.V <= 0 {
		missing = append(missing, size.Key)
	}
	if len(missing) == 0 {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("mini-batch is on without %s: queries with an aggregation are refused", strings.Join(missing, " and ")),
		Labels:  t.Labels(keyMiniBatch, "on", keyLatency, "0", keySize, "not above 0"),
		Notes:   []string{"the planner wants both above 0 for every operator that collects records (aggregations, joins, deduplication); neither has a default that works"},
		Help:    fmt.Sprintf("set %s to how long a result may wait (such as 5 s) and %s to the records that fit the heap (such as 5000)", latency.Key, size.Key),
	})
}
