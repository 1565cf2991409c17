package memory

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed task-heap-too-small.md
var taskHeapTooSmallDoc string

// Below these a TaskManager starts and then runs out of heap with the first real job.
const (
	// minTaskHeap: Flink checks no minimum for a TaskManager; for the JobManager, which runs no user code, it warns below a heap of 128 MiB
	// (JobManagerOptions.MIN_JVM_HEAP_SIZE).
	minTaskHeap = 128 * quantity.MiB
	// minTaskHeapPerSlot: one Kafka consumer alone may hold a fetch of 50 MiB on the heap (its fetch.max.bytes).
	minTaskHeapPerSlot = 64 * quantity.MiB
)

// TaskHeapTooSmall finds TaskManagers that start with next to no heap for user code.
var TaskHeapTooSmall = &advisor.Rule{
	ID:         "memory/task-heap-too-small",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Likely,
	Reads:      []string{tmProcessSize, tmFlinkSize, tmTaskHeap, tmManaged, tmFraction, tmSlots},
	Doc:        taskHeapTooSmallDoc,
	Check:      taskHeapTooSmall,
}

// neededHeap is the task heap that we ask for.
func neededHeap(slots int) quantity.Bytes {
	return max(minTaskHeap, quantity.Bytes(slots)*minTaskHeapPerSlot)
}

// heapEnough allows for the bytes by which Flink's 32-bit fractions miss round figures.
func heapEnough(m *budget.TaskManager) bool {
	return m.TaskHeap.Bytes > neededHeap(max(m.Slots, 1))-quantity.MiB
}

func taskHeapTooSmall(t *advisor.Target, r *advisor.Report) {
	m := t.TaskManager
	if !accepted(m) || heapEnough(m) {
		return
	}
	if ageUnknown(t, m.ProcessSize, m.FlinkSize) {
		r.NotAssessed("flink")
		return
	}
	need := neededHeap(m.Slots)
	f := advisor.Finding{
		Message: fmt.Sprintf("user code gets %s of heap in a TaskManager of %s", m.TaskHeap.Bytes.Pretty(), m.ProcessSize.Bytes.Pretty()),
		Labels:  mark(t, []string{tmTaskHeap, tmProcessSize, tmFlinkSize, tmManaged, tmFraction}, func(string) string { return "" }),
		Terms:   append(terms(m.ProcessSize, m.JVMMetaspace, m.JVMOverhead, m.FrameworkHeap, m.FrameworkOffHeap, m.TaskOffHeap, m.Managed, m.Network), term(m.TaskHeap)),
		Beyond:  float64(need) / float64(max(m.TaskHeap.Bytes, 1)),
	}
	if m.Slots > 1 {
		f.Labels = append(f.Labels, mark(t, []string{tmSlots}, func(string) string { return "" })...)
		f.Message += fmt.Sprintf(" with %d slots", m.Slots)
	}
	if m.TaskHeap.Bytes >= minTaskHeap {
		// Slots share one heap, and not every slot runs a source.
		f.Severity = advisor.Advice
		f.Message += fmt.Sprintf(", %s for each", m.PerSlot.TaskHeap.Pretty())
	}
	f.Notes = []string{
		"Flink gives task heap what the other parts leave, and checks no minimum",
		fmt.Sprintf("the heap of the JVM has %s, with the part of Flink's own", (m.FrameworkHeap.Bytes + m.TaskHeap.Bytes).Pretty()),
	}
	a := moreHeap(t, m)
	f.Help, f.Edits = a.help, a.edits
	r.Find(f)
}

// moreHeap proposes the total that gives enough heap.
func moreHeap(t *advisor.Target, m *budget.TaskManager) advice {
	need := neededHeap(m.Slots)
	key, smallest := tmProcessSize, budget.SmallestProcessSize
	switch {
	case m.TaskHeap.By == budget.Configured:
		return advice{help: fmt.Sprintf("raise %s to %s at least", tmTaskHeap, need.Config())}
	case m.FlinkSize.By == budget.Configured:
		key, smallest = tmFlinkSize, budget.SmallestFlinkSize
	}
	size, ok := smallest(t.BudgetInput(), heapEnough)
	if !ok {
		return advice{help: "lower the other parts, or use fewer slots"}
	}
	size = size.CeilTo(adviceStep)
	others := "or lower managed memory"
	if m.Slots > 1 {
		others += ", or use fewer slots"
	}
	return advice{
		help:  fmt.Sprintf("raise %s to %s, which gives a task heap of %s at least; %s", key, size.Config(), need.Pretty(), others),
		edits: []advisor.Edit{advisor.Set(key, size.Config(), false)},
	}
}
