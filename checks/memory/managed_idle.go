package memory

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed managed-idle.md
var managedIdleDoc string

// ManagedIdle finds managed memory that nothing in the job can use: state on the heap, no SQL, no Python, no batch.
var ManagedIdle = &advisor.Rule{
	ID:         "memory/managed-idle",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Wasteful,
	Confidence: advisor.Likely,
	Reads:      []string{stateBackend, tmManaged, tmFraction},
	Facts:      []string{"job.api", "job.type"},
	Thresholds: []advisor.Threshold{
		{Name: "least-idle", Unit: budget.Bytes, Default: 128 * float64(quantity.MiB), Why: "moving less changes nothing that anybody notices"},
	},
	Doc:   managedIdleDoc,
	Check: managedIdle,
}

func managedIdle(t *advisor.Target, r *advisor.Report) {
	m := t.TaskManager
	b, set := backendOf(t)
	if !accepted(m) || b != heapBackend || float64(m.Managed.Bytes) < r.Threshold("least-idle") {
		return
	}
	if !set && t.Skipped(stateBackend) {
		return
	}
	api, kind := t.Job.Job.API, t.Job.Job.Type
	switch {
	case api.Known && api.V != "datastream", kind.Known && kind.V != "streaming":
		// SQL and batch operators sort and hash in managed memory, Python workers live in it.
		return
	case !api.Known:
		r.NotAssessed("job.api")
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("%s of managed memory lie idle: a DataStream job with its state on the heap has no use for them", m.Managed.Bytes.Pretty()),
		Labels:  mark(t, []string{tmManaged, tmFraction, stateBackend}, func(string) string { return "" }),
		Terms:   []budget.Term{term(m.Managed), term(m.TaskHeap)},
		Saves:   float64(m.Managed.Bytes),
		Help:    fmt.Sprintf("set %s to 0", tmManaged),
	}
	if l, ok := advisor.FactLabel(api, "job.api", ""); ok {
		f.Labels = append(f.Labels, l)
	}
	if !set {
		f.Confidence = advisor.Possible
		f.Notes = append(f.Notes, "the state backend is not configured, and Flink takes the heap; a program that sets RocksDB in its code does use managed memory")
	}
	if after := whatIf(t, quantity.Pair{Key: tmManaged, Value: "0"}); accepted(after) && after.TaskHeap.Bytes > m.TaskHeap.Bytes {
		f.Help += fmt.Sprintf(": the task heap goes from %s to %s", m.TaskHeap.Bytes.Pretty(), after.TaskHeap.Bytes.Pretty())
		f.Edits = []advisor.Edit{advisor.Set(tmManaged, "0", false)}
	}
	r.Find(f)
}
