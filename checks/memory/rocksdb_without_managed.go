package memory

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed rocksdb-without-managed.md
var rocksDBWithoutManagedDoc string

// minManagedForRocksDB is the least share of a slot with which RocksDB can hold one write buffer arena of 8 MiB (an eighth of the 64 MiB
// write buffer) without flushing at once: the mutable limit is 7/8 of the write buffers' 1/3 of it, so 8 MiB need 28 MiB
// (RocksDBMemoryControllerUtils, whose own check warns below).
const minManagedForRocksDB = 28 * quantity.MiB

// RocksDBWithoutManaged finds RocksDB that shares a managed memory of nothing, or of less than one write buffer.
var RocksDBWithoutManaged = &advisor.Rule{
	ID:         "memory/rocksdb-without-managed",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Slow,
	Confidence: advisor.Likely,
	Reads:      []string{stateBackend, tmManaged, tmFraction, tmSlots, "state.backend.rocksdb.memory.managed", "state.backend.rocksdb.memory.fixed-per-slot"},
	Doc:        rocksDBWithoutManagedDoc,
	Check:      rocksDBWithoutManaged,
}

func rocksDBWithoutManaged(t *advisor.Target, r *advisor.Report) {
	m := t.TaskManager
	b, _ := backendOf(t)
	prefix, ok := nativeOptions(b)
	if !ok || !accepted(m) || m.Slots < 1 || m.PerSlot.Managed >= minManagedForRocksDB {
		return
	}
	if managed := t.Conf.Bool(prefix + "memory.managed"); !managed.Has || !managed.V ||
		t.Conf.Memory(prefix+"memory.fixed-per-slot").Set() || t.Conf.Memory(prefix+"memory.fixed-per-tm").Set() {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("RocksDB shares %s of managed memory in each slot, less than one write buffer needs", m.PerSlot.Managed.Pretty()),
		Labels:  mark(t, []string{tmManaged, tmFraction, stateBackend, tmSlots}, func(string) string { return "" }),
		Terms:   append(terms(m.ProcessSize), term(m.Managed)),
		Notes:   []string{"write buffers are flushed as soon as they have anything, and the block cache holds nothing"},
		Help:    fmt.Sprintf("give %s at least 256m for each slot, or remove it: the default is 0.4 of Flink size", tmManaged),
	})
}
