package memory

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed rocksdb-unbounded.md
var rocksDBUnboundedDoc string

// perColumnFamily is what one state takes natively without a shared cache, with RocksDB's and Flink's defaults: a block cache of 8 MiB and
// two write buffers of 64 MiB (state.backend.rocksdb.block.cache-size, .writebuffer.size, .writebuffer.count).
const perColumnFamily = (8 + 2*64) * quantity.MiB

// RocksDBUnbounded finds RocksDB whose native memory nothing limits.
var RocksDBUnbounded = &advisor.Rule{
	ID:         "memory/rocksdb-unbounded",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Likely,
	Reads: []string{
		stateBackend, "state.backend.rocksdb.memory.managed", "state.backend.rocksdb.memory.fixed-per-slot", "state.backend.rocksdb.memory.fixed-per-tm",
		"state.backend.forst.memory.managed", "state.backend.forst.memory.fixed-per-slot", "state.backend.forst.memory.fixed-per-tm",
	},
	Doc:   rocksDBUnboundedDoc,
	Check: rocksDBUnbounded,
}

// nativeOptions are the prefix of a native backend's own options.
func nativeOptions(b backend) (prefix string, ok bool) {
	switch b {
	case rocksDB:
		return "state.backend.rocksdb.", true
	case forSt:
		return "state.backend.forst.", true
	}
	return "", false
}

func rocksDBUnbounded(t *advisor.Target, r *advisor.Report) {
	b, _ := backendOf(t)
	prefix, ok := nativeOptions(b)
	if !ok {
		return
	}
	managed := t.Conf.Bool(prefix + "memory.managed")
	if !managed.Set() || !managed.Has || managed.V || t.Conf.Memory(prefix+"memory.fixed-per-slot").Set() || t.Conf.Memory(prefix+"memory.fixed-per-tm").Set() {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("nothing limits the native memory of the state backend: %s is false", managed.Key),
		Labels:  mark(t, []string{managed.Key, stateBackend}, func(string) string { return "" }),
		Terms: []budget.Term{{
			Name: "each state in each slot", Value: float64(perColumnFamily), Unit: budget.Bytes, Origin: conf.Assumed,
			From: "default block cache and write buffers; index and filter blocks come on top",
		}},
		Notes: []string{"every state of every task has a cache and write buffers of its own, which no part of the process size accounts for"},
		Help:  fmt.Sprintf("remove %s, or give %smemory.fixed-per-slot", managed.Key, prefix),
		Edits: []advisor.Edit{advisor.Unset(managed.Key, false)},
	}
	if m := t.TaskManager; accepted(m) && m.Managed.Bytes > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s of managed memory stay reserved all the same", m.Managed.Bytes.Pretty()))
		f.Terms = append(f.Terms, term(m.Managed), term(m.JVMOverhead))
	}
	r.Find(f)
}
