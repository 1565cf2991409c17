package budget

import (
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// A StateBackend is a kind of state backend, by where working state lives.
type StateBackend string

// State backends.
const (
	// HeapBackend keeps objects on the JVM heap: hashmap, and jobmanager and filesystem up to 1.12 and as old names later.
	HeapBackend StateBackend = "heap"
	// RocksDBBackend keeps state in RocksDB, in managed memory and on local disk.
	RocksDBBackend StateBackend = "rocksdb"
	// ForStBackend keeps state in ForSt (2.0+).
	ForStBackend StateBackend = "forst"
	// OtherBackend is a factory class that Flink does not ship.
	OtherBackend StateBackend = "other"
)

// BackendOf is the state backend of a configuration (StateBackendLoader): Flink's default is on the heap in every version. The term says where
// it comes from; its name holds the value as written. Unknown text (a placeholder) is OtherBackend.
func BackendOf(c *conf.Effective) (StateBackend, Term) {
	v := c.String("state.backend.type")
	term := Term{Name: v.Key, Unit: Count, Origin: v.Origin(), From: v.From(), Span: v.Span()}
	switch {
	case !v.Has && v.Set():
		return OtherBackend, term
	case !v.Has:
		return HeapBackend, term
	}
	name := strings.ToLower(quantity.Trim(v.V))
	switch name {
	case "hashmap", "jobmanager", "filesystem":
		return HeapBackend, term
	case "rocksdb":
		return RocksDBBackend, term
	case "forst":
		return ForStBackend, term
	}
	// Factories that Flink ships may be named by class.
	switch class := name[strings.LastIndexByte(name, '.')+1:]; {
	case !strings.HasPrefix(name, "org.apache.flink."):
		return OtherBackend, term
	case strings.Contains(class, "rocksdb"):
		return RocksDBBackend, term
	case strings.Contains(class, "forst"):
		return ForStBackend, term
	case strings.HasPrefix(class, "hashmap"), strings.HasPrefix(class, "memory"), strings.HasPrefix(class, "fs"):
		return HeapBackend, term
	}
	return OtherBackend, term
}

// A State is the working state of the job against the memory it lives in.
type State struct {
	Backend     StateBackend
	BackendTerm Term
	// PerTaskManager and PerSlot are the state's size spread evenly over TaskManagers and over the subtasks of the widest vertex; skew comes on top.
	PerTaskManager, PerSlot Amount[quantity.Bytes]
	// Room is the memory of a slot that the backend uses: task heap (heap), managed memory (rocksdb, forst). It is not Known for other backends.
	Room Amount[quantity.Bytes]
}

// DeriveState spreads the state over slots.
func DeriveState(in Input, tm *TaskManager, n *Network) *State {
	s := &State{}
	s.Backend, s.BackendTerm = BackendOf(in.Conf)
	slots := int64(tm.Slots)
	switch {
	case slots < 1:
		s.Room.Needs = append(s.Room.Needs, "taskmanager.numberOfTaskSlots")
	case s.Backend == HeapBackend && tm.TaskHeap.Known:
		s.Room = known(tm.PerSlot.TaskHeap, tm.TaskHeap.term("task heap"))
	case (s.Backend == RocksDBBackend || s.Backend == ForStBackend) && tm.Managed.Known:
		s.Room = known(tm.PerSlot.Managed, tm.Managed.term("managed memory"))
	case s.Backend != OtherBackend:
		s.Room.Needs = append(s.Room.Needs, "taskmanager.memory.process.size")
	}
	size := in.Job.State.Size
	var needs []string
	if !size.Known {
		needs = append(needs, "state.size")
	}
	parallelism, term := jobParallelism(in)
	if n.graph != nil {
		parallelism = 0
		for i := range n.graph.vertices {
			if v := &n.graph.vertices[i]; v.parallelism > parallelism {
				parallelism, term = v.parallelism, v.origin
			}
		}
	}
	if parallelism < 1 {
		needs = append(needs, "job.parallelism")
	}
	if len(needs) > 0 {
		s.PerSlot.Needs, s.PerTaskManager.Needs = needs, needs
		return s
	}
	sizeTerm := factTerm("state", size, float64(size.V), Bytes)
	s.PerSlot = known(quantity.Bytes(ceilDiv(int64(size.V), parallelism)), sizeTerm, term)
	switch {
	case n.TaskManagers.Known:
		s.PerTaskManager = known(quantity.Bytes(ceilDiv(int64(size.V), n.TaskManagers.V)), sizeTerm, n.TaskManagers.Terms[0])
	case in.Job.Deployment.TaskManagers.Known && in.Job.Deployment.TaskManagers.V > 0:
		t := in.Job.Deployment.TaskManagers
		s.PerTaskManager = known(quantity.Bytes(ceilDiv(int64(size.V), int64(t.V))), sizeTerm, factTerm("TaskManagers", t, float64(t.V), Count))
	default:
		s.PerTaskManager.Needs = []string{"deployment.taskManagers"}
	}
	return s
}
