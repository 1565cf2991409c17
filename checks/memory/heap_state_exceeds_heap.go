package memory

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed heap-state-exceeds-heap.md
var heapStateDoc string

// objectForm is how much larger state is as Java objects than serialized: object headers, references and boxed values make it two to five
// times as large. We take the low end.
const objectForm = 2

// HeapStateExceedsHeap finds jobs whose state cannot be held by the heaps of their TaskManagers.
var HeapStateExceedsHeap = &advisor.Rule{
	ID:         "memory/heap-state-exceeds-heap",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.WillFail,
	Confidence: advisor.Likely,
	Reads:      []string{stateBackend, tmProcessSize, tmFlinkSize, tmTaskHeap, tmSlots},
	Facts:      []string{"state.size", "deployment.taskManagers", "job.parallelism"},
	Doc:        heapStateDoc,
	Check:      heapState,
}

func heapState(t *advisor.Target, r *advisor.Report) {
	m := t.TaskManager
	b, set := backendOf(t)
	if !accepted(m) || b != heapBackend {
		return
	}
	size := t.Job.State.Size
	if !size.Known {
		r.NotAssessed("state.size")
		return
	}
	n, from, ok := taskManagers(t)
	if !ok {
		r.NotAssessed("deployment.taskManagers")
		return
	}
	each := size.V / quantity.Bytes(n)
	if objectForm*each <= m.TaskHeap.Bytes {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("%s of state on each TaskManager are about %s of Java objects, and the task heap has %s",
			each.Pretty(), (objectForm * each).Pretty(), m.TaskHeap.Bytes.Pretty()),
		Labels: mark(t, []string{stateBackend, tmTaskHeap, tmProcessSize, tmFlinkSize}, func(string) string { return "" }),
		Terms: []budget.Term{
			{Name: "state", Value: float64(size.V), Unit: budget.Bytes, Origin: conf.Given, From: size.Origin(), Span: size.Span},
			{Name: "TaskManagers", Value: float64(n), Unit: budget.Count, Origin: conf.Given, From: from},
			{Name: "objects per serialized byte", Value: objectForm, Unit: budget.Count, Origin: conf.Assumed, From: "the low end of 2 to 5"},
			term(m.TaskHeap),
		},
		Beyond: float64(objectForm*each) / float64(max(m.TaskHeap.Bytes, 1)),
	}
	if l, ok := advisor.FactLabel(size, "state.size", ""); ok {
		f.Labels = append(f.Labels, l)
	}
	if each > m.TaskHeap.Bytes {
		f.Severity = advisor.Error
		f.Message = fmt.Sprintf("%s of state on each TaskManager do not fit into a task heap of %s, even serialized", each.Pretty(), m.TaskHeap.Bytes.Pretty())
	}
	if !set {
		f.Confidence = advisor.Possible
		f.Notes = append(f.Notes, "the state backend is not configured, and Flink takes the heap; a program may set another in its code")
	}
	f.Help = fmt.Sprintf("keep the state in RocksDB (%s: rocksdb), or use %d TaskManagers of this size", t.Conf.Name(stateBackend),
		(objectForm*size.V+max(m.TaskHeap.Bytes, 1)-1)/max(m.TaskHeap.Bytes, 1))
	r.Find(f)
}

// taskManagers is the number of TaskManagers: given, or as many as the slots for the job's parallelism need.
func taskManagers(t *advisor.Target) (n int, from string, ok bool) {
	if given := t.Job.Deployment.TaskManagers; given.Known && given.V > 0 {
		return given.V, given.Origin(), true
	}
	if p := t.Job.Job.Parallelism; p.Known && p.V > 0 && t.TaskManager.Slots > 0 {
		slots := t.TaskManager.Slots
		return (p.V + slots - 1) / slots, fmt.Sprintf("parallelism %d (%s) in %d slots each", p.V, p.Origin(), slots), true
	}
	return 0, "", false
}
