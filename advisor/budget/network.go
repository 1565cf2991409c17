package budget

import (
	"fmt"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// An Edge is the buffers of one exchange, summed over one TaskManager in the worst placement.
type Edge struct {
	From, To, ShipStrategy string
	// Span is the edge in the job file.
	Span source.Span
	// Producers and Consumers are the parallelism of both ends; Channels and Subpartitions are those of the largest subtask.
	Producers, Consumers    int64
	Channels, Subpartitions int64
	// Required, RestoreSuffices and Target are this edge's share of the Network's figures of the same names.
	Required, RestoreSuffices, Target int64
	// Ahead is what an aligned barrier may wait behind on its way to one consumer subtask: all buffers of its gate and its share of the producers'
	// queues, every channel remote (the load is taken to be balanced).
	Ahead quantity.Bytes
	// InFlight is the bound of persisted in-flight data of this edge over the whole job; Unaligned tells whether the edge can carry an unaligned
	// checkpoint at all, and Aligned why not.
	InFlight  quantity.Bytes
	Unaligned bool
	Aligned   string
}

// A Network is the network buffer budget of the TaskManager that is worst off.
//
// It follows NettyShuffleUtils, InputGateSpecUtils, ResultPartitionFactory and NetworkBufferPool of the version at hand. Which slot of a job
// lands on which TaskManager is not defined, so the figures are those of the worst placement; only channels that are local in every placement are
// counted as local.
type Network struct {
	// SegmentSize is the size of one buffer; 0 when taskmanager.memory.segment-size is not a size that Flink takes.
	SegmentSize quantity.Bytes
	// Buffers is what one TaskManager has: network memory divided by the segment size, truncated.
	Buffers Amount[int64]
	// Required is the hard minimum to run, RequiredRestore what Flink books while the channels of an unaligned checkpoint are read back: exclusive
	// buffers for every channel with state. Target gives full throughput, Maximum is what can ever be used.
	Required, RequiredRestore, Target, Maximum Amount[int64]
	// RestoreSuffices is what always suffices to restore, as measured on real Flink. Between RequiredRestore and this it depends on how much data the
	// checkpoint holds, and on timing, whether the tasks come up or wait for each other's buffers until Flink gives up. Records larger than a buffer may
	// add overdraft buffers.
	RestoreSuffices Amount[int64]
	// RequiredLeast is what some TaskManager requires however the subtasks are placed: with fewer buffers the job cannot run. RequiredEven and
	// TargetEven hold when every vertex is spread evenly.
	RequiredLeast, RequiredEven, TargetEven Amount[int64]
	// Unbounded tells that some pool has no maximum (blocking and hybrid exchanges), so that Maximum is not known and Target counts what
	// Flink's usage gauge counts for such a pool: twice its minimum.
	Unbounded bool
	// SubpartitionsMax is how many subpartitions a pipelined result partition may have on TaskManagers that are set up for tiered hybrid exchanges; 0 is no
	// limit. Flink gives the pool of a wider one fewer buffers than it has subpartitions, and then refuses to set it up.
	SubpartitionsMax int64
	// TaskManagers is how many may hold subtasks of the job: given, or assumed to be the fewest that have the slots. SlotsNeeded is how many slots the
	// job needs.
	TaskManagers, SlotsNeeded Amount[int64]
	// MaxParallelism is the largest uniform parallelism at which Required (with RestoreSuffices when unaligned checkpoints are on) still fits Buffers.
	// The vertices that run at the job's parallelism change, the others keep theirs; TaskManagers of this size are added as slots are needed.
	MaxParallelism Amount[int64]
	Edges          []Edge
	// OneExchange stands in where only the parallelism is known: one all-to-all exchange with that parallelism at both ends. It is an example,
	// not a result. Nil when the job graph or nothing at all is known.
	OneExchange *OneExchange

	graph   *graph
	cluster cluster
}

// OneExchange is the buffers that one all-to-all exchange takes of a TaskManager.
type OneExchange struct {
	Parallelism                       Term
	Required, RestoreSuffices, Target int64
}

// SizeOf is the network memory that holds so many buffers, rounded up to whole MiB.
func (n *Network) SizeOf(buffers int64) quantity.Bytes {
	size := bytesOf(buffers, n.SegmentSize)
	if size > quantity.MaxBytes-quantity.MiB {
		return quantity.MaxBytes
	}
	return size.CeilTo(quantity.MiB)
}

// DeriveNetwork computes the buffers that the job graph needs.
func DeriveNetwork(in Input, tm *TaskManager) *Network {
	n := &Network{}
	n.deriveBuffers(in.Conf, tm)
	v := versionOf(in.Conf)
	g, needs := graphOf(in, v)
	slots := in.Conf.Int("taskmanager.numberOfTaskSlots")
	if tm.Slots < 1 || tm.Slots > maxSlots {
		needs = appendNew(needs, slots.Key)
	}
	if g == nil || len(needs) > 0 {
		for _, a := range []*Amount[int64]{
			&n.Required, &n.RequiredRestore, &n.RestoreSuffices, &n.Target, &n.Maximum, &n.RequiredLeast, &n.RequiredEven, &n.TargetEven,
			&n.TaskManagers, &n.SlotsNeeded, &n.MaxParallelism,
		} {
			a.Needs = needs
		}
		if tm.Slots >= 1 && tm.Slots <= maxSlots {
			n.OneExchange = oneExchange(in, v, int64(tm.Slots))
		}
		return n
	}
	n.graph, n.cluster = g, clusterOf(in.Job.Deployment.TaskManagers, g, int64(tm.Slots))
	base := []Term{valueTerm("slots per TaskManager", slots, float64(tm.Slots), Count), n.cluster.term}
	n.TaskManagers = known(n.cluster.taskManagers, n.cluster.term)
	n.SlotsNeeded = known(g.slotsNeeded())
	required := g.worst(n.cluster, g.weights((*edge).required))
	restore := g.worst(n.cluster, g.weights(g.restore(n.cluster)))
	target := g.worst(n.cluster, g.weights((*edge).target))
	n.Required = known(required.total, g.terms(base, required)...)
	reserved := g.worst(n.cluster, g.weights(g.restoreReserved))
	n.RequiredRestore = known(reserved.total, g.terms(base, reserved)...)
	n.RestoreSuffices = known(restore.total, g.terms(base, restore)...)
	n.Target = known(target.total, g.terms(base, target)...)
	n.RequiredLeast = known(g.leastRequired(n.cluster), base...)
	// Where the subtasks do not divide evenly, rounding up may put more on a TaskManager than it has slots for.
	n.RequiredEven = known(min(g.even(n.cluster, g.weights((*edge).required)), required.total), base...)
	n.TargetEven = known(min(g.even(n.cluster, g.weights((*edge).target)), target.total), base...)
	n.deriveEdges(required, restore, target)
	if exchangeOf(in) == hybrid {
		n.SubpartitionsMax = g.pools.tiered
	}
	if !n.Unbounded {
		most := g.worst(n.cluster, g.weights((*edge).maximum))
		n.Maximum = known(max(most.total, restore.total), g.terms(base, most)...)
	}
	n.deriveMaxParallelism(in, base)
	return n
}

// versionOf is the version whose arithmetic holds; an unknown one counts as the newest, as in the catalogue.
func versionOf(c *conf.Effective) version.Version {
	if !c.Version.Known() {
		return version.Newest()
	}
	return c.Version
}

func known[T int64 | float64 | quantity.Bytes](v T, terms ...Term) Amount[T] {
	return Amount[T]{V: v, Known: true, Terms: terms}
}

// deriveBuffers computes what a TaskManager has (NettyShuffleEnvironmentConfiguration.calculateNumberOfNetworkBuffers).
func (n *Network) deriveBuffers(c *conf.Effective, tm *TaskManager) {
	segment := c.Memory(keySegmentSize)
	if segment.Has && segment.V >= minSegmentSize && segment.V&(segment.V-1) == 0 {
		n.SegmentSize = segment.V
	} else {
		n.Buffers.Needs = append(n.Buffers.Needs, segment.Key)
	}
	if !tm.Network.Known {
		key := tm.Network.Key
		if !tm.Configured || key == "" {
			key = "taskmanager.memory.process.size"
		}
		n.Buffers.Needs = append(n.Buffers.Needs, key)
	}
	if len(n.Buffers.Needs) == 0 {
		n.Buffers = known(int64(tm.Network.Bytes/n.SegmentSize),
			tm.Network.term("network memory"), valueTerm("segment size", segment, float64(segment.V), Bytes))
	}
}

// terms lists the sum of a load: what producers, consumers and channels of each edge take.
func (g *graph) terms(base []Term, l load) []Term {
	out := append(make([]Term, 0, len(base)+3*len(g.edges)), base...)
	for i, e := range l.edges {
		f := g.edges[i].fact
		add := func(n, each int64, what string) {
			if n*each == 0 {
				return
			}
			out = append(out, Term{
				Name:  fmt.Sprintf("%s -> %s: %d %s x %d", f.From, f.To, n, what, each),
				Value: float64(n * each), Unit: Buffers, Origin: conf.Given, From: f.ShipStrategy.Origin(), Span: f.Span,
			})
		}
		add(e.producers, e.perProducer, "result partitions")
		add(e.consumers, e.perConsumer, "input gates")
		add(e.channels, e.perChan, "channels")
	}
	return out
}

// deriveEdges fills what is known of each edge.
func (n *Network) deriveEdges(required, restore, target load) {
	g := n.graph
	inFlight := g.weights((*edge).inFlight)
	n.Edges = make([]Edge, len(g.edges))
	for i := range g.edges {
		e := &g.edges[i]
		n.Unbounded = n.Unbounded || e.partition.unbounded
		n.Edges[i] = Edge{
			From: e.fact.From, To: e.fact.To, ShipStrategy: e.fact.ShipStrategy.V, Span: e.fact.Span,
			Producers: g.vertices[e.from].parallelism, Consumers: g.vertices[e.to].parallelism,
			Channels: e.channels, Subpartitions: e.subpartitions,
			Required: required.edges[i].total(), RestoreSuffices: restore.edges[i].total(), Target: target.edges[i].total(),
			Ahead:     bytesOf(g.ahead(e), n.SegmentSize),
			InFlight:  bytesOf(g.overall(n.cluster, inFlight, i), n.SegmentSize),
			Unaligned: e.aligned == "", Aligned: e.aligned,
		}
	}
}

// ahead is how many buffers may stand before a barrier on its way to one consumer subtask.
func (g *graph) ahead(e *edge) int64 {
	queue := e.partition.max
	if m := g.pools.subpartitionMax; m > 0 {
		queue = min(queue, m*e.subpartitions)
	}
	return e.channels*e.gate.exclusive + e.gate.max + e.channels*queue/e.subpartitions
}

// deriveMaxParallelism bisects for the largest uniform parallelism that still fits.
func (n *Network) deriveMaxParallelism(in Input, base []Term) {
	if !n.Buffers.Known {
		n.MaxParallelism.Needs = n.Buffers.Needs
		return
	}
	unaligned, _ := unalignedOf(in, versionOf(in.Conf))
	fits := func(p int64) bool {
		g := n.graph.at(p)
		// The number of TaskManagers follows the slots: a fixed number would run out of slots first.
		c := clusterOf(in.Job.Deployment.TaskManagers, g, n.cluster.slots)
		if g.worst(c, g.weights((*edge).required)).total > n.Buffers.V {
			return false
		}
		return !unaligned || g.worst(c, g.weights(g.restore(c))).total <= n.Buffers.V
	}
	low, high := int64(0), int64(maxParallelism)+1 // low fits, high does not
	for low+1 < high {
		if mid := (low + high) / 2; fits(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	n.MaxParallelism = known(low, append(append([]Term(nil), n.Buffers.Terms...), base[0])...)
}

// oneExchange computes the example for a job of which only the parallelism is known.
func oneExchange(in Input, v version.Version, slots int64) *OneExchange {
	p, term := jobParallelism(in)
	if p < 1 || p > maxParallelism {
		return nil
	}
	pools, needs := poolsOf(in.Conf, v)
	if len(needs) > 0 {
		return nil
	}
	g := &graph{vertices: []vertex{{parallelism: p}, {parallelism: p, inputs: 1}}, edges: []edge{{from: 0, to: 1}}, groups: 1, pools: pools}
	g.size()
	c := clusterOf(in.Job.Deployment.TaskManagers, g, slots)
	return &OneExchange{
		Parallelism:     term,
		Required:        g.worst(c, g.weights((*edge).required)).total,
		RestoreSuffices: g.worst(c, g.weights(g.restore(c))).total,
		Target:          g.worst(c, g.weights((*edge).target)).total,
	}
}
