package budget

import "github.com/flinkadvise/flinkadvise/schema/quantity"

// An Edge is the buffers of one exchange, summed over one TaskManager in the worst placement.
type Edge struct {
	From, To, ShipStrategy string
	Required, Target       int64
	// InFlight is the bound of persisted in-flight data of this edge over the whole job; Unaligned tells whether the edge can carry an unaligned
	// checkpoint at all, and Aligned why not.
	InFlight  quantity.Bytes
	Unaligned bool
	Aligned   string
}

// A Network is the network buffer budget of the TaskManager that is worst off.
type Network struct {
	SegmentSize quantity.Bytes
	// Buffers is what one TaskManager has: network memory divided by the segment size, truncated.
	Buffers Amount[int64]
	// Required is the hard minimum to run, RequiredRestore the peak while restoring an unaligned checkpoint, Target what gives full
	// throughput, Maximum what can ever be used.
	Required, RequiredRestore, Target, Maximum Amount[int64]
	// MaxParallelism is the largest uniform parallelism at which Required (with RequiredRestore when unaligned checkpoints are on) still fits Buffers.
	MaxParallelism Amount[int64]
	Edges          []Edge
}

// DeriveNetwork computes the buffers that the job graph needs.
func DeriveNetwork(in Input, tm *TaskManager) *Network { return &Network{} }
