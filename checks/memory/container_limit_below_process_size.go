package memory

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed container-limit-below-process-size.md
var containerLimitDoc string

// ContainerLimitBelowProcessSize finds containers that are smaller than the process that Flink sizes for them.
var ContainerLimitBelowProcessSize = &advisor.Rule{
	ID:         "memory/container-limit-below-process-size",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WillFail,
	Confidence: advisor.Likely,
	Reads:      []string{tmProcessSize, tmFlinkSize, jmProcessSize, jmFlinkSize, jmHeap, "jobmanager.heap.size", "jobmanager.heap.mb"},
	Facts:      []string{"taskManager.containerMemory", "jobManager.containerMemory"},
	Doc:        containerLimitDoc,
	Check:      containerLimit,
}

func containerLimit(t *advisor.Target, r *advisor.Report) {
	if m := t.TaskManager; accepted(m) {
		limit := t.Job.TaskManager.ContainerMemory
		switch {
		case limit.Known:
			tooSmallContainer(t, r, "TaskManager", "taskManager.containerMemory", limit, m.ProcessSize, m.FlinkSize)
		case t.Deployment == budget.Standalone:
			r.NotAssessed("taskManager.containerMemory")
		}
	}
	if j := t.JobManager; len(j.Refusals) == 0 && j.ProcessSize.Known {
		limit := t.Job.JobManager.ContainerMemory
		switch {
		case limit.Known:
			tooSmallContainer(t, r, "JobManager", "jobManager.containerMemory", limit, j.ProcessSize, j.FlinkSize)
		case j.Container.Known && j.ProcessSize.Bytes-j.Container.Memory >= quantity.MiB:
			r.Find(legacyPod(t, j))
		case t.Deployment == budget.Standalone:
			r.NotAssessed("jobManager.containerMemory")
		}
	}
}

// tooSmallContainer compares a process with its container. Flink rounds a pod's size down to whole MiB, so less than one MiB is no matter.
func tooSmallContainer(t *advisor.Target, r *advisor.Report, process, fact string, limit job.Fact[quantity.Bytes], size, flink budget.Part) {
	over := size.Bytes - limit.V
	if over < quantity.MiB {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("the %s may use %s, but its container has %s", process, size.Bytes.Pretty(), limit.V.Pretty()),
		Labels:  mark(t, []string{size.Key, flink.Key}, func(string) string { return over.Pretty() + " above the container's memory" }),
		Terms: []budget.Term{
			term(size),
			{Name: "container memory", Value: float64(limit.V), Unit: budget.Bytes, Origin: conf.Given, From: limit.Origin(), Span: limit.Span},
		},
		Notes:  []string{"the kernel kills the container without a Java error once the process has used up what it has (exit code 137, OOMKilled)"},
		Beyond: float64(size.Bytes) / float64(max(limit.V, 1)),
	}
	if l, ok := advisor.FactLabel(limit, fact, "this is all there is"); ok {
		f.Labels = append(f.Labels, l)
	}
	key, other := tmProcessSize, tmFlinkSize
	enough := func() bool { return fits(budget.TaskManagerWithProcessSize(t.BudgetInput(), limit.V)) }
	if process == "JobManager" {
		key, other = jmProcessSize, jmFlinkSize
		enough = func() bool {
			j := budget.JobManagerWithProcessSize(t.BudgetInput(), limit.V)
			return len(j.Refusals) == 0 && jobManagerHeapEnough(j)
		}
	}
	f.Help = fmt.Sprintf("give the container %d MiB, or size the process by its container: %s: %s", size.Bytes.CeilTo(quantity.MiB).Mebibytes(), key, limit.V.Config())
	if t.Conf.Memory(other).Set() {
		f.Help += " in place of " + other
	}
	if enough() {
		f.Edits = []advisor.Edit{advisor.Set(key, limit.V.Config(), false)}
		if t.Conf.Memory(other).Set() {
			f.Edits = append(f.Edits, advisor.Unset(other, false))
		}
	}
	r.Find(f)
}

// legacyPod is a JobManager on native Kubernetes that is sized by jobmanager.heap.size: the client reads it as the pod's size, and the
// scripts in the pod as the heap, to which the rest is added.
func legacyPod(t *advisor.Target, j *budget.JobManager) advisor.Finding {
	return advisor.Finding{
		Message: fmt.Sprintf("the JobManager's pod has %s, but its process may use %s", j.Container.Memory.Pretty(), j.ProcessSize.Bytes.Pretty()),
		Labels:  mark(t, []string{j.Heap.Key}, func(string) string { return "the pod's size for the client, the heap alone in the pod" }),
		Terms:   terms(j.Heap, j.OffHeap, j.JVMMetaspace, j.JVMOverhead, j.ProcessSize),
		Notes:   []string{"Flink 1.13 to 1.20 read " + j.Heap.Key + " in these two ways on native Kubernetes"},
		Help:    fmt.Sprintf("write %s: %s in its place", jmProcessSize, j.ProcessSize.Bytes.CeilTo(quantity.MiB).Config()),
		Beyond:  float64(j.ProcessSize.Bytes) / float64(max(j.Container.Memory, 1)),
		Edits: []advisor.Edit{
			advisor.Set(jmProcessSize, j.ProcessSize.Bytes.CeilTo(quantity.MiB).Config(), false), advisor.Unset(j.Heap.Key, false),
		},
	}
}
