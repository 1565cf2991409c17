package budget

import "github.com/flinkadvise/flinkadvise/schema/quantity"

// A Checkpoint is the budget of one checkpoint of the job.
type Checkpoint struct {
	// Enabled tells whether periodic checkpoints are on in this configuration; Unaligned whether they may go unaligned.
	Enabled, Unaligned bool
	Interval, Timeout  quantity.Duration
	// InFlight… bound the in-flight data that an unaligned checkpoint persists; the cap is the network memory of a TaskManager.
	InFlightPerTaskManager, InFlightJob, InFlightCapPerTaskManager Amount[quantity.Bytes]
	// State is what one checkpoint uploads of state.
	State Amount[quantity.Bytes]
	Files Amount[int64]
	// Duration is the estimated time of a checkpoint; BreakEven is the throughput to storage below which the timeout cannot be kept.
	Duration, BreakEven Amount[float64]
	// AlignedDrain is the time an aligned barrier waits behind full buffers.
	AlignedDrain Amount[float64]
}

// DeriveCheckpoint computes what a checkpoint writes and how long that takes.
func DeriveCheckpoint(in Input, tm *TaskManager, n *Network) *Checkpoint { return &Checkpoint{} }
