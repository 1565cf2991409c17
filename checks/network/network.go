// Package network has the rules about network buffers: whether a job starts, restores and runs at full speed with the network memory of a
// TaskManager, and which options still decide that.
package network

import (
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// Options of network memory.
const (
	keyMin      = "taskmanager.memory.network.min"
	keyMax      = "taskmanager.memory.network.max"
	keyFraction = "taskmanager.memory.network.fraction"
	keyProcess  = "taskmanager.memory.process.size"
	keyFlink    = "taskmanager.memory.flink.size"
	keySegment  = "taskmanager.memory.segment-size"
	keySlots    = "taskmanager.numberOfTaskSlots"
)

// facts are the job facts that buffer counts come from.
var facts = []string{"job.vertices", "job.edges", "job.parallelism", "deployment.taskManagers"}

// heapShare is the part of the task heap that an edit may move to network memory without asking for a larger TaskManager: a quarter; more is a decision
// about the size of the machine.
const heapShare = 4

// buffers is "464 network buffers (14.5 MiB)".
func buffers(n *budget.Network, count int64) string {
	return fmt.Sprintf("%d network buffers (%s)", count, (quantity.Bytes(count) * n.SegmentSize).Pretty())
}

// assessed tells whether all amounts are known, and reports what is missing when they are not.
func assessed(r *advisor.Report, amounts ...budget.Amount[int64]) bool {
	ok := true
	for _, a := range amounts {
		if !a.Known {
			r.NotAssessed(a.Needs...)
			ok = false
		}
	}
	return ok
}

// place marks what decides the size of network memory, then the widest edges of the job file.
func place(t *advisor.Target) []advisor.Label {
	text := fmt.Sprintf("%s of network memory", t.TaskManager.Network.Bytes.Pretty())
	return append([]advisor.Label{t.Anchor(text, keyMax, keyMin, keyFraction, keyFlink, keyProcess)}, edges(t)...)
}

// edgesShown is how many edges a finding points at; the terms list all.
const edgesShown = 3

// edges marks the edges that take most.
func edges(t *advisor.Target) []advisor.Label {
	var out []advisor.Label
	for range edgesShown {
		best := -1
		for i, e := range t.Network.Edges {
			if e.Span.Valid() && !marked(out, e) && (best < 0 || e.Required > t.Network.Edges[best].Required) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		e := t.Network.Edges[best]
		out = append(out, advisor.Label{Span: e.Span, Text: fmt.Sprintf("needs %d buffers, %d for full speed", e.Required, e.Target)})
	}
	return out
}

func marked(labels []advisor.Label, e budget.Edge) bool {
	for _, l := range labels {
		if l.Span == e.Span {
			return true
		}
	}
	return false
}

// grow says how to get the buffers for full throughput, and with unaligned checkpoints for restoring one as well, with edits where the heap can spare the
// difference: network memory is then fixed and the task heap, which is what is left, shrinks.
func grow(t *advisor.Target) (help string, edits []advisor.Edit) {
	n, tm := t.Network, t.TaskManager
	count := n.Target.V
	if t.Checkpoint.Unaligned {
		count = max(count, n.RestoreSuffices.V)
	}
	size := n.SizeOf(count)
	help = fmt.Sprintf("give each TaskManager %s of network memory (%s and %s)", size.Pretty(), keyMin, keyMax)
	if ways := cheaper(t); ways != "" {
		help += "; or " + ways
	}
	more := size - tm.Network.Bytes
	if tm.TaskHeap.Known && tm.TaskHeap.By == budget.Remainder && len(tm.Refusals) == 0 && more <= tm.TaskHeap.Bytes/heapShare {
		return help, []advisor.Edit{advisor.Set(keyMin, size.Config(), false), advisor.Set(keyMax, size.Config(), false)}
	}
	return help + fmt.Sprintf("; the other parts do not leave %s more, so the process size must grow with it", more.Pretty()), nil
}

// cheaper lists ways to need fewer buffers that this version has.
func cheaper(t *advisor.Target) string {
	ways := []string{"lower the parallelism of vertices with little to do", "have fewer slots per TaskManager"}
	if t.Version.AtLeast(1, 17) {
		ways = append(ways, "limit what a gate may require with taskmanager.network.memory.read-buffer.required-per-gate.max")
	}
	return strings.Join(ways, ", ")
}
