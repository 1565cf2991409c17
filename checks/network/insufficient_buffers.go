package network

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed insufficient-buffers.md
var insufficientBuffersDoc string

// InsufficientBuffers finds a job that cannot get the buffers that it must have (NetworkBufferPool.createBufferPool).
var InsufficientBuffers = &advisor.Rule{
	ID:         "network/insufficient-buffers",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WillFail,
	Confidence: advisor.Certain,
	Reads:      []string{keyMin, keyMax, keyFraction, keySegment, keySlots},
	Facts:      facts,
	Doc:        insufficientBuffersDoc,
	Check:      insufficientBuffers,
}

func insufficientBuffers(t *advisor.Target, r *advisor.Report) {
	n := t.Network
	if !assessed(r, n.Buffers, n.Required) || n.Buffers.V >= n.Required.V {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("a TaskManager needs %s to run this job and has %d", buffers(n, n.Required.V), n.Buffers.V),
		Labels:  place(t),
		Terms:   n.Required.Terms,
		Notes: []string{
			`the tasks fail with "Insufficient number of network buffers" and the job restarts over and over`,
			"the number in Flink's message is what one pool asked for, not the shortfall",
		},
		Beyond: float64(n.Required.V) / float64(max(n.Buffers.V, 1)),
	}
	if n.Buffers.V >= n.RequiredLeast.V {
		// Some placements fit. Which slot lands where is Flink's choice, so it may run today and fail after the next restart.
		f.Severity, f.Confidence = advisor.Warning, advisor.Possible
		f.Message = fmt.Sprintf("a TaskManager may need up to %s to run this job and has %d", buffers(n, n.Required.V), n.Buffers.V)
		f.Notes = append(f.Notes, fmt.Sprintf("it depends on which subtasks share a TaskManager: spread evenly they need %d, and no placement needs less than %d",
			n.RequiredEven.V, n.RequiredLeast.V))
	}
	if n.MaxParallelism.Known && n.MaxParallelism.V > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("this network memory is enough up to parallelism %d", n.MaxParallelism.V))
	}
	f.Help, f.Edits = grow(t)
	r.Find(f)
}
