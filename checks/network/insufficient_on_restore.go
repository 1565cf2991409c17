package network

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed insufficient-on-restore.md
var insufficientOnRestoreDoc string

// InsufficientOnRestore finds a job that starts, and may not come back from an unaligned checkpoint (SequentialChannelStateReader, RecoveredInputChannel).
var InsufficientOnRestore = &advisor.Rule{
	ID:         "network/insufficient-on-restore",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.WillFail,
	Confidence: advisor.Likely,
	Reads:      []string{keyMin, keyMax, keyFraction, keySegment, keySlots, "execution.checkpointing.unaligned.enabled"},
	Facts:      facts,
	Doc:        insufficientOnRestoreDoc,
	Check:      insufficientOnRestore,
}

func insufficientOnRestore(t *advisor.Target, r *advisor.Report) {
	n := t.Network
	if !t.Checkpoint.Unaligned || !assessed(r, n.Buffers, n.RestoreSuffices) || n.Buffers.V < n.Required.V || n.Buffers.V >= n.RestoreSuffices.V {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("the job starts with %d network buffers per TaskManager, and may need %d to restore an unaligned checkpoint", n.Buffers.V, n.RestoreSuffices.V),
		Labels:  place(t),
		Terms:   n.RestoreSuffices.Terms,
		Notes: []string{
			"while channel state is read back, producers fill their buffers first and keep them, and every channel takes exclusive buffers, local ones too",
			fmt.Sprintf("%d are enough to start; whether fewer than %d restore depends on how much data the checkpoint holds", n.Required.V, n.RestoreSuffices.V),
		},
		Beyond: float64(n.RestoreSuffices.V) / float64(max(n.Buffers.V, 1)),
	}
	if n.Buffers.V >= n.RequiredRestore.V {
		f.Confidence = advisor.Possible
	} else {
		f.Notes = append(f.Notes, fmt.Sprintf("exclusive buffers alone come to %d once every channel holds data", n.RequiredRestore.V))
	}
	f.Help, f.Edits = grow(t)
	r.Find(f)
}
