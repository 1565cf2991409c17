package network

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed oversized.md
var oversizedDoc string

// Oversized finds network memory that the job can never use.
var Oversized = &advisor.Rule{
	ID:         "network/oversized",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Wasteful,
	Confidence: advisor.Likely,
	Reads:      []string{keyMin, keyMax, keyFraction, keySegment, keySlots},
	Facts:      append([]string{"deployment.mode"}, facts...),
	Thresholds: []advisor.Threshold{
		{Name: "waste-factor", Unit: budget.Count, Default: 3, Why: "parallelism is often doubled, and with it what the job uses; three times as much leaves room for that"},
		{Name: "small-network", Unit: budget.Bytes, Default: 256 * float64(quantity.MiB), Why: "256 MiB buy little elsewhere"},
	},
	Doc:   oversizedDoc,
	Check: oversized,
}

const (
	// keepFactor and keepLeast are what the advice leaves: twice what can ever be used, and 128 MiB.
	keepFactor = 2
	keepLeast  = 128 * quantity.MiB
)

func oversized(t *advisor.Target, r *advisor.Report) {
	n, tm := t.Network, t.TaskManager
	if t.Job.Deployment.Mode.V == "session" {
		return // other jobs use it too
	}
	if !assessed(r, n.Buffers, n.Required) || !n.Maximum.Known {
		return
	}
	network := tm.Network.Bytes
	most := quantity.Bytes(n.Maximum.V) * n.SegmentSize
	if float64(network) <= max(r.Threshold("small-network"), r.Threshold("waste-factor")*float64(most)) {
		return
	}
	keep := max(n.SizeOf(keepFactor*n.Maximum.V), keepLeast)
	if floor := t.Conf.Memory(keyMin); floor.Has {
		keep = max(keep, floor.V)
	}
	if keep >= network {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("each TaskManager keeps %s of network memory for a job that can use %s at most", network.Pretty(), most.Pretty()),
		Labels:  place(t),
		Terms:   append(append([]budget.Term(nil), n.Buffers.Terms...), n.Maximum.Terms...),
		Notes: []string{
			fmt.Sprintf("more network memory would not help either: at most %d of %d buffers are ever in use, and full pools mean back pressure, not a shortage", n.Maximum.V, n.Buffers.V),
		},
		Help:   fmt.Sprintf("set %s to %s and leave %s to the heap or to managed memory", keyMax, keep.Pretty(), (network - keep).Pretty()),
		Beyond: float64(network) / float64(max(most, 1)),
		Saves:  float64(network - keep),
	}
	if tm.Network.By == budget.Share && tm.TaskHeap.By == budget.Remainder {
		f.Edits = []advisor.Edit{advisor.Set(keyMax, keep.Config(), false)}
	}
	r.Find(f)
}
