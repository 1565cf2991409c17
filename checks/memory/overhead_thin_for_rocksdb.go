package memory

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed overhead-thin-for-rocksdb.md
var overheadThinDoc string

// OverheadThinForRocksDB finds containers in which JVM overhead, capped at 1 GiB by default, has no room for RocksDB's overshoot.
var OverheadThinForRocksDB = &advisor.Rule{
	ID:         "memory/overhead-thin-for-rocksdb",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Possible,
	Reads: []string{
		stateBackend, "state.backend.rocksdb.memory.managed", "taskmanager.memory.jvm-overhead.fraction", "taskmanager.memory.jvm-overhead.max",
		"taskmanager.memory.jvm-overhead.min", tmManaged, tmFraction, tmProcessSize, tmFlinkSize,
	},
	Facts: []string{"deployment.target", "taskManager.containerMemory"},
	Thresholds: []advisor.Threshold{
		{Name: "overshoot", Unit: budget.Fraction, Default: 0.1, Why: "RocksDB's block cache is no strict limit: blocks in use by iterators and pinned index blocks stay; a tenth is the low end of what is seen"},
	},
	Doc:   overheadThinDoc,
	Check: overheadThin,
}

func overheadThin(t *advisor.Target, r *advisor.Report) {
	m := t.TaskManager
	if b, _ := backendOf(t); !accepted(m) || b != rocksDB && b != forSt {
		return
	}
	overshoot := quantity.Bytes(float64(m.Managed.Bytes) * r.Threshold("overshoot"))
	// What the container has beyond the process is room as well.
	room := m.JVMOverhead.Bytes
	switch {
	case m.Container.Known:
		room += max(m.Container.MemoryLimit-m.ProcessSize.Bytes, 0)
	case t.Job.TaskManager.ContainerMemory.Known:
		room += max(t.Job.TaskManager.ContainerMemory.V-m.ProcessSize.Bytes, 0)
	}
	if room >= overshoot {
		return
	}
	if t.Deployment == budget.Standalone && !t.Job.TaskManager.ContainerMemory.Known {
		// Without a container nobody kills the process.
		if !slices.Contains([]string{"docker", "standalone"}, t.Job.Deployment.Target.V) {
			r.NotAssessed("deployment.target", "taskManager.containerMemory")
			return
		}
		if t.Job.Deployment.Target.V == "standalone" {
			return
		}
	}
	proposed := overshoot.CeilTo(256 * quantity.MiB)
	f := advisor.Finding{
		Message: fmt.Sprintf("JVM overhead of %s has no room for RocksDB going a tenth over its %s of managed memory", m.JVMOverhead.Bytes.Pretty(), m.Managed.Bytes.Pretty()),
		Labels:  mark(t, []string{"taskmanager.memory.jvm-overhead.max", "taskmanager.memory.jvm-overhead.fraction", tmProcessSize, tmFlinkSize, stateBackend}, func(string) string { return "" }),
		Terms: []budget.Term{
			term(m.JVMOverhead), term(m.Managed),
			{Name: "overshoot of RocksDB", Value: float64(overshoot), Unit: budget.Bytes, Origin: conf.Assumed, From: "a tenth of managed memory, the low end of what is seen"},
		},
		Notes:  []string{"RocksDB's cache is no strict limit; what it takes beyond is found in no Java heap, and the container is killed"},
		Help:   fmt.Sprintf("raise taskmanager.memory.jvm-overhead.max to %s", proposed.Config()),
		Beyond: float64(overshoot) / float64(max(room, 1)),
	}
	after := whatIf(t, quantity.Pair{Key: "taskmanager.memory.jvm-overhead.max", Value: proposed.Config()})
	if m.JVMOverhead.Clamp == "max" && fits(after) && after.JVMOverhead.Bytes >= overshoot {
		f.Edits = []advisor.Edit{advisor.Set("taskmanager.memory.jvm-overhead.max", proposed.Config(), false)}
		f.Help += fmt.Sprintf("; overhead is %s then, and ", after.JVMOverhead.Bytes.Pretty())
		if after.TaskHeap.Bytes == m.TaskHeap.Bytes {
			f.Help += fmt.Sprintf("the process grows from %s to %s", m.ProcessSize.Bytes.Pretty(), after.ProcessSize.Bytes.Pretty())
		} else {
			f.Help += fmt.Sprintf("the task heap goes from %s to %s", m.TaskHeap.Bytes.Pretty(), after.TaskHeap.Bytes.Pretty())
		}
	} else {
		f.Help += ", with taskmanager.memory.jvm-overhead.fraction to match, or lower managed memory"
	}
	r.Find(f)
}
