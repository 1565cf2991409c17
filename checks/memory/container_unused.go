package memory

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed container-unused.md
var containerUnusedDoc string

// ContainerUnused finds containers of which Flink uses only a part, because it was never told their size.
var ContainerUnused = &advisor.Rule{
	ID:         "memory/container-unused",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Wasteful,
	Confidence: advisor.Possible,
	Reads:      []string{tmProcessSize, tmFlinkSize, stateBackend},
	Facts:      []string{"taskManager.containerMemory"},
	Thresholds: []advisor.Threshold{
		{Name: "ratio", Unit: budget.Count, Default: 1.5, Why: "a container half as large again as its process is more than headroom"},
		{Name: "least-unused", Unit: budget.Bytes, Default: 2 * float64(quantity.GiB), Why: "less may be meant as headroom"},
	},
	Doc:   containerUnusedDoc,
	Check: containerUnused,
}

func containerUnused(t *advisor.Target, r *advisor.Report) {
	m, limit := t.TaskManager, t.Job.TaskManager.ContainerMemory
	if !accepted(m) || !limit.Known {
		return
	}
	// RocksDB reads its files through the page cache, which lives in what the process leaves of the container.
	if b, _ := backendOf(t); b == rocksDB || b == forSt {
		return
	}
	unused := limit.V - m.ProcessSize.Bytes
	if float64(unused) < r.Threshold("least-unused") || float64(limit.V) < r.Threshold("ratio")*float64(m.ProcessSize.Bytes) {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("%s of the container's %s are never used: the TaskManager is sized at %s", unused.Pretty(), limit.V.Pretty(), m.ProcessSize.Bytes.Pretty()),
		Labels:  mark(t, []string{m.ProcessSize.Key, m.FlinkSize.Key}, func(string) string { return "" }),
		Terms: []budget.Term{
			{Name: "container memory", Value: float64(limit.V), Unit: budget.Bytes, Origin: conf.Given, From: limit.Origin(), Span: limit.Span},
			term(m.ProcessSize),
		},
		Saves: float64(unused),
		Help:  fmt.Sprintf("set %s to %s, or make the container smaller", tmProcessSize, limit.V.Config()),
	}
	if l, ok := advisor.FactLabel(limit, "taskManager.containerMemory", ""); ok {
		f.Labels = append(f.Labels, l)
	}
	r.Find(f)
}
