package budget

import (
	"math"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
)

// A cluster is what the job's subtasks are placed on: equal TaskManagers.
type cluster struct {
	slots        int64
	taskManagers int64
	term         Term
	// alone tells that one TaskManager holds the whole job: every channel is local.
	alone bool
	// least is how many slots of the job any TaskManager holds at least.
	least int64
}

// clusterOf takes the number of TaskManagers from the job file, or assumes the fewest that have the slots. Fewer than that cannot run the
// job at all; then the fewest count as well.
func clusterOf(given job.Fact[int], g *graph, slots int64) cluster {
	needed := g.slotsNeeded()
	fewest := max(ceilDiv(needed, slots), 1)
	c := cluster{slots: slots, taskManagers: fewest}
	c.term = Term{Name: "TaskManagers", Value: float64(fewest), Unit: Count, Origin: conf.Assumed, From: "deployment.taskManagers"}
	if given.Known && int64(given.V) >= fewest {
		// Those beyond one for each slot hold nothing of the job.
		c.taskManagers = min(int64(given.V), max(g.slotsAtMost(), 1))
		c.term = factTerm("TaskManagers", given, float64(given.V), Count)
	}
	c.alone = c.taskManagers == 1
	if !g.batch {
		c.least = min(max(needed-(c.taskManagers-1)*slots, 0), slots)
	}
	return c
}

// A weight is what an edge takes of the buffers of a TaskManager: for each producer subtask, each consumer subtask and each channel.
type weight struct {
	producer, consumer, channel int64
	// local tells that certainly local channels take nothing.
	local bool
}

// A load is the sum of a measure over one TaskManager.
type load struct {
	total int64
	edges []edgeLoad
}

// An edgeLoad is the share of one edge: producers, consumers and channels that count, and their buffers.
type edgeLoad struct {
	producers, consumers, channels    int64
	perProducer, perConsumer, perChan int64
}

func (l edgeLoad) total() int64 {
	return l.producers*l.perProducer + l.consumers*l.perConsumer + l.channels*l.perChan
}

// worst is the load of the TaskManager that is worst off, whatever the placement.
//
// With k slots of a group on it, a TaskManager hosts at most min(k, p) subtasks of a vertex. The sum of a group is concave in k: a subtask adds
// its buffers, and each further slot makes one more channel of each consumer local; so adding the slot with the largest gain, one at a time, finds
// the maximum over all groups.
func (g *graph) worst(c cluster, weights []weight) load {
	// Of a group with k slots, vertex v takes min(k, p)·(fixed[v] − local[v]·k) buffers.
	fixed, local := make([]int64, len(g.vertices)), make([]int64, len(g.vertices))
	for i, w := range weights {
		e := &g.edges[i]
		fixed[e.from] += w.producer
		fixed[e.to] += w.consumer + w.channel*e.channels
		switch {
		case !w.local:
		case c.alone:
			fixed[e.to] -= w.channel * e.channels
		case e.local == ownSlot:
			fixed[e.to] -= w.channel
		case e.local == allSlots:
			local[e.to] += w.channel
		}
	}
	value := func(group int, k int64) (sum int64) {
		for i := range g.vertices {
			if v := &g.vertices[i]; v.group == group {
				sum += min(k, v.parallelism) * (fixed[i] - local[i]*k)
			}
		}
		return sum
	}
	widest := g.widest()
	// fill chooses slots among the allowed groups.
	fill := func(allowed []bool) (chosen []int64, total int64) {
		chosen, gain := make([]int64, g.groups), make([]int64, g.groups)
		for group := range gain {
			gain[group] = value(group, 1)
		}
		for used := int64(0); used < c.slots; used++ {
			best := -1
			for group := range gain {
				if allowed[group] && chosen[group] < widest[group] && (best < 0 || gain[group] > gain[best]) {
					best = group
				}
			}
			if best < 0 || gain[best] < 0 && used >= c.least {
				break
			}
			chosen[best]++
			total += gain[best]
			k := chosen[best]
			gain[best] = value(best, k+1) - value(best, k)
		}
		return chosen, total
	}
	chosen := g.sideBySide(fill)
	out := load{edges: make([]edgeLoad, len(g.edges))}
	for i, w := range weights {
		e := &g.edges[i]
		u, v := &g.vertices[e.from], &g.vertices[e.to]
		l := edgeLoad{producers: min(chosen[u.group], u.parallelism), consumers: min(chosen[v.group], v.parallelism)}
		l.perProducer, l.perConsumer, l.perChan = w.producer, w.consumer, w.channel
		l.channels = l.consumers * (e.channels - e.certainlyLocal(c, w, chosen[v.group]))
		out.edges[i] = l
		out.total += l.total()
	}
	return out
}

// maxStageChoices bounds the search for stages that stand side by side. Graphs of dozens of stages need a few choices; where the bound is met, stages
// count as side by side that are not, and the figure is too large rather than too small.
const maxStageChoices = 1000

// sideBySide is the best of what fill makes of sets of groups that may stand side by side. It takes all groups, and where two of the result exclude each
// other, it tries again without the one and without the other.
func (g *graph) sideBySide(fill func(allowed []bool) ([]int64, int64)) []int64 {
	var best []int64
	most, choices := int64(math.MinInt64), 0
	var try func(allowed []bool)
	try = func(allowed []bool) {
		chosen, total := fill(allowed)
		if total <= most {
			return
		}
		choices++
		if a, b, ok := g.clash(chosen); ok && choices < maxStageChoices {
			for _, group := range []int{a, b} {
				allowed[group] = false
				try(allowed)
				allowed[group] = true
			}
			return
		}
		best, most = chosen, total
	}
	allowed := make([]bool, g.groups)
	for i := range allowed {
		allowed[i] = true
	}
	try(allowed)
	return best
}

// clash finds two groups with slots that never stand side by side.
func (g *graph) clash(chosen []int64) (a, b int, ok bool) {
	for a := range g.apart {
		for b := range g.apart[a] {
			if chosen[a] > 0 && chosen[b] > 0 && g.apart[a][b] {
				return a, b, true
			}
		}
	}
	return 0, 0, false
}

// certainlyLocal is how many channels of one consumer subtask are local for certain, with k slots of its group on the TaskManager.
func (e *edge) certainlyLocal(c cluster, w weight, k int64) int64 {
	switch {
	case !w.local:
		return 0
	case c.alone:
		return e.channels
	case e.local == ownSlot:
		return 1
	case e.local == allSlots:
		return k
	}
	return 0
}

// even is the load of a TaskManager when every vertex is spread evenly over all of them.
func (g *graph) even(c cluster, weights []weight) int64 {
	var total int64
	for i, w := range weights {
		e := &g.edges[i]
		producers := min(ceilDiv(g.vertices[e.from].parallelism, c.taskManagers), c.slots)
		consumers := min(ceilDiv(g.vertices[e.to].parallelism, c.taskManagers), c.slots)
		remote := e.channels
		switch {
		case !w.local:
		case c.alone:
			remote = 0
		case !e.pointwise:
			remote -= min(producers, remote)
		case e.local == ownSlot:
			remote--
		}
		total += producers*w.producer + consumers*(w.consumer+w.channel*remote)
	}
	return total
}

// overall is the share of edge i in the sum of a measure over all TaskManagers, in the worst placement.
func (g *graph) overall(c cluster, weights []weight, i int) int64 {
	w, e := weights[i], &g.edges[i]
	u, v := &g.vertices[e.from], &g.vertices[e.to]
	// A consumer stands in a slot of its group, and at least c.least of the slots on its TaskManager belong to a group that is the only one.
	k := int64(1)
	if g.groups == 1 {
		k = max(k, c.least)
	}
	// The channels of all consumers together: one for each producer and consumer of an all-to-all edge, one for each of the wider side of a
	// pointwise one.
	channels, subtasks := u.parallelism*v.parallelism, v.parallelism
	if e.pointwise {
		channels = max(u.parallelism, v.parallelism)
	}
	channels -= min(subtasks*e.certainlyLocal(c, w, k), channels)
	return u.parallelism*w.producer + v.parallelism*w.consumer + channels*w.channel
}

// leastRequired is what some TaskManager requires in every placement: the average over the TaskManagers, with as many local channels as slots
// allow. For a batch job, whose regions need not run together, it is what the most demanding subtask requires.
func (g *graph) leastRequired(c cluster) int64 {
	subtask := make([]int64, len(g.vertices))
	var remote int64
	for i := range g.edges {
		e := &g.edges[i]
		if !e.sharable {
			subtask[e.from] += g.pools.partition(e.leastSubpartitions, e.exchange).min
		}
		subtask[e.to] += g.pools.gate(e.leastChannels, e.exchange).min
		if !e.pointwise && !c.alone {
			p1, p2 := g.vertices[e.from].parallelism, g.vertices[e.to].parallelism
			remote += e.gate.exclusive * (p1*p2 - min(c.slots*min(p1, p2), p1*p2))
		}
	}
	var sum, most int64
	for i := range subtask {
		sum += g.vertices[i].parallelism * subtask[i]
		most = max(most, subtask[i])
	}
	if g.batch {
		return most
	}
	return ceilDiv(sum+remote, c.taskManagers)
}

// The measures of the graph, one weight for each edge.

func (g *graph) weights(of func(*edge) weight) []weight {
	out := make([]weight, len(g.edges))
	for i := range g.edges {
		out[i] = of(&g.edges[i])
	}
	return out
}

// producer is what each producer's partition takes of this edge; nothing where it is that of an earlier edge.
func (e *edge) producer(buffers int64) int64 {
	if e.shared {
		return 0
	}
	return buffers
}

// required is the hard minimum of a running job: pool minima, and exclusive buffers of remote channels.
func (e *edge) required() weight {
	return weight{producer: e.producer(e.partition.min), consumer: e.gate.min, channel: e.gate.exclusive, local: true}
}

// restoreReserved is what Flink books while channel state is recovered: every channel that may have state takes its exclusive buffers, local ones too from
// 1.12 on (RecoveredInputChannel).
func (g *graph) restoreReserved(e *edge) weight {
	w := e.required()
	w.local = e.aligned != "" || !g.pools.restoreLocal
	return w
}

// restore is what always suffices while channel state is recovered (RecoveredInputChannel, SequentialChannelStateReader, SingleInputGate).
//
// Producers first read back what they had not sent, and keep it, up to the maximum of their pools, until the consumers have read their own
// state; a gate fills its pool likewise while its task is slow, or waits for those after it. Meanwhile every channel with state takes its
// exclusive buffers, local ones too from 1.12 on, and a gate that makes its first recovered channel a remote one takes those of the new channel before it
// returns those of the old.
func (g *graph) restore(c cluster) func(*edge) weight {
	return func(e *edge) weight {
		if e.aligned != "" {
			return e.required()
		}
		w := e.target()
		if g.pools.restoreLocal {
			w.local = false
			if !c.alone {
				w.consumer += e.gate.exclusive
			}
		}
		return w
	}
}

// target is what gives every pool its maximum.
func (e *edge) target() weight {
	return weight{producer: e.producer(e.partition.max), consumer: e.gate.max, channel: e.gate.exclusive, local: true}
}

// maximum is the most that can ever be in use: overdraft included, every channel counted as remote.
func (e *edge) maximum() weight {
	w := e.target()
	w.producer += e.producer(e.partition.overdraft)
	w.local = false
	return w
}

// inFlight is what an unaligned checkpoint may have to persist: all buffers of the edges that can go unaligned.
func (e *edge) inFlight() weight {
	if e.aligned != "" {
		return weight{}
	}
	w := e.target()
	w.producer += e.partition.overdraft
	return w
}
