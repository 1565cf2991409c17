package budget

import (
	"math"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Keys of checkpointing, by today's names.
const (
	keyInterval       = "execution.checkpointing.interval"
	keyTimeout        = "execution.checkpointing.timeout"
	keyMode           = "execution.checkpointing.mode"
	keyMinPause       = "execution.checkpointing.min-pause"
	keyUnaligned      = "execution.checkpointing.unaligned.enabled"
	keyAlignedTimeout = "execution.checkpointing.aligned-checkpoint-timeout"
	keyIncremental    = "execution.checkpointing.incremental"
	keyChannelFiles   = "execution.checkpointing.unaligned.max-subtasks-per-channel-state-file"
	keyDebloat        = "taskmanager.network.memory.buffer-debloat.enabled"
	keyDebloatTarget  = "taskmanager.network.memory.buffer-debloat.target"
	keyMinSegment     = "taskmanager.memory.min-segment-size"
)

// Facts that estimates of time need.
const (
	factThroughput = "checkpointStorage.throughput"
	factEdgeRate   = "job.edges.rate"
)

// A Checkpoint is the budget of one checkpoint of the job.
type Checkpoint struct {
	// Enabled tells whether periodic checkpoints are on in this configuration; Unaligned whether they may go unaligned.
	Enabled, Unaligned bool
	// UnalignedOff tells why unaligned checkpoints that are switched on have no effect; empty when they have, or are not switched on.
	UnalignedOff string
	// Interval is zero when it is not set or not known. AlignedTimeout is how long a checkpoint stays aligned before it goes unaligned; with zero it
	// starts unaligned.
	Interval, Timeout, AlignedTimeout, MinPause quantity.Duration
	// Incremental tells that a checkpoint uploads changes only: switched on, and the state backend can do it.
	Incremental bool
	// Debloat tells that buffers shrink to what is consumed in the debloat target (1.14+).
	Debloat bool
	// InFlight… bound the in-flight data that an unaligned checkpoint persists; the cap is the network memory of a TaskManager. They are computed
	// whether or not unaligned checkpoints are on, and are not known before Flink 1.11 and for batch jobs. Records larger than a buffer come on top.
	InFlightPerTaskManager, InFlightJob, InFlightCapPerTaskManager Amount[quantity.Bytes]
	// InFlightPerSubtask is the bound of the subtask with the most; InFlightVertex is its vertex.
	InFlightPerSubtask Amount[quantity.Bytes]
	InFlightVertex     string
	// InFlightDebloated is what debloating leaves of InFlightJob at the rates of the edges. It is known only with Debloat and all rates.
	InFlightDebloated Amount[quantity.Bytes]
	// State is what one checkpoint uploads of state.
	State Amount[quantity.Bytes]
	// Files is the number of files of one checkpoint: channel-state files (at most), one for each stateful subtask (at least) and the metadata.
	// ChannelStateFiles is the first of them, and Handles how many channel-state handles the metadata may hold.
	Files, ChannelStateFiles, Handles Amount[int64]
	// Duration is the estimated time of a checkpoint in seconds: the time to persist state and, when unaligned, all in-flight data. Waiting for barriers
	// is not in it. DurationLeast is the same without in-flight data: no checkpoint is faster at this throughput.
	Duration, DurationLeast Amount[float64]
	// BreakEven is the throughput to storage, in bytes a second over the job, below which the timeout cannot be kept;
	// BreakEvenPerTaskManager is the same for one TaskManager. When the state is not known it counts as nothing, the amount is a lower
	// bound, and Needs names the fact although the amount is Known.
	BreakEven, BreakEvenPerTaskManager Amount[float64]
	// AlignedDrain is the time in seconds that an aligned barrier waits behind full buffers, over the slowest path, at the rates of the edges.
	AlignedDrain Amount[float64]
	// AlignedDrainBreakEven is the rate, in bytes a second that every subtask must take at least, below which an aligned barrier behind full
	// buffers does not arrive within the timeout.
	AlignedDrainBreakEven Amount[float64]

	taskManagers int64
	storage      job.Storage
}

// unalignedOf tells whether checkpoints may go unaligned, and if that is switched on in vain, why.
func unalignedOf(in Input, v version.Version) (on bool, off string) {
	unaligned := in.Conf.Bool(keyUnaligned)
	if !unaligned.Has || !unaligned.V || v.Before(1, 11) {
		return false, ""
	}
	mode := in.Conf.Enum(keyMode)
	switch {
	case isBatch(in):
		return false, "a batch job takes no checkpoints"
	case mode.Has && mode.V == "AT_LEAST_ONCE":
		return false, "the mode is AT_LEAST_ONCE"
	}
	return true, ""
}

// DeriveCheckpoint computes what a checkpoint writes and how long that takes.
func DeriveCheckpoint(in Input, tm *TaskManager, n *Network) *Checkpoint {
	v := versionOf(in.Conf)
	c := &Checkpoint{storage: in.Job.CheckpointStorage}
	interval, timeout := in.Conf.Duration(keyInterval), in.Conf.Duration(keyTimeout)
	c.Interval, c.Timeout = interval.V, timeout.V
	c.AlignedTimeout, c.MinPause = in.Conf.Duration(keyAlignedTimeout).V, in.Conf.Duration(keyMinPause).V
	c.Enabled = interval.Set() && (interval.Entry.Placeholder || interval.Has && !interval.V.IsZero()) && !isBatch(in)
	c.Unaligned, c.UnalignedOff = unalignedOf(in, v)
	debloat := in.Conf.Bool(keyDebloat)
	c.Debloat = debloat.Has && debloat.V
	if n.TaskManagers.Known {
		c.taskManagers = n.TaskManagers.V
	} else if t := in.Job.Deployment.TaskManagers; t.Known && t.V > 0 {
		c.taskManagers = int64(t.V)
	}
	if !isBatch(in) {
		c.deriveInFlight(in, v, n)
		c.deriveDrain(in, n, timeout)
	}
	c.deriveState(in)
	c.deriveFiles(in, v, n)
	c.deriveDuration(n, timeout)
	return c
}

// deriveInFlight computes the bounds of in-flight data from the pools, and the cap from network memory.
func (c *Checkpoint) deriveInFlight(in Input, v version.Version, n *Network) {
	if v.Before(1, 11) {
		return
	}
	if n.Buffers.Known {
		c.InFlightCapPerTaskManager = known(bytesOf(n.Buffers.V, n.SegmentSize), n.Buffers.Terms...)
	} else {
		c.InFlightCapPerTaskManager.Needs = n.Buffers.Needs
	}
	needs := n.Required.Needs
	if n.SegmentSize == 0 {
		needs = appendNew(needs, keySegmentSize)
	}
	if n.graph == nil || len(needs) > 0 {
		c.InFlightPerTaskManager.Needs, c.InFlightJob.Needs, c.InFlightPerSubtask.Needs = needs, needs, needs
		c.InFlightDebloated.Needs = needs
		return
	}
	g := n.graph
	segment := Term{Name: "segment size", Value: float64(n.SegmentSize), Unit: Bytes}
	if s := in.Conf.Memory(keySegmentSize); s.Has {
		segment = valueTerm("segment size", s, float64(n.SegmentSize), Bytes)
	}
	base := []Term{segment, n.cluster.term}
	weights := g.weights((*edge).inFlight)
	worst := g.worst(n.cluster, weights)
	perTM := bytesOf(worst.total, n.SegmentSize)
	var sum quantity.Bytes
	for i := range n.Edges {
		sum += min(n.Edges[i].InFlight, quantity.MaxBytes-sum)
	}
	if limit := c.InFlightCapPerTaskManager; limit.Known {
		perTM = min(perTM, limit.V)
	}
	sum = min(sum, bytesOf(n.cluster.taskManagers, perTM))
	c.InFlightPerTaskManager = known(perTM, g.terms(base, worst)...)
	c.InFlightJob = known(sum, n.inFlightTerms(base)...)
	c.deriveInFlightPerSubtask(n, weights, segment)
	c.deriveDebloated(in, n, base)
}

func (n *Network) inFlightTerms(base []Term) []Term {
	terms := append(make([]Term, 0, len(base)+len(n.Edges)), base...)
	for i := range n.Edges {
		e := &n.Edges[i]
		terms = append(terms, Term{
			Name: e.From + " -> " + e.To, Value: float64(e.InFlight), Unit: Bytes, Origin: conf.Given,
			From: n.graph.edges[i].fact.ShipStrategy.Origin(), Span: e.Span,
		})
	}
	return terms
}

// deriveInFlightPerSubtask finds the vertex whose subtasks may hold the most.
func (c *Checkpoint) deriveInFlightPerSubtask(n *Network, weights []weight, segment Term) {
	buffers := make([]int64, len(n.graph.vertices))
	for i, w := range weights {
		e := &n.graph.edges[i]
		buffers[e.from] += w.producer
		buffers[e.to] += w.consumer + w.channel*(e.channels-e.certainlyLocal(n.cluster, w, max(n.cluster.least, 1)))
	}
	most := 0
	for i := range buffers {
		if buffers[i] > buffers[most] {
			most = i
		}
	}
	c.InFlightPerSubtask = known(bytesOf(buffers[most], n.SegmentSize), segment)
	c.InFlightVertex = n.graph.vertices[most].name
}

// deriveDebloated estimates what debloating leaves: what is consumed in the debloat target, but no less than all buffers at their smallest size
// (BufferDebloater).
func (c *Checkpoint) deriveDebloated(in Input, n *Network, base []Term) {
	target, smallest := in.Conf.Duration(keyDebloatTarget), in.Conf.Memory(keyMinSegment)
	if !c.Debloat || !target.Has || !smallest.Has {
		return
	}
	terms := append([]Term{valueTerm("debloat target", target, target.V.Seconds(), Seconds)}, base...)
	var sum float64
	for i := range n.Edges {
		e := &n.Edges[i]
		if !e.Unaligned {
			continue
		}
		rate := n.graph.edges[i].fact.Rate
		if !rate.Known {
			c.InFlightDebloated.Needs = []string{factEdgeRate}
			return
		}
		terms = append(terms, factTerm(e.From+" -> "+e.To, rate, float64(rate.V), BytesPerSecond))
		floor := float64(e.Consumers) * float64(e.Ahead/n.SegmentSize) * float64(smallest.V)
		sum += min(max(float64(rate.V)*target.V.Seconds(), floor), float64(e.InFlight))
	}
	c.InFlightDebloated = known(quantity.Bytes(min(sum, float64(c.InFlightJob.V))), terms...)
}

// deriveDrain computes how long an aligned barrier waits, along the path of edges on which that takes longest.
func (c *Checkpoint) deriveDrain(in Input, n *Network, timeout conf.Value[quantity.Duration]) {
	if n.graph == nil || len(n.Edges) == 0 || n.SegmentSize == 0 {
		needs := n.Required.Needs
		if n.graph != nil && len(n.Edges) == 0 {
			needs = nil // nothing to wait behind
		}
		c.AlignedDrain.Needs, c.AlignedDrainBreakEven.Needs = needs, needs
		return
	}
	target, smallest := in.Conf.Duration(keyDebloatTarget), in.Conf.Memory(keyMinSegment)
	seconds, ahead := make([]float64, len(n.Edges)), make([]float64, len(n.Edges))
	var terms, aheadTerms []Term
	missing := false
	for i := range n.Edges {
		e := &n.Edges[i]
		ahead[i] = float64(e.Ahead)
		term := Term{
			Name: e.From + " -> " + e.To + ": ahead of a barrier", Value: ahead[i], Unit: Bytes, Origin: conf.Given,
			From: n.graph.edges[i].fact.ShipStrategy.Origin(), Span: e.Span,
		}
		aheadTerms = append(aheadTerms, term)
		rate := n.graph.edges[i].fact.Rate
		if !rate.Known || rate.V <= 0 {
			missing = true
			continue
		}
		perSubtask := float64(rate.V) / float64(e.Consumers)
		bytes := ahead[i]
		if c.Debloat && target.Has && smallest.Has {
			floor := ahead[i] / float64(n.SegmentSize) * float64(smallest.V)
			bytes = min(bytes, max(perSubtask*target.V.Seconds(), floor))
		}
		seconds[i] = bytes / perSubtask
		terms = append(terms, term, factTerm(e.From+" -> "+e.To+": rate", rate, float64(rate.V), BytesPerSecond))
	}
	if longest, ok := n.graph.longest(ahead); ok && timeout.Has && !timeout.V.IsZero() {
		c.AlignedDrainBreakEven = known(longest/timeout.V.Seconds(),
			append(aheadTerms, valueTerm("checkpoint timeout", timeout, timeout.V.Seconds(), Seconds))...)
	}
	if missing {
		c.AlignedDrain.Needs = []string{factEdgeRate}
		return
	}
	if longest, ok := n.graph.longest(seconds); ok {
		c.AlignedDrain = known(longest, terms...)
	}
}

// longest is the largest sum of lengths along a path of edges; ok is false when the edges form a cycle.
func (g *graph) longest(length []float64) (most float64, ok bool) {
	waiting := make([]int, len(g.vertices))
	out := make([][]int, len(g.vertices))
	for i := range g.edges {
		waiting[g.edges[i].to]++
		out[g.edges[i].from] = append(out[g.edges[i].from], i)
	}
	arrival := make([]float64, len(g.vertices))
	ready := make([]int, 0, len(g.vertices))
	for i := range waiting {
		if waiting[i] == 0 {
			ready = append(ready, i)
		}
	}
	for done := 0; done < len(ready); done++ {
		v := ready[done]
		most = max(most, arrival[v])
		for _, i := range out[v] {
			to := g.edges[i].to
			arrival[to] = max(arrival[to], arrival[v]+length[i])
			if waiting[to]--; waiting[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	return most, len(ready) == len(g.vertices)
}

// deriveState is what a checkpoint uploads: all state, or what changed.
func (c *Checkpoint) deriveState(in Input) {
	backend, _ := BackendOf(in.Conf)
	incremental := in.Conf.Bool(keyIncremental)
	c.Incremental = incremental.Has && incremental.V && (backend == RocksDBBackend || backend == ForStBackend)
	switch size, changed := in.Job.State.Size, in.Job.State.ChangedPerCheckpoint; {
	case c.Incremental && changed.Known:
		c.State = known(changed.V, factTerm("state changed per checkpoint", changed, float64(changed.V), Bytes))
	case c.Incremental:
		// The size alone is not enough, but without it the first checkpoint, which uploads everything, is not known either.
		c.State.Needs = []string{"state.changedPerCheckpoint"}
		if !size.Known {
			c.State.Needs = append(c.State.Needs, "state.size")
		}
	case size.Known:
		c.State = known(size.V, factTerm("state", size, float64(size.V), Bytes))
	default:
		c.State.Needs = []string{"state.size"}
	}
}

// deriveFiles counts files: channel state is one file for each subtask up to 1.16, and one for each group of subtasks on a
// TaskManager from 1.17 on (ChannelStateWriteRequestExecutorFactory).
func (c *Checkpoint) deriveFiles(in Input, v version.Version, n *Network) {
	if n.graph == nil || !n.TaskManagers.Known {
		c.Files.Needs, c.ChannelStateFiles.Needs, c.Handles.Needs = n.Required.Needs, n.Required.Needs, n.Required.Needs
		return
	}
	g := n.graph
	touched := make([]bool, len(g.vertices))
	var handles int64
	for i := range g.edges {
		if e := &g.edges[i]; e.aligned == "" {
			touched[e.from], touched[e.to] = true, true
			// One handle for each input channel and one for each subpartition.
			handles += 2 * g.vertices[e.from].parallelism * g.vertices[e.to].parallelism
		}
	}
	var subtasks, carrying int64
	for i := range g.vertices {
		subtasks += g.vertices[i].parallelism
		if touched[i] {
			carrying += g.vertices[i].parallelism
		}
	}
	group := int64(1)
	var terms []Term
	if v.AtLeast(1, 17) {
		k := in.Conf.Int(keyChannelFiles)
		if !k.Has || k.V < 1 {
			c.ChannelStateFiles.Needs = []string{k.Key}
			c.Files.Needs = c.ChannelStateFiles.Needs
			return
		}
		group = int64(k.V)
		terms = append(terms, valueTerm("subtasks per channel-state file", k, float64(group), Count))
	}
	perTM := ceilDiv(ceilDiv(subtasks, n.TaskManagers.V), group)
	channelFiles := int64(0)
	if c.Unaligned {
		channelFiles = min(perTM*n.TaskManagers.V, carrying)
	} else {
		handles = 0
	}
	c.ChannelStateFiles = known(channelFiles, append(terms, n.cluster.term)...)
	c.Handles = known(handles)
	stateful, anyFact := int64(0), false
	for i := range in.Job.Job.Vertices {
		f := &in.Job.Job.Vertices[i]
		anyFact = anyFact || f.KeyedStates.Known || f.Window != nil
		if f.KeyedStates.Known && f.KeyedStates.V > 0 || f.Window != nil {
			stateful += g.vertices[i].parallelism
		}
	}
	if !anyFact {
		c.Files.Needs = []string{"job.vertices.keyedStates"}
		return
	}
	c.Files = known(channelFiles+stateful+1,
		Term{Name: "channel-state files", Value: float64(channelFiles), Unit: Count, Origin: conf.Given},
		Term{Name: "stateful subtasks", Value: float64(stateful), Unit: Count, Origin: conf.Given},
		Term{Name: "metadata", Value: 1, Unit: Count, Origin: conf.Given})
}

// inFlight is what an unaligned checkpoint adds, over the job and for one TaskManager; nothing when checkpoints are aligned. ok is false when that is
// not known.
func (c *Checkpoint) inFlight() (job, perTM float64, ok bool) {
	if !c.Unaligned {
		return 0, 0, true
	}
	if !c.InFlightJob.Known {
		return 0, 0, false
	}
	job, perTM = float64(c.InFlightJob.V), float64(c.InFlightPerTaskManager.V)
	if c.InFlightDebloated.Known && job > 0 {
		perTM *= float64(c.InFlightDebloated.V) / job
		job = float64(c.InFlightDebloated.V)
	}
	return job, perTM, true
}

// Persist is the time in seconds to write the state and a share (0 to 1) of the in-flight bound to storage, by the throughputs that are known. ok is
// false when state, in-flight data or both throughputs are not known.
//
// It is the asynchronous part of a checkpoint: the slower of the storage's limit for the whole job and of one TaskManager's, the state spread
// evenly.
func (c *Checkpoint) Persist(share float64) (seconds float64, ok bool) {
	if !c.State.Known {
		return 0, false
	}
	inFlight, perTM, ok := c.inFlight()
	if !ok && share > 0 {
		return 0, false
	}
	found := false
	if r := c.storage.Throughput; r.Known && r.V > 0 {
		seconds, found = (float64(c.State.V)+share*inFlight)/float64(r.V), true
	}
	if r := c.storage.ThroughputPerTaskManager; r.Known && r.V > 0 && c.taskManagers > 0 {
		own := (float64(c.State.V)/float64(c.taskManagers) + share*perTM) / float64(r.V)
		seconds, found = max(seconds, own), true
	}
	return seconds, found
}

// StateThatFits is the state that one checkpoint can upload within the timeout at a throughput of bytesPerSecond over the job, next to all in-flight
// data. ok is false when the in-flight data is not known.
func (c *Checkpoint) StateThatFits(bytesPerSecond float64) (size quantity.Bytes, ok bool) {
	inFlight, _, ok := c.inFlight()
	if !ok {
		return 0, false
	}
	room := c.Timeout.Seconds()*bytesPerSecond - inFlight
	return quantity.Bytes(min(max(room, 0), math.MaxInt64/2)), true
}

// ThroughputFor is the throughput in bytes a second over the job at which so much state and all in-flight data are written just within the
// timeout. ok is false when the in-flight data is not known or there is no timeout.
func (c *Checkpoint) ThroughputFor(state quantity.Bytes) (bytesPerSecond float64, ok bool) {
	inFlight, _, ok := c.inFlight()
	if !ok || c.Timeout.IsZero() {
		return 0, false
	}
	return (float64(state) + inFlight) / c.Timeout.Seconds(), true
}

// deriveDuration estimates the time to persist and turns it around.
func (c *Checkpoint) deriveDuration(n *Network, timeout conf.Value[quantity.Duration]) {
	var terms []Term
	terms = append(terms, c.State.Terms...)
	inFlight, perTM, inFlightKnown := c.inFlight()
	if c.Unaligned && inFlightKnown {
		terms = append(terms, Term{Name: "in-flight data of the job", Value: inFlight, Unit: Bytes, Origin: conf.Given, From: "buffers of the job graph"})
	}
	rates := append([]Term(nil), terms...)
	if r := c.storage.Throughput; r.Known {
		rates = append(rates, factTerm("throughput of the storage", r, float64(r.V), BytesPerSecond))
	}
	if r := c.storage.ThroughputPerTaskManager; r.Known {
		rates = append(rates, factTerm("throughput of a TaskManager to storage", r, float64(r.V), BytesPerSecond))
	}
	needs := append([]string(nil), c.State.Needs...)
	if !c.storage.Throughput.Known && (!c.storage.ThroughputPerTaskManager.Known || c.taskManagers == 0) {
		if c.storage.ThroughputPerTaskManager.Known {
			needs = append(needs, "deployment.taskManagers")
		} else {
			needs = append(needs, factThroughput)
		}
	}
	if s, ok := c.Persist(0); ok {
		c.DurationLeast = known(s, rates...)
	} else {
		c.DurationLeast.Needs = needs
	}
	if !inFlightKnown {
		needs = append(needs, c.InFlightJob.Needs...)
	}
	if s, ok := c.Persist(1); ok && inFlightKnown {
		c.Duration = known(s, rates...)
	} else {
		c.Duration.Needs = needs
	}
	switch {
	case !timeout.Has || timeout.V.IsZero():
		c.BreakEven.Needs = []string{timeout.Key}
	case !inFlightKnown:
		c.BreakEven.Needs = append(append([]string(nil), c.State.Needs...), c.InFlightJob.Needs...)
	case !c.State.Known && inFlight == 0:
		c.BreakEven.Needs = c.State.Needs
	default:
		terms = append(terms, valueTerm("checkpoint timeout", timeout, timeout.V.Seconds(), Seconds))
		if !c.State.Known {
			terms = append(terms, Term{Name: "state", Unit: Bytes, Origin: conf.Assumed, From: c.State.Needs[0]})
		}
		all := (float64(c.State.V) + inFlight) / timeout.V.Seconds()
		c.BreakEven = known(all, terms...)
		c.BreakEven.Needs = c.State.Needs
		if c.taskManagers > 0 {
			own := (float64(c.State.V)/float64(c.taskManagers) + perTM) / timeout.V.Seconds()
			c.BreakEvenPerTaskManager = known(own, terms...)
			c.BreakEvenPerTaskManager.Needs = c.State.Needs
			return
		}
		c.BreakEvenPerTaskManager.Needs = []string{"deployment.taskManagers"}
		return
	}
	c.BreakEvenPerTaskManager.Needs = c.BreakEven.Needs
}
