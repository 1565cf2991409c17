package network

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed hybrid-breaks-streaming.md
var hybridBreaksStreamingDoc string

// HybridBreaksStreaming finds a shuffle mode meant for batch jobs that stops wide streaming jobs (NettyShuffleUtils, BufferWritingResultPartition).
var HybridBreaksStreaming = &advisor.Rule{
	ID:         "network/hybrid-breaks-streaming",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WillFail,
	Confidence: advisor.Certain,
	Reads:      []string{keyShuffleMode},
	Facts:      []string{"job.type", "job.vertices", "job.edges"},
	Doc:        hybridBreaksStreamingDoc,
	Check:      hybridBreaksStreaming,
}

const keyShuffleMode = "execution.batch-shuffle-mode"

func hybridBreaksStreaming(t *advisor.Target, r *advisor.Report) {
	n := t.Network
	if t.Job.Job.Type.V == "batch" || t.Conf.Enum("execution.runtime-mode").V == "BATCH" || n.SubpartitionsMax == 0 {
		return
	}
	for _, e := range n.Edges {
		if e.Subpartitions <= n.SubpartitionsMax {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("every producer of %s -> %s fails: it has %d subpartitions, and a hybrid shuffle mode in the cluster's configuration leaves it %d buffers",
				e.From, e.To, e.Subpartitions, n.SubpartitionsMax),
			Labels: t.Labels(keyShuffleMode, "meant for batch jobs"),
			Notes: []string{
				`the tasks fail with "Bug in result partition setup logic: Buffer pool has not enough guaranteed buffers for this result partition."`,
				"TaskManagers take the mode for all result partitions, also for those of streaming jobs",
			},
			Help:   "take the mode out of the cluster's configuration and set it for batch jobs alone",
			Edits:  []advisor.Edit{advisor.Unset(keyShuffleMode, false)},
			Beyond: float64(e.Subpartitions) / float64(n.SubpartitionsMax),
		}
		if e.Span.Valid() {
			f.Labels = append(f.Labels, advisor.Label{Span: e.Span, Text: fmt.Sprintf("%d subpartitions", e.Subpartitions)})
		}
		r.Find(f)
		return
	}
}
