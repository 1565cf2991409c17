package memory

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed not-configured.md
var notConfiguredDoc string

// NotConfigured finds configurations without any of the sizes that Flink requires.
var NotConfigured = &advisor.Rule{
	ID:         "memory/not-configured",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Likely,
	Reads: []string{
		tmProcessSize, tmFlinkSize, tmTaskHeap, tmManaged, jmProcessSize, jmFlinkSize, jmHeap,
		"taskmanager.heap.size", "taskmanager.heap.mb", "jobmanager.heap.size", "jobmanager.heap.mb",
	},
	Facts: []string{"deployment.target"},
	Doc:   notConfiguredDoc,
	Check: notConfigured,
}

// Sizes that Flink's own default configuration file has (1.11 and newer).
const (
	shippedTaskManager = "1728m"
	shippedJobManager  = "1600m"
)

func notConfigured(t *advisor.Target, r *advisor.Report) {
	tm, jm := !t.TaskManager.Configured, !t.JobManager.Configured
	if !tm && !jm || sizedElsewhere(t) {
		return
	}
	if !meantFor(t, tm, jm) {
		r.NotAssessed(missing(tm, jm)...)
		return
	}
	var removed []advisor.Label
	for _, key := range legacyHeaps {
		if e := t.Conf.Entry(key); e != nil {
			if t.VersionAssumed {
				// Flink before 2.0 reads the old options, and nothing says which version this is for.
				r.NotAssessed("flink")
				return
			}
			removed = append(removed, advisor.Label{Span: e.ValueSpan, Key: key, Text: "not read by Flink " + t.Version.Line().String()})
		}
	}
	f := advisor.Finding{Labels: removed}
	switch {
	case tm && jm:
		f.Message = "no size is configured for TaskManager and JobManager, and Flink does not start without"
		f.Help = fmt.Sprintf("set %s and %s; Flink's own default file has %s and %s", tmProcessSize, jmProcessSize, shippedTaskManager, shippedJobManager)
		f.Edits = []advisor.Edit{advisor.Set(tmProcessSize, shippedTaskManager, false), advisor.Set(jmProcessSize, shippedJobManager, false)}
	case tm:
		f.Message = t.TaskManager.Refusals[indexOf(t.TaskManager.Refusals, "F1")].Message
		f.Help = fmt.Sprintf("set %s; Flink's own default file has %s", tmProcessSize, shippedTaskManager)
		f.Edits = []advisor.Edit{advisor.Set(tmProcessSize, shippedTaskManager, false)}
		if len(removed) == 0 {
			f.Labels = mark(t, []string{tmTaskHeap, tmManaged}, func(string) string { return "alone, this is not enough" })
		}
	default:
		f.Message = t.JobManager.Refusals[indexOf(t.JobManager.Refusals, "F1")].Message
		f.Help = fmt.Sprintf("set %s; Flink's own default file has %s", jmProcessSize, shippedJobManager)
		f.Edits = []advisor.Edit{advisor.Set(jmProcessSize, shippedJobManager, false)}
	}
	f.Notes = []string{"a file that is laid over another one, as FLINK_PROPERTIES is over the image's own, may leave them out"}
	r.Find(f)
}

// sizedElsewhere tells that the sizes need not stand in the configuration: a managed service has its own, and the Kubernetes operator takes them
// from spec.taskManager.resource and spec.jobManager.resource; a fragment is laid over another configuration.
func sizedElsewhere(t *advisor.Target) bool {
	return t.Partial() || slices.Contains([]string{"managed", "kubernetes-operator"}, t.Job.Deployment.Target.V)
}

// meantFor tells whether the configuration is that of the processes whose size is missing, and whole. Many files are not: they are laid over another one,
// they are that of one process only, or the sizes come from the command line, as on YARN and native Kubernetes. Flink's own file has
// the JobManager's address and the slots of the TaskManager; a file for one process lacks those of the other.
func meantFor(t *advisor.Target, tm, jm bool) bool {
	if t.Deployment != budget.Standalone || len(t.Conf.Prefixed("kubernetes.")) > 0 || len(t.Conf.Prefixed("yarn.")) > 0 {
		return false
	}
	address := t.Conf.Entry("jobmanager.rpc.address") != nil
	jobManager := slices.ContainsFunc(t.Conf.Prefixed("jobmanager."), func(e *conf.Entry) bool { return !strings.HasPrefix(e.Key, "jobmanager.rpc.") })
	taskManager := slices.ContainsFunc([]string{tmSlots, "taskmanager.bind-host", "taskmanager.heap.size", "taskmanager.heap.mb"}, func(key string) bool {
		return t.Conf.Entry(key) != nil
	}) || len(t.Conf.Prefixed("taskmanager.memory.")) > 0
	switch {
	case tm && jm:
		return (address || jobManager) && taskManager
	case tm:
		return taskManager
	}
	return jobManager
}

// missing are the options that would answer.
func missing(tm, jm bool) []string {
	var keys []string
	if tm {
		keys = append(keys, tmProcessSize)
	}
	if jm {
		keys = append(keys, jmProcessSize)
	}
	return keys
}

// indexOf finds the refusal with an id.
func indexOf(refusals []budget.Refusal, id string) int {
	for i, r := range refusals {
		if r.ID == id {
			return i
		}
	}
	return 0
}
