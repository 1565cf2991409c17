// Package budget is the arithmetic of Flink: process memory, network buffers, in-flight data, checkpoint time and state.
//
// Everything here is pure: configuration and facts in, sums with their terms out. Over-commitment is a result, not an error; what cannot
// be computed names the facts that it lacks.
package budget

import (
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// A Unit is the unit of a term, as JSON names it.
type Unit string

// Units.
const (
	Bytes          Unit = "bytes"
	Seconds        Unit = "seconds"
	BytesPerSecond Unit = "bytes/s"
	Buffers        Unit = "buffers"
	Count          Unit = "count"
	Fraction       Unit = "fraction"
)

// A Term is one number of a sum, with its origin.
type Term struct {
	Name   string
	Value  float64
	Unit   Unit
	Origin conf.Origin
	// From names the origin: "flink-conf.yaml:12", "default of Flink 1.13", or which fact would replace an assumption.
	From string
	Span source.Span
}

// An Amount is a computed number with its terms. When it is not Known, Needs names the facts that are missing.
type Amount[T int64 | float64 | quantity.Bytes] struct {
	V     T
	Known bool
	Terms []Term
	Needs []string
}

// A Deployment is what starts Flink's processes. It decides the target of legacy keys, the CPU fallback and whether the active
// ResourceManager derives TaskManager memory again.
type Deployment int

// Deployments.
const (
	// Standalone: the start scripts (also Docker images and the operator's standalone mode).
	Standalone Deployment = iota
	// Kubernetes: native Kubernetes, also through the operator.
	Kubernetes
	// YARN: Hadoop YARN.
	YARN
)

// DeploymentOf maps job.yaml's deployment.target; an unknown target is Standalone.
func DeploymentOf(target string) Deployment {
	switch target {
	case "kubernetes-native", "kubernetes-operator":
		return Kubernetes
	case "yarn":
		return YARN
	}
	return Standalone
}

// Input is what budgets are computed from. Job is never nil.
type Input struct {
	Conf       *conf.Effective
	Job        *job.Facts
	Deployment Deployment
}

// Budgets is everything that is computed about one target.
type Budgets struct {
	TaskManager *TaskManager
	JobManager  *JobManager
	Network     *Network
	Checkpoint  *Checkpoint
	State       *State
}

// Compute derives all budgets.
func Compute(in Input) *Budgets {
	b := &Budgets{TaskManager: DeriveTaskManager(in), JobManager: DeriveJobManager(in)}
	b.Network = DeriveNetwork(in, b.TaskManager)
	b.Checkpoint = DeriveCheckpoint(in, b.TaskManager, b.Network)
	b.State = DeriveState(in, b.TaskManager, b.Network)
	return b
}
