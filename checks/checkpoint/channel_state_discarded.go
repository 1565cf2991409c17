package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed channel-state-discarded.md
var channelStateDiscardedDoc string

// ChannelStateDiscarded finds a recovery option that throws in-flight data away.
var ChannelStateDiscarded = &advisor.Rule{
	ID:         "checkpoint/channel-state-discarded",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.DataLoss,
	Confidence: advisor.Certain,
	Reads:      []string{keyWithoutChannelState},
	Doc:        channelStateDiscardedDoc,
	Check:      channelStateDiscarded,
}

const (
	keyWithoutChannelState = "execution.state-recovery.without-channel-state.checkpoint-id"
	// noCheckpoint is the default, which names no checkpoint.
	noCheckpoint = -1
)

func channelStateDiscarded(t *advisor.Target, r *advisor.Report) {
	v := t.Conf.Long(keyWithoutChannelState)
	if !v.Set() || !v.Has || v.V == noCheckpoint {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("a job restored from checkpoint %d loses its in-flight data", v.V),
		Labels:  t.Labels(keyWithoutChannelState, "meant for one rescue"),
		Notes:   []string{"the records that were in the buffers of that checkpoint are dropped; in a configuration that stays, the next job with this checkpoint id is hit too"},
		Help:    "remove it when the job is back",
		Edits:   []advisor.Edit{advisor.Unset(keyWithoutChannelState, false)},
	})
}
