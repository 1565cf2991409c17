package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
)

//go:embed memory-missing.md
var memoryMissingDoc string

// MemoryMissing finds processes for which the resource gives no memory.
var MemoryMissing = &advisor.Rule{
	ID:         "kubernetes/memory-missing",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Likely,
	Reads:      []string{keyTMProcessSize, keyJMProcessSize},
	Doc:        memoryMissingDoc,
	Check:      memoryMissing,
}

func memoryMissing(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || !whole(t, m) {
		return
	}
	configured := map[string]bool{"JobManager": t.JobManager.Configured, "TaskManager": t.TaskManager.Configured}
	for _, p := range processes(m) {
		if configured[p.name] || m.Has(p.field+".resource.memory") || m.Has(p.field+".resources.requests.memory") || m.Has(p.field+".resources.limits.memory") {
			continue
		}
		key := keyTMProcessSize
		if p.name == "JobManager" {
			key = keyJMProcessSize
		}
		r.Find(advisor.Finding{
			Subject: p.name,
			Message: fmt.Sprintf("the operator refuses a resource without memory for the %s", p.name),
			Labels:  []advisor.Label{at(m, carrier.Field{}, p.field+".resource.memory", "no memory for the "+p.name)},
			Notes:   []string{"the operator's own configuration may set it for every cluster"},
			Help:    fmt.Sprintf("set %s.resource.memory, or %s in flinkConfiguration", p.field, key),
		})
	}
}
