package budget

import (
	"slices"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// maxParallelism is Flink's upper bound of a vertex's parallelism (KeyGroupRangeAssignment.UPPER_BOUND_MAX_PARALLELISM).
const maxParallelism = 1 << 15

// maxSlots bounds the slots of a TaskManager for which placements are looked through. No TaskManager has that many; a larger number
// is a slip, and the buffers are then not computed.
const maxSlots = 1 << 10

// A graph is the job graph as far as buffers are concerned.
type graph struct {
	vertices []vertex
	edges    []edge
	// groups is the number of groups: vertices of one group share slots.
	groups int
	pools  pools
	// job is the parallelism that MaxParallelism varies: that of the widest vertex.
	job int64
	// batch tells that stages run one after the other, so that not all groups hold slots at the same time.
	batch bool
	// apart[a][b] tells that no subtask of group b starts before all of group a have finished; nil where no stage waits for another.
	apart [][]bool
}

type vertex struct {
	parallelism int64
	// inputs counts the in-edges.
	inputs int
	group  int
	name   string
	// uniform tells that the vertex runs at the parallelism of the job and follows it.
	uniform bool
	// origin is where the parallelism comes from.
	origin Term
}

// A locality says which channels of an edge are certainly local.
type locality int

const (
	// anywhere: nothing is certain.
	anywhere locality = iota
	// ownSlot: the one channel of a FORWARD consumer leads to its own slot.
	ownSlot
	// allSlots: the producer has a subtask in each slot of the group, so each slot on the TaskManager gives each consumer one local channel.
	allSlots
)

type edge struct {
	from, to  int
	fact      *job.Edge
	pointwise bool
	forward   bool
	exchange  exchange
	// aligned is why the edge never carries an unaligned checkpoint; empty when it may.
	aligned string
	// The rest follows from the parallelism of both ends. subpartitions and channels are those of the largest subtask, the least… those of the
	// smallest.
	subpartitions, channels           int64
	leastSubpartitions, leastChannels int64
	// shared tells that the edge reads the partition of an earlier edge, sharable that it may.
	shared, sharable bool
	partition        pool
	gate             gate
	local            locality
}

// graphOf builds the job graph from the facts. Without enough facts it is nil and needs names what is missing.
func graphOf(in Input, v version.Version) (g *graph, needs []string) {
	facts := &in.Job.Job
	switch {
	case len(facts.Vertices) == 0 && len(facts.Edges) == 0:
		return nil, []string{"job.vertices", "job.edges"}
	case len(facts.Vertices) == 0:
		return nil, []string{"job.vertices"}
	case len(facts.Vertices) > 1 && len(facts.Edges) == 0:
		return nil, []string{"job.edges"}
	}
	g = &graph{vertices: make([]vertex, 0, len(facts.Vertices)), edges: make([]edge, 0, len(facts.Edges)), batch: isBatch(in)}
	g.pools, needs = poolsOf(in.Conf, v)
	index := make(map[string]int, len(facts.Vertices))
	for i := range facts.Vertices {
		f := &facts.Vertices[i]
		p, origin := parallelismOf(in, f)
		if p < 1 || p > maxParallelism {
			needs = appendNew(needs, "job.parallelism")
		}
		name := f.Name
		if name == "" {
			name = f.ID
		}
		index[f.ID] = i
		g.vertices = append(g.vertices, vertex{parallelism: p, name: name, origin: origin})
		g.job = max(g.job, p)
	}
	for i := range g.vertices {
		g.vertices[i].uniform = g.vertices[i].parallelism == g.job
	}
	hybridMode := exchangeOf(in)
	for i := range facts.Edges {
		f := &facts.Edges[i]
		from, okFrom := index[f.From]
		to, okTo := index[f.To]
		switch {
		case !okFrom || !okTo:
			needs = appendNew(needs, "job.vertices")
			continue
		case !f.ShipStrategy.Known:
			needs = appendNew(needs, "job.edges.shipStrategy")
			continue
		}
		e := edge{from: from, to: to, fact: f}
		e.forward = f.ShipStrategy.V == "FORWARD"
		e.pointwise = e.forward || f.ShipStrategy.V == "RESCALE"
		switch {
		case f.Exchange.Known && f.Exchange.V == "blocking":
			e.exchange = blocking
		case f.Exchange.Known && f.Exchange.V == "hybrid":
			e.exchange = hybrid
		case !f.Exchange.Known && g.batch:
			e.exchange = hybridMode
		}
		g.vertices[to].inputs++
		g.edges = append(g.edges, e)
	}
	if len(needs) > 0 {
		return nil, needs
	}
	g.group(facts.Vertices)
	g.markAligned(in.Conf, v)
	g.order()
	g.size()
	return g, nil
}

// isBatch tells a batch job: by the job file, else by execution.runtime-mode. Flink's default is streaming.
func isBatch(in Input) bool {
	if in.Job.Job.Type.Known {
		return in.Job.Job.Type.V == "batch"
	}
	mode := in.Conf.Enum(keyRuntimeMode)
	return mode.Has && mode.V == "BATCH"
}

// exchangeOf is the exchange of a batch job's edges by execution.batch-shuffle-mode; blocking is Flink's default.
func exchangeOf(in Input) exchange {
	mode := in.Conf.Enum(keyBatchShuffleMode)
	if !mode.Has {
		return blocking
	}
	switch mode.V {
	case "ALL_EXCHANGES_PIPELINED":
		return pipelined
	case "ALL_EXCHANGES_HYBRID_FULL", "ALL_EXCHANGES_HYBRID_SELECTIVE":
		return hybrid
	}
	return blocking
}

// parallelismOf is the parallelism of a vertex: its own, the job's, or parallelism.default where that is set; 0 when unknown. Flink's default
// of 1 is not taken for a fact: jobs set their parallelism in code.
func parallelismOf(in Input, f *job.Vertex) (int64, Term) {
	if f.Parallelism.Known {
		return int64(f.Parallelism.V), factTerm("parallelism", f.Parallelism, float64(f.Parallelism.V), Count)
	}
	return jobParallelism(in)
}

// jobParallelism is the parallelism of the job, 0 when neither the job file nor the configuration says.
func jobParallelism(in Input) (int64, Term) {
	if p := in.Job.Job.Parallelism; p.Known {
		return int64(p.V), factTerm("parallelism", p, float64(p.V), Count)
	}
	if p := in.Conf.Int("parallelism.default"); p.Set() && p.Has {
		return int64(p.V), valueTerm("parallelism", p, float64(p.V), Count)
	}
	return 0, Term{}
}

// group numbers the groups. Vertices of a streaming job share slots by slot sharing group. In a batch job every pipelined region asks
// for slots of its own (SlotSharingGroup per region), and regions joined by blocking exchanges run one after the other.
func (g *graph) group(facts []job.Vertex) {
	region := make([]int, len(g.vertices))
	for i := range region {
		region[i] = i
	}
	find := func(i int) int {
		for region[i] != i {
			region[i] = region[region[i]]
			i = region[i]
		}
		return i
	}
	if g.batch {
		for _, e := range g.edges {
			if e.exchange == pipelined {
				region[find(e.from)] = find(e.to)
			}
		}
	}
	type id struct {
		name   string
		region int
	}
	seen := map[id]int{}
	for i := range g.vertices {
		key := id{name: "default"}
		if s := facts[i].SlotSharingGroup; s.Known && s.V != "" {
			key.name = s.V
		}
		if g.batch {
			key.region = find(i)
		}
		n, ok := seen[key]
		if !ok {
			n = len(seen)
			seen[key] = n
		}
		g.vertices[i].group = n
	}
	g.groups = len(seen)
}

// order finds the groups of a batch job that never stand side by side: the consumers of a blocking all-to-all exchange, and what follows them, start
// when all its producers have finished (PipelinedRegionSchedulingStrategy, VertexwiseSchedulingStrategy). A pointwise exchange only makes single
// subtasks wait.
func (g *graph) order() {
	if !g.batch {
		return
	}
	out, members := make([][]int, len(g.vertices)), make([][]int, g.groups)
	for i := range g.edges {
		out[g.edges[i].from] = append(out[g.edges[i].from], i)
	}
	for i := range g.vertices {
		members[g.vertices[i].group] = append(members[g.vertices[i].group], i)
	}
	// after[v] marks the groups that start when vertex v has finished.
	after := make([][]bool, len(g.vertices))
	for v := range g.vertices {
		after[v] = make([]bool, g.groups)
		// A vertex downstream of v finishes after v; a group starts as one, and those that read from it no sooner.
		seen := make([]bool, len(g.vertices))
		downstream, started := []int{v}, []int(nil)
		for len(downstream) > 0 {
			u := downstream[len(downstream)-1]
			downstream = downstream[:len(downstream)-1]
			if seen[u] {
				continue
			}
			seen[u] = true
			for _, i := range out[u] {
				e := &g.edges[i]
				if e.exchange == blocking && !e.pointwise {
					started = append(started, g.vertices[e.to].group)
				} else {
					downstream = append(downstream, e.to)
				}
			}
		}
		for len(started) > 0 {
			group := started[len(started)-1]
			started = started[:len(started)-1]
			if after[v][group] {
				continue
			}
			after[v][group] = true
			for _, u := range members[group] {
				for _, i := range out[u] {
					started = append(started, g.vertices[g.edges[i].to].group)
				}
			}
		}
	}
	g.apart = make([][]bool, g.groups)
	for a := range g.apart {
		g.apart[a] = make([]bool, g.groups)
		for b := range g.apart[a] {
			g.apart[a][b] = a != b && !slices.ContainsFunc(members[a], func(v int) bool { return !after[v][b] })
		}
	}
}

// markAligned finds the edges that stay aligned though unaligned checkpoints are on (StreamGraphGenerator, per consuming node).
func (g *graph) markAligned(c *conf.Effective, v version.Version) {
	forced := c.Bool("execution.checkpointing.unaligned.forced")
	// broken[v] names the first input of vertex v that cannot go unaligned.
	broken := make([]string, len(g.vertices))
	for i := range g.edges {
		e := &g.edges[i]
		strategy := e.fact.ShipStrategy.V
		switch {
		case v.Before(1, 11):
			e.aligned = "unaligned checkpoints exist from Flink 1.11 on"
		case g.batch:
			e.aligned = "a batch job takes no checkpoints"
		case e.exchange != pipelined:
			e.aligned = "the exchange is not pipelined"
		case e.pointwise && v.AtLeast(1, 13):
			e.aligned = strategy + " never goes unaligned"
		case strategy == "BROADCAST" && broadcastStaysAligned(v):
			e.aligned = "BROADCAST never goes unaligned"
		case strategy == "CUSTOM" && v.AtLeast(1, 13) && (!forced.Has || !forced.V):
			e.aligned = "a custom partitioner needs execution.checkpointing.unaligned.forced"
		}
		if e.aligned != "" && broken[e.to] == "" {
			broken[e.to] = strategy + " from " + g.vertices[e.from].name
		}
	}
	for i := range g.edges {
		e := &g.edges[i]
		if e.aligned == "" && broken[e.to] != "" {
			e.aligned = g.vertices[e.to].name + " has another input that never goes unaligned: " + broken[e.to]
		}
	}
}

// broadcastStaysAligned tells versions with FLINK-22815: 1.14, and 1.11.4, 1.12.5 and 1.13.2 of the lines before.
func broadcastStaysAligned(v version.Version) bool {
	switch {
	case v.AtLeast(1, 14):
		return true
	case v.AtLeast(1, 13):
		return v.AtLeastPatch(1, 13, 2)
	case v.AtLeast(1, 12):
		return v.AtLeastPatch(1, 12, 5)
	}
	return v.AtLeastPatch(1, 11, 4)
}

// size computes what follows from the parallelism of both ends of each edge (VertexInputInfoComputationUtils).
func (g *graph) size() {
	widest := g.widest()
	for i := range g.edges {
		e := &g.edges[i]
		u, v := &g.vertices[e.from], &g.vertices[e.to]
		p1, p2 := u.parallelism, v.parallelism
		if e.pointwise {
			e.subpartitions, e.channels = ceilDiv(p2, p1), ceilDiv(p1, p2)
			e.leastSubpartitions, e.leastChannels = max(p2/p1, 1), max(p1/p2, 1)
		} else {
			e.subpartitions, e.channels = p2, p1
			e.leastSubpartitions, e.leastChannels = p2, p1
		}
		e.partition = g.pools.partition(e.subpartitions, e.exchange)
		e.gate = g.pools.gate(e.channels, e.exchange)
		e.shared, e.sharable = g.shares(i)
		e.local = anywhere
		if u.group == v.group {
			switch {
			case !e.pointwise && p1 == widest[u.group]:
				e.local = allSlots
			case e.forward && p1 == p2 && v.inputs == 1:
				e.local = ownSlot
			}
		}
	}
}

// shares tells whether edge i certainly reads the partition of an earlier edge, and whether it may. Edges that are not pipelined share one when their
// partitioners are equal and their consumers have the same parallelism. Two HASH or CUSTOM edges may differ in what they part by.
func (g *graph) shares(i int) (certain, possible bool) {
	e := &g.edges[i]
	if !g.pools.reuse || e.exchange == pipelined {
		return false, false
	}
	strategy := e.fact.ShipStrategy.V
	for j := range g.edges[:i] {
		o := &g.edges[j]
		if o.from == e.from && o.exchange == e.exchange && o.fact.ShipStrategy.V == strategy && g.vertices[o.to].parallelism == g.vertices[e.to].parallelism {
			return strategy != "HASH" && strategy != "CUSTOM", true
		}
	}
	return false, false
}

// widest is the number of slots of each group: the parallelism of its widest vertex.
func (g *graph) widest() []int64 {
	w := make([]int64, g.groups)
	for i := range g.vertices {
		v := &g.vertices[i]
		w[v.group] = max(w[v.group], v.parallelism)
	}
	return w
}

// slotsNeeded is how many slots the job must have: all groups of a streaming job, the widest one of a batch job, whose regions may
// follow each other.
func (g *graph) slotsNeeded() int64 {
	if g.batch {
		return slices.Max(g.widest())
	}
	return g.slotsAtMost()
}

// slotsAtMost is how many slots the job may hold at the same time.
func (g *graph) slotsAtMost() int64 {
	var sum int64
	for _, w := range g.widest() {
		sum += w
	}
	return sum
}

// at is the same graph with the vertices that follow the job's parallelism at p.
func (g *graph) at(p int64) *graph {
	out := *g
	out.vertices = append([]vertex(nil), g.vertices...)
	out.edges = append([]edge(nil), g.edges...)
	for i := range out.vertices {
		if out.vertices[i].uniform {
			out.vertices[i].parallelism = p
		}
	}
	out.size()
	return &out
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// appendNew appends name unless it is there.
func appendNew(names []string, name string) []string {
	for _, n := range names {
		if n == name {
			return names
		}
	}
	return append(names, name)
}

// factTerm is a term that the job file gives.
func factTerm[T any](name string, f job.Fact[T], value float64, unit Unit) Term {
	return Term{Name: name, Value: value, Unit: unit, Origin: conf.Given, From: f.Origin(), Span: f.Span}
}

// valueTerm is a term that an option gives.
func valueTerm[T any](name string, v conf.Value[T], value float64, unit Unit) Term {
	return Term{Name: name, Value: value, Unit: unit, Origin: v.Origin(), From: v.From(), Span: v.Span()}
}

// bytesOf multiplies buffers by the segment size; it stops at MaxBytes.
func bytesOf(buffers int64, segment quantity.Bytes) quantity.Bytes {
	if segment > 0 && buffers > int64(quantity.MaxBytes/segment) {
		return quantity.MaxBytes
	}
	return quantity.Bytes(buffers) * segment
}
