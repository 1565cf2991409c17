package memory

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed does-not-fit.md
var doesNotFitDoc string

// DoesNotFit finds memory configurations that Flink refuses to start with, every refusal and not only the one that Flink reports.
var DoesNotFit = &advisor.Rule{
	ID:         "memory/does-not-fit",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads: []string{
		tmProcessSize, tmFlinkSize, tmTaskHeap, tmManaged, tmFraction, "taskmanager.memory.task.off-heap.size",
		"taskmanager.memory.framework.heap.size", "taskmanager.memory.framework.off-heap.size", "taskmanager.memory.network.min",
		"taskmanager.memory.network.max", "taskmanager.memory.network.fraction", "taskmanager.memory.jvm-metaspace.size",
		"taskmanager.memory.jvm-overhead.min", "taskmanager.memory.jvm-overhead.max", "taskmanager.memory.jvm-overhead.fraction",
		"taskmanager.memory.segment-size", tmSlots, "taskmanager.cpu.cores", "taskmanager.network.numberOfBuffers",
		"taskmanager.heap.size", "taskmanager.heap.mb", "kubernetes.taskmanager.cpu.amount", "yarn.containers.vcores",
		jmProcessSize, jmFlinkSize, jmHeap, "jobmanager.memory.off-heap.size", "jobmanager.memory.jvm-metaspace.size",
		"jobmanager.memory.jvm-overhead.min", "jobmanager.memory.jvm-overhead.max", "jobmanager.memory.jvm-overhead.fraction",
		"jobmanager.heap.size", "jobmanager.heap.mb",
	},
	Facts: []string{"deployment.target"},
	Doc:   doesNotFitDoc,
	Check: doesNotFit,
}

func doesNotFit(t *advisor.Target, r *advisor.Report) {
	m, j := t.TaskManager, t.JobManager
	for i, refusal := range m.Refusals {
		switch {
		case refusal.ID == "F1":
		case ageUnknown(t, m.ProcessSize, m.FlinkSize):
			r.NotAssessed("flink")
		default:
			r.Find(refused(t, "TaskManager", i, refusal, taskManagerHelp(t, refusal)))
		}
	}
	for i, refusal := range j.Refusals {
		switch {
		case refusal.ID == "F1":
		case ageUnknown(t, j.ProcessSize, j.Heap):
			r.NotAssessed("flink")
		default:
			r.Find(refused(t, "JobManager", i, refusal, jobManagerHelp(t, refusal)))
		}
	}
}

// fits tells whether Flink takes the memory and leaves a task heap to work with.
func fits(m *budget.TaskManager) bool { return accepted(m) && heapEnough(m) }

// advice is what to do about a refusal.
type advice struct {
	help  string
	edits []advisor.Edit
}

// refused makes a refusal a finding. Flink reports only the first of them.
func refused(t *advisor.Target, process string, i int, refusal budget.Refusal, a advice) advisor.Finding {
	f := advisor.Finding{
		Confidence: sure(t),
		Message:    fmt.Sprintf("the %s does not start: %s", process, refusal.Message),
		Labels:     mark(t, refusal.Keys, func(key string) string { return labelText(refusal, key) }),
		Terms:      slices.DeleteFunc(slices.Clone(refusal.Terms), func(x budget.Term) bool { return x.Value == 0 }),
		Help:       a.help,
		Edits:      a.edits,
	}
	if refusal.Have > 0 {
		f.Beyond = float64(refusal.Need) / float64(refusal.Have)
	}
	if i == 0 {
		text := refusal.Flink
		if !strings.HasSuffix(text, ".") {
			text = strings.TrimSpace(text) + "…"
		}
		f.Notes = append(f.Notes, fmt.Sprintf("Flink stops with %q", text))
	}
	// A value that cannot be read is option/invalid-value's matter when that rule runs.
	if refusal.ID == "F2" || refusal.ID == "F14" {
		f.CausedBy = []string{"option/invalid-value"}
	}
	return f
}

// labelText says at an option what it has to do with the refusal.
func labelText(refusal budget.Refusal, key string) string {
	if len(refusal.Keys) > 0 && key == refusal.Keys[0] && refusal.Shortage() > 1 {
		return "short by " + refusal.Shortage().Pretty()
	}
	return ""
}

func taskManagerHelp(t *advisor.Target, refusal budget.Refusal) advice {
	in := t.BudgetInput()
	switch refusal.ID {
	case "F5", "F6", "F7", "F9":
		if a, ok := frameworkHeap(t); ok && refusal.ID != "F5" {
			return a
		}
		switch {
		case refusal.ID == "F9":
			return oneTotal(t, tmProcessSize, tmFlinkSize, t.TaskManager.ProcessSize.Bytes)
		case t.Conf.Memory(tmTaskHeap).Set() && t.Conf.Memory(tmManaged).Set():
			return advice{help: fmt.Sprintf("raise %s, or lower %s or %s", tmFlinkSize, tmTaskHeap, tmManaged)}
		case t.TaskManager.FlinkSize.By == budget.Configured:
			if a, ok := bareNumber(t, tmFlinkSize, func(s quantity.Bytes) bool { return fits(budget.TaskManagerWithFlinkSize(in, s)) }); ok {
				return a
			}
			return raise(tmFlinkSize, func(enough func(*budget.TaskManager) bool) (quantity.Bytes, bool) {
				return budget.SmallestFlinkSize(in, enough)
			})
		}
		if a, ok := bareNumber(t, tmProcessSize, func(s quantity.Bytes) bool { return fits(budget.TaskManagerWithProcessSize(in, s)) }); ok {
			return a
		}
		return raise(tmProcessSize, func(enough func(*budget.TaskManager) bool) (quantity.Bytes, bool) {
			return budget.SmallestProcessSize(in, enough)
		})
	case "F10":
		return oneTotal(t, tmProcessSize, tmFlinkSize, t.TaskManager.ProcessSize.Bytes)
	case "F11":
		return advice{help: "remove taskmanager.network.numberOfBuffers; network memory is what the other sizes leave", edits: []advisor.Edit{advisor.Unset("taskmanager.network.numberOfBuffers", false)}}
	case "F12":
		return advice{help: fmt.Sprintf("remove %s, so that network memory keeps its own share, or move the limit", tmTaskHeap)}
	}
	return commonHelp(refusal)
}

// defaultFrameworkHeap is TaskManagerOptions.FRAMEWORK_HEAP_MEMORY's default since 1.10.
const defaultFrameworkHeap = 128 * quantity.MiB

// frameworkHeap proposes the default where framework heap was raised, as many do who mean the heap of their job, and the default alone makes it fit.
func frameworkHeap(t *advisor.Target) (advice, bool) {
	const key = "taskmanager.memory.framework.heap.size"
	part := t.TaskManager.FrameworkHeap
	if part.By != budget.Configured || !part.Known || part.Bytes <= defaultFrameworkHeap {
		return advice{}, false
	}
	after := whatIf(t, quantity.Pair{Key: key, Value: defaultFrameworkHeap.Config()})
	if !fits(after) {
		return advice{}, false
	}
	return advice{
		help:  fmt.Sprintf("remove %s: it is for Flink itself, and user code has the task heap, which is %s then", key, after.TaskHeap.Bytes.Pretty()),
		edits: []advisor.Edit{advisor.Unset(key, false)},
	}, true
}

// bareNumber proposes a unit where a total without one was read as bytes, and is a sensible size in MiB or GiB.
func bareNumber(t *advisor.Target, key string, fits func(quantity.Bytes) bool) (advice, bool) {
	v := t.Conf.Memory(key)
	if !v.Set() || !v.Has || strings.Trim(v.Entry.Value, "0123456789") != "" {
		return advice{}, false
	}
	for _, unit := range []string{"m", "g"} {
		size, err := quantity.ParseBytes(v.Entry.Value + unit)
		if err != nil || size > quantity.TiB || !fits(size) {
			continue
		}
		return advice{
			help:  fmt.Sprintf("a number without a unit is bytes: write %s%s", v.Entry.Value, unit),
			edits: []advisor.Edit{advisor.Set(key, v.Entry.Value+unit, false)},
		}, true
	}
	return advice{}, false
}

// raise proposes a larger total: the smallest that Flink takes, and one that leaves room to work.
func raise(key string, smallest func(enough func(*budget.TaskManager) bool) (quantity.Bytes, bool)) advice {
	least, ok := smallest(nil)
	if !ok {
		return advice{help: fmt.Sprintf("no value of %s up to 1 TiB makes this fit: lower the other parts", key)}
	}
	roomy, ok := smallest(heapEnough)
	if !ok {
		return advice{help: fmt.Sprintf("raise %s to %s at least", key, least.Config())}
	}
	roomy = roomy.CeilTo(adviceStep)
	return advice{
		help:  fmt.Sprintf("raise %s: Flink starts from %s on, and %s leaves a task heap to work with; or lower the other parts", key, least.Config(), roomy.Config()),
		edits: []advisor.Edit{advisor.Set(key, roomy.Config(), false)},
	}
}

// oneTotal proposes to keep the process size alone, which containers are measured by, where Flink takes that.
func oneTotal(t *advisor.Target, process, flink string, size quantity.Bytes) advice {
	if !t.Conf.Memory(flink).Set() {
		return advice{help: fmt.Sprintf("remove %s, or the single sizes from which Flink size follows: one of the two is enough", process)}
	}
	a := advice{help: fmt.Sprintf("keep one of the two totals: %s in containers, %s elsewhere", process, flink)}
	if process == tmProcessSize && fits(budget.TaskManagerWithProcessSize(t.BudgetInput(), size)) {
		a.edits = []advisor.Edit{advisor.Unset(flink, false)}
	}
	return a
}

func jobManagerHelp(t *advisor.Target, refusal budget.Refusal) advice {
	in := t.BudgetInput()
	switch refusal.ID {
	case "F5", "J3":
		key, smallest, derive := jmProcessSize, budget.SmallestJobManagerProcessSize, budget.JobManagerWithProcessSize
		if t.JobManager.FlinkSize.By == budget.Configured {
			key, smallest, derive = jmFlinkSize, budget.SmallestJobManagerFlinkSize, budget.JobManagerWithFlinkSize
		}
		if a, ok := bareNumber(t, key, func(s quantity.Bytes) bool {
			j := derive(in, s)
			return len(j.Refusals) == 0 && jobManagerHeapEnough(j)
		}); ok {
			return a
		}
		least, ok := smallest(in, nil)
		roomy, enough := smallest(in, jobManagerHeapEnough)
		if !ok || !enough {
			return advice{help: "raise " + key}
		}
		roomy = roomy.CeilTo(adviceStep)
		return advice{
			help: fmt.Sprintf("raise %s: Flink starts from %s on, and %s gives the heap of %s below which Flink warns; Flink's own default is 1600m of process size",
				key, least.Config(), roomy.Config(), minJobManagerHeap.Pretty()),
			edits: []advisor.Edit{advisor.Set(key, roomy.Config(), false)},
		}
	case "F9", "F10":
		return oneTotal(t, jmProcessSize, jmFlinkSize, t.JobManager.ProcessSize.Bytes)
	case "J1", "J2":
		return advice{help: fmt.Sprintf("keep one of %s and %s", jmHeap, jmFlinkSize)}
	}
	return commonHelp(refusal)
}

// commonHelp is for what is wrong with one option, whatever the process.
func commonHelp(refusal budget.Refusal) advice {
	switch refusal.ID {
	case "F2", "F15":
		return advice{help: "write a whole number and a unit, such as 4g or 1536m; a bare number is bytes"}
	case "F4":
		return advice{help: "give a minimum not above the maximum, and a fraction as 0.4, not as 40"}
	case "F13":
		return advice{help: "give a number of CPU cores above 0, or leave it out: Flink then takes the number of slots"}
	case "F17":
		return advice{help: "leave taskmanager.memory.segment-size out (32 KiB), or write a power of two from 4k on"}
	case "F18":
		return advice{help: "give at least one slot"}
	case "K1":
		return advice{help: "give a factor of 1 or more; 1 makes limit and request equal"}
	}
	return advice{}
}
