// Package job holds what a configuration cannot say: the facts of a job and its surroundings, read from job.yaml and from
// Flink's own plan JSON.
//
// All facts are optional. A fact that is not known stays unknown; nothing here guesses.
package job

import (
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Fact is a value that may be unknown, with its place. The zero Fact is unknown.
type Fact[T any] struct {
	V     T
	Known bool
	// Span is where it was given; From names the origin where there is no place in a file ("spec.job.parallelism").
	Span source.Span
	From string
}

// Origin names where the fact comes from: "job.yaml:3".
func (f Fact[T]) Origin() string {
	if f.From != "" {
		return f.From
	}
	return f.Span.String()
}

// A Rate is an amount a second: bytes, or a count such as requests or records, as its path in job.yaml says.
type Rate float64

// Facts is job.yaml, version 1. The names of the fields are those of the file; a fact's name in reports is its path there
// ("checkpointStorage.throughput").
type Facts struct {
	// File is the file that was read; nil for no file.
	File        *source.File
	Name        Fact[string]
	Flink       Fact[version.Version]
	Java        Fact[int]
	Deployment  Deployment
	TaskManager Process
	JobManager  Process
	Job         Job
	State       State
	// CheckpointStorage is the file system or object store that checkpoints go to.
	CheckpointStorage Storage
	Network           Network
	Objectives        Objectives
}

// Targets are the legal values of deployment.target.
var Targets = []string{"kubernetes-native", "kubernetes-operator", "yarn", "standalone", "docker", "managed"}

// Modes are the legal values of deployment.mode.
var Modes = []string{"application", "session", "per-job"}

// Deployment says where and how Flink runs.
type Deployment struct {
	Target       Fact[string]
	Mode         Fact[string]
	TaskManagers Fact[int]
}

// Process describes the container of a TaskManager or the JobManager.
type Process struct {
	CPU             Fact[float64]
	ContainerMemory Fact[quantity.Bytes]
	DiskSize        Fact[quantity.Bytes]
	// DiskKind is one of DiskKinds.
	DiskKind Fact[string]
}

// Job is the job itself.
type Job struct {
	// API is one of APIs, Type one of Types.
	API, Type      Fact[string]
	Parallelism    Fact[int]
	MaxParallelism Fact[int]
	// Plan is the path of a plan JSON that replaced vertices and edges.
	Plan Fact[string]
	// PlanNotes are sentences on what was assumed when the plan was read, for reports.
	PlanNotes []string
	Vertices  []Vertex
	Edges     []Edge
}

// A Vertex is a task after chaining, as the web UI draws it.
type Vertex struct {
	ID string
	// Name is the display name; the id where none is given.
	Name             string
	Span             source.Span
	Parallelism      Fact[int]
	MaxParallelism   Fact[int]
	SlotSharingGroup Fact[string]
	Source           *Endpoint
	Sink             *Endpoint
	Window           *Window
	KeyedStates      Fact[int]
	Timers           Fact[bool]

	id, name Fact[string]
}

// An Endpoint is a source or a sink.
type Endpoint struct {
	Kind       Fact[string]
	Partitions Fact[int]
	// Guarantee is one of Guarantees.
	Guarantee          Fact[string]
	TransactionTimeout Fact[quantity.Duration]
}

// A Window is a window operator's shape.
type Window struct {
	// Kind is one of WindowKinds.
	Kind Fact[string]
	// Size is the length, or the gap of a session window.
	Size Fact[quantity.Duration]
	// Slide is how far a sliding window moves, or the step of a cumulative one.
	Slide    Fact[quantity.Duration]
	Distinct Fact[bool]
}

// ShipStrategies are the legal values of an edge's shipStrategy, as Flink's plan prints them.
var ShipStrategies = []string{"FORWARD", "RESCALE", "HASH", "REBALANCE", "SHUFFLE", "BROADCAST", "GLOBAL", "CUSTOM"}

// An Edge is an exchange between two vertices.
type Edge struct {
	From, To string
	Span     source.Span
	// ShipStrategy is one of ShipStrategies.
	ShipStrategy Fact[string]
	// Exchange is one of Exchanges; unknown follows the job's type.
	Exchange Fact[string]
	// Rate is bytes a second over the whole edge; RecordSize is the bytes of one record.
	Rate       Fact[Rate]
	RecordSize Fact[quantity.Bytes]

	from, to      Fact[string]
	rateInRecords bool
}

// State is the job's state as a checkpoint sees it.
type State struct {
	Size                 Fact[quantity.Bytes]
	ChangedPerCheckpoint Fact[quantity.Bytes]
	Keys                 Fact[int64]
}

// Storage is what checkpoints are written to and read from. Throughputs are bytes a second, requests are a second.
type Storage struct {
	Kind                     Fact[string]
	Throughput               Fact[Rate]
	ThroughputPerTaskManager Fact[Rate]
	Requests                 Fact[Rate]
	ReadThroughput           Fact[Rate]
}

// Network is the network between TaskManagers. Bandwidth is bits a second as written ("10gbit/s"), kept as bytes a second.
type Network struct {
	RoundTrip Fact[quantity.Duration]
	Bandwidth Fact[Rate]
}

// Objectives are what the owner wants.
type Objectives struct {
	Latency       Fact[quantity.Duration]
	RecoveryPoint Fact[quantity.Duration]
	RecoveryTime  Fact[quantity.Duration]
	PeakFactor    Fact[float64]
}

// Vertex finds a vertex by id.
func (j *Job) Vertex(id string) (*Vertex, bool) {
	for i := range j.Vertices {
		if j.Vertices[i].ID == id {
			return &j.Vertices[i], true
		}
	}
	return nil, false
}
