package memory

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed rocksdb-fixed-not-budgeted.md
var rocksDBFixedDoc string

// RocksDBFixedNotBudgeted finds fixed sizes for RocksDB that are larger than what the process size leaves for them.
var RocksDBFixedNotBudgeted = &advisor.Rule{
	ID:         "memory/rocksdb-fixed-not-budgeted",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Likely,
	Reads: []string{
		stateBackend, "state.backend.rocksdb.memory.fixed-per-slot", "state.backend.rocksdb.memory.fixed-per-tm",
		"state.backend.forst.memory.fixed-per-slot", "state.backend.forst.memory.fixed-per-tm", tmManaged, tmFraction, tmSlots,
	},
	Doc:   rocksDBFixedDoc,
	Check: rocksDBFixed,
}

func rocksDBFixed(t *advisor.Target, r *advisor.Report) {
	m := t.TaskManager
	b, _ := backendOf(t)
	prefix, ok := nativeOptions(b)
	if !ok || !accepted(m) || m.Slots < 1 {
		return
	}
	// A size for each slot counts before one for the TaskManager (RocksDBSharedResourcesFactory).
	v, n, each := t.Conf.Memory(prefix+"memory.fixed-per-slot"), m.Slots, fmt.Sprintf("for each of %d slots", m.Slots)
	if !v.Set() {
		v, n, each = t.Conf.Memory(prefix+"memory.fixed-per-tm"), 1, "for the TaskManager"
	}
	if !v.Set() || !v.Has || v.V > quantity.MaxBytes/quantity.Bytes(n) {
		return
	}
	// The fixed memory lies outside the managed memory that the process size has for it, which then stays unused, and outside all else but JVM overhead.
	fixed := v.V * quantity.Bytes(n)
	room := m.Managed.Bytes + m.JVMOverhead.Bytes
	if fixed <= room {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("the state backend takes %s natively, and the TaskManager has room for %s", fixed.Pretty(), room.Pretty()),
		Labels:  mark(t, []string{v.Key, tmManaged, tmFraction, tmProcessSize, tmFlinkSize, tmSlots}, func(string) string { return "" }),
		Terms: []budget.Term{
			{Name: v.Key, Value: float64(v.V), Unit: budget.Bytes, Origin: conf.Given, From: v.From() + ", " + each, Span: v.Span()},
			term(m.Managed), term(m.JVMOverhead),
		},
		Notes:  []string{"this size is used in place of managed memory and is not counted by Flink's process size"},
		Help:   fmt.Sprintf("remove %s and give the amount as %s", v.Key, tmManaged),
		Beyond: float64(fixed) / float64(max(room, 1)),
	})
}
