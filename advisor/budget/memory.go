package budget

import (
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// A Derivation says how a part of memory came to its size.
type Derivation string

// Derivations.
const (
	// Configured: the size is set.
	Configured Derivation = "configured"
	// DefaultSize: the size is Flink's default.
	DefaultSize Derivation = "default"
	// Share: a fraction of a total, clamped to its minimum and maximum.
	Share Derivation = "share"
	// Remainder: what the other parts leave of a configured total. Fractions of such a part are ignored.
	Remainder Derivation = "remainder"
	// Sum: the other parts added up.
	Sum Derivation = "sum"
)

// A Part is one part of a process's memory. It is not Known where Flink's derivation fails before it is reached and nothing sensible can be
// said about it.
type Part struct {
	// Name is Flink's term for the part: "task heap", "JVM overhead".
	Name  string
	Bytes quantity.Bytes
	Known bool
	By    Derivation
	// Origin is Given when the part is set, Default when it is Flink's default size, and zero when it is derived.
	Origin conf.Origin
	// From names the origin, or how it is derived: "flink-conf.yaml:12", "default of Flink 1.13", "0.4 of Flink size".
	From string
	// Span is where the size stands, or the fraction that it is derived with; no place for defaults.
	Span source.Span
	// Key is the option that sets this part; the fraction where there is no option for its size.
	Key string
	// Clamp tells that a derived part was raised to its minimum ("min") or cut to its maximum ("max"), ClampKey by which option, and
	// ClampFrom where that option's value comes from.
	Clamp, ClampKey, ClampFrom string
}

// How tells in words where the part's size comes from: "0.1 of Flink size, cut to network.max 1 GiB (default of Flink 1.13)".
func (p Part) How() string {
	verb := map[string]string{"min": "raised", "max": "cut"}[p.Clamp]
	if verb == "" {
		return p.From
	}
	return fmt.Sprintf("%s, %s to %s %s (%s)", p.From, verb, ShortKey(p.ClampKey), p.Bytes.Pretty(), p.ClampFrom)
}

// ShortKey is a memory option's key without the prefix that all of them share: "network.max".
func ShortKey(key string) string {
	return strings.TrimPrefix(strings.TrimPrefix(key, "taskmanager.memory."), "jobmanager.memory.")
}

// A Refusal is one reason for which Flink does not accept a memory configuration.
type Refusal struct {
	// ID is stable. F1 to F21 are the refusals of a TaskManager and of both processes, J1 to J3 those of the JobManager alone, K1 is the
	// deployment's:
	//
	//	F1  none of the required sizes is set           F11 remainder is not the configured number of buffers
	//	F2  a size cannot be read                       F12 remainder for network memory out of its range
	//	F4  minimum above maximum, or bad fraction      F13 no CPU
	//	F5  metaspace and overhead above process size   F14 a number cannot be read
	//	F6  parts above Flink size, task heap set       F15 sizes beyond 2^63-1 bytes
	//	F7  parts above Flink size                      F16 a size below zero
	//	F9  process size below Flink size, metaspace    F17 bad segment size
	//	F10 remainder for overhead out of its range     F18 no slot
	//	J1  heap and off-heap are not Flink size        F19 legacy heap size below zero
	//	J2  heap above Flink size                       K1  a limit factor below 1
	//	J3  Flink size within off-heap                  F21 more segments than an int counts
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

// Shortage is how many bytes are missing; 0 where the refusal is not about missing bytes.
func (r Refusal) Shortage() quantity.Bytes { return max(r.Need-r.Have, 0) }

// PerSlot is the default slot profile (TaskExecutorResourceUtils.generateDefaultSlotResourceProfile): each part divided by the
// number of slots, truncated.
type PerSlot struct {
	CPU                                     float64
	TaskHeap, TaskOffHeap, Managed, Network quantity.Bytes
	// Profile is the slot's profile as this version's log prints it: "ResourceProfile{cpuCores=2, taskHeapMemory=…}".
	Profile string
}

// A Container is what Flink itself asks for to run a process in: the pod on native Kubernetes, the container on YARN. It is not
// Known where something else starts the process, or where the process has no size.
type Container struct {
	Known bool
	// Memory and MemoryLimit are whole MiB; Flink rounds the process size down. They differ only by the limit factor of native Kubernetes.
	Memory, MemoryLimit quantity.Bytes
	// CPU is in cores on Kubernetes and in whole vcores on YARN.
	CPU, CPULimit float64
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
	// DynamicOptions are what Flink passes to the process as -D arguments; Flink itself keeps no order.
	DynamicOptions []quantity.Pair
	Container      Container
	// Rederived is set where the ResourceManager of native Kubernetes or YARN sizes JVM overhead again without the configured totals
	// (ActiveResourceManagerFactory, Flink 1.18 and newer). ProcessSize and JVMOverhead are then what a TaskManager really gets, and
	// Before is the process size of the first derivation.
	Rederived bool
	Before    quantity.Bytes
	// Refusals is every reason to refuse, the one that Flink reports first first; empty when Flink accepts.
	Refusals []Refusal
	// Configured is false when none of the sizes that Flink requires is set (refusal F1).
	Configured bool
}

// Parts are the parts of the process that add up to ProcessSize, in the order of Flink's documentation.
func (t *TaskManager) Parts() []Part {
	return []Part{t.FrameworkHeap, t.TaskHeap, t.Managed, t.FrameworkOffHeap, t.TaskOffHeap, t.Network, t.JVMMetaspace, t.JVMOverhead}
}

// A JobManager is the derived memory of the JobManager process.
type JobManager struct {
	ProcessSize, FlinkSize, Heap, OffHeap, JVMMetaspace, JVMOverhead Part
	JVMArguments                                                     []string
	DynamicOptions                                                   []quantity.Pair
	Container                                                        Container
	Refusals                                                         []Refusal
	Configured                                                       bool
}

// Parts are the parts of the process that add up to ProcessSize.
func (j *JobManager) Parts() []Part {
	return []Part{j.Heap, j.OffHeap, j.JVMMetaspace, j.JVMOverhead}
}
