package memory

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed jobmanager-heap-small.md
var jobManagerHeapSmallDoc string

// minJobManagerHeap is JobManagerOptions.MIN_JVM_HEAP_SIZE: below it Flink itself warns.
const minJobManagerHeap = 128 * quantity.MiB

// JobManagerHeapSmall finds JobManagers whose heap is below what Flink recommends as a minimum.
var JobManagerHeapSmall = &advisor.Rule{
	ID:         "memory/jobmanager-heap-small",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.WillFail,
	Confidence: advisor.Likely,
	Reads:      []string{jmProcessSize, jmFlinkSize, jmHeap, "jobmanager.memory.off-heap.size"},
	Doc:        jobManagerHeapSmallDoc,
	Check:      jobManagerHeapSmall,
}

func jobManagerHeapEnough(j *budget.JobManager) bool { return j.Heap.Bytes >= minJobManagerHeap }

func jobManagerHeapSmall(t *advisor.Target, r *advisor.Report) {
	j := t.JobManager
	if t.Version.Before(1, 11) || len(j.Refusals) > 0 || !j.Heap.Known || jobManagerHeapEnough(j) {
		return
	}
	if ageUnknown(t, j.ProcessSize, j.Heap) {
		r.NotAssessed("flink")
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("the JobManager's heap has %s, less than the minimum that Flink recommends, %s", j.Heap.Bytes.Pretty(), minJobManagerHeap.Pretty()),
		Labels:  mark(t, []string{j.Heap.Key, jmProcessSize, jmFlinkSize}, func(string) string { return "" }),
		Terms:   append(terms(j.ProcessSize, j.JVMMetaspace, j.JVMOverhead, j.OffHeap), term(j.Heap)),
		Beyond:  float64(minJobManagerHeap) / float64(max(j.Heap.Bytes, 1)),
		Help:    "raise it; Flink's own default file gives the JobManager a process size of 1600m, which is a heap of 1 GiB",
	}
	key, smallest := jmProcessSize, budget.SmallestJobManagerProcessSize
	switch {
	case j.Heap.By == budget.Configured:
		r.Find(f)
		return
	case j.FlinkSize.By == budget.Configured:
		key, smallest = jmFlinkSize, budget.SmallestJobManagerFlinkSize
	}
	if size, ok := smallest(t.BudgetInput(), jobManagerHeapEnough); ok {
		size = size.CeilTo(adviceStep)
		f.Help = fmt.Sprintf("raise %s to %s at least; Flink's own default file gives the JobManager a process size of 1600m, which is a heap of 1 GiB", key, size.Config())
		f.Edits = []advisor.Edit{advisor.Set(key, size.Config(), false)}
	}
	r.Find(f)
}
