package network

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed below-target.md
var belowTargetDoc string

// BelowTarget finds a job whose pools cannot all have their maximum (NetworkBufferPool.redistributeBuffers).
var BelowTarget = &advisor.Rule{
	ID:         "network/below-target",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Slow,
	Confidence: advisor.Likely,
	Reads:      []string{keyMin, keyMax, keyFraction, keySegment, keySlots},
	Facts:      facts,
	Doc:        belowTargetDoc,
	Check:      belowTarget,
}

func belowTarget(t *advisor.Target, r *advisor.Report) {
	n := t.Network
	if !assessed(r, n.Buffers, n.Target) || n.Unbounded || n.Buffers.V < n.Required.V || n.Buffers.V >= n.Target.V {
		// Pools without a maximum (blocking and hybrid exchanges) have no target of their own: more is always a little better.
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("the job runs with %d network buffers per TaskManager, and %s would let every pool have its maximum", n.Buffers.V, buffers(n, n.Target.V)),
		Labels:  place(t),
		Terms:   n.Target.Terms,
		Notes:   []string{"what is missing are floating buffers: under skew or bursts some channels wait for buffers while others hold them"},
		Beyond:  float64(n.Target.V) / float64(max(n.Buffers.V, 1)),
	}
	if n.Buffers.V >= n.TargetEven.V {
		f.Confidence = advisor.Possible
		f.Notes = append(f.Notes, fmt.Sprintf("spread evenly over the TaskManagers the subtasks need %d, which is there", n.TargetEven.V))
	}
	f.Help, f.Edits = grow(t)
	r.Find(f)
}
