package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed full-rocksdb-snapshots.md
var fullRocksDBSnapshotsDoc string

// FullRocksDBSnapshots finds RocksDB with full checkpoints, Flink's default in every version.
var FullRocksDBSnapshots = &advisor.Rule{
	ID:         "checkpoint/full-rocksdb-snapshots",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Slow,
	Confidence: advisor.Certain,
	Reads:      []string{keyIncremental, keyBackend},
	Facts:      []string{"job.api", "state.size", "state.changedPerCheckpoint", "checkpointStorage.throughput"},
	Thresholds: []advisor.Threshold{
		{Name: "large-state", Unit: budget.Bytes, Default: 10 * float64(quantity.GiB), Why: "10 GiB take minutes at 100 MiB/s; above, full checkpoints are a warning"},
	},
	Doc:   fullRocksDBSnapshotsDoc,
	Check: fullRocksDBSnapshots,
}

func fullRocksDBSnapshots(t *advisor.Target, r *advisor.Report) {
	backend, _ := budget.BackendOf(t.Conf)
	incremental := t.Conf.Bool(keyIncremental)
	if backend != budget.RocksDBBackend || !incremental.Has || incremental.V {
		return
	}
	name := t.Conf.Name(keyIncremental)
	f := advisor.Finding{
		Confidence: sureOf(t, keyIncremental),
		Message:    "every checkpoint uploads the whole RocksDB state: incremental checkpoints are off",
		Labels:     []advisor.Label{t.Anchor("full checkpoints", keyIncremental, keyBackend)},
		Notes:      []string{"a full checkpoint reads all state through an iterator and writes it again; an incremental one uploads the new files only"},
		Help:       fmt.Sprintf("set %s to true; old checkpoints can still be restored", name),
		Edits:      []advisor.Edit{advisor.Set(name, "true", false)},
	}
	if size := t.Job.State.Size; size.Known {
		f.Terms = []budget.Term{{Name: "state", Value: float64(size.V), Unit: budget.Bytes, Origin: conf.Given, From: size.Origin(), Span: size.Span}}
		f.Message = fmt.Sprintf("every checkpoint uploads all %s of RocksDB state: incremental checkpoints are off", size.V.Pretty())
		if float64(size.V) > r.Threshold("large-state") {
			f.Severity = advisor.Warning
		}
		if changed := t.Job.State.ChangedPerCheckpoint; changed.Known && changed.V < size.V {
			f.Notes = append(f.Notes, fmt.Sprintf("%s change from one checkpoint to the next (%s)", changed.V.Pretty(), changed.Origin()))
			f.Saves = float64(size.V - changed.V)
		}
	}
	if l, ok := t.Label(keyBackend, "RocksDB"); ok && l.Span != f.Labels[0].Span {
		f.Labels = append(f.Labels, l)
	}
	r.Find(f)
}
