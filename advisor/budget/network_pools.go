package budget

import (
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Keys that decide how many buffers a gate, a channel or a partition may have.
const (
	keySegmentSize        = "taskmanager.memory.segment-size"
	keyExclusive          = "taskmanager.network.memory.buffers-per-channel"
	keyFloating           = "taskmanager.network.memory.floating-buffers-per-gate"
	keySubpartitionMax    = "taskmanager.network.memory.max-buffers-per-channel"
	keyOverdraft          = "taskmanager.network.memory.max-overdraft-buffers-per-gate"
	keyRequiredPerGate    = "taskmanager.network.memory.read-buffer.required-per-gate.max"
	keySortBuffers        = "taskmanager.network.sort-shuffle.min-buffers"
	keySortMinParallelism = "taskmanager.network.sort-shuffle.min-parallelism"
	keyHybridNewMode      = "taskmanager.network.hybrid-shuffle.enable-new-mode"
	keyHybridRemotePath   = "taskmanager.network.hybrid-shuffle.remote.path"
	keyBatchShuffleMode   = "execution.batch-shuffle-mode"
	keyRuntimeMode        = "execution.runtime-mode"
)

// What Flink 2.0 made of the options that it removed (NettyShuffleEnvironmentConfiguration). The overdraft is not its old default of 5.
const (
	fixedExclusive       = 2
	fixedFloating        = 8
	fixedSubpartitionMax = 10
	fixedOverdraft       = 20
	fixedSortFrom        = 1
)

// Constants of Flink that no option sets.
const (
	// gateLimitBlocking is InputGateSpecUtils.DEFAULT_MAX_REQUIRED_BUFFERS_PER_GATE_FOR_BATCH: what one gate of a blocking exchange may
	// require when required-per-gate.max is not set. Pipelined gates have no limit then.
	gateLimitBlocking = 1000
	// tieredBuffers is what a producer of a tiered hybrid exchange requires at least: 100 for the memory tier and 1 for the disk tier; the
	// remote tier takes one more (MemoryTierFactory, DiskTierFactory, RemoteTierFactory).
	tieredBuffers = 101
	// tieredAccumulator is what 1.18 and 1.19 added to that for the accumulator (TieredStorageConfiguration.getTotalExclusiveBufferNum).
	tieredAccumulator = 512
	// sortBuffersPerSubpartition bounds a sort-shuffle pool from 1.15 on: 4 buffers for each subpartition (NettyShuffleUtils).
	sortBuffersPerSubpartition = 4
	// unboundedFactor is what Flink's own usage gauge counts for a pool without a maximum: twice its minimum
	// (NetworkBufferPool.getEstimatedRequestedSegmentsUsage).
	unboundedFactor = 2
)

// maxPoolOption bounds the numbers that are read from options. 2^20 buffers are 32 GiB at the default segment size, for one channel; the bound only
// keeps the products below 2^63.
const maxPoolOption = 1 << 20

// An exchange is how a result partition hands its data over (ResultPartitionType).
type exchange int

const (
	pipelined exchange = iota
	blocking
	hybrid
)

// pools is what one Flink version, with its options, gives gates and partitions.
type pools struct {
	// exclusive buffers per channel, floating buffers per gate, overdraft buffers per pipelined partition.
	exclusive, floating, overdraft int64
	// subpartitionMax is how many buffers one subpartition may hold; 0 is no limit (1.10).
	subpartitionMax int64
	// gateLimit is required-per-gate.max; 0 is not set.
	gateLimit int64
	// gateMin is the minimum of a gate's pool before 1.17: nothing in 1.10, one buffer for recovery later.
	gateMin int64
	// reuse tells that edges out of one vertex may read one partition (StreamingJobGraphGenerator.createOrReuseOutput, 1.16+).
	reuse bool
	// gateSpec tells that InputGateSpecUtils decides (1.17+).
	gateSpec bool
	// restoreLocal tells that local channels take exclusive buffers too while their state is recovered (1.12+).
	restoreLocal bool
	// sortBuffers is the minimum of a sort-shuffle partition; partitions with sortFrom subpartitions or more use it. sortBounded tells that
	// such a pool has a maximum (1.15+).
	sortBuffers, sortFrom int64
	sortBounded           bool
	// tiered is the minimum of a tiered hybrid partition, 0 for the legacy hybrid shuffle.
	tiered int64
	// tieredPipelined tells that the TaskManager itself is configured for tiered hybrid exchanges, whose minimum then also bounds that of
	// pipelined partitions.
	tieredPipelined bool
}

// A pool is the minimum and the maximum of a local buffer pool, in buffers.
type pool struct {
	min, max int64
	// unbounded tells that Flink sets no maximum; max is then what its usage gauge counts.
	unbounded bool
	overdraft int64
}

// A gate is the pool of an input gate and the exclusive buffers of each of its remote channels.
type gate struct {
	pool
	exclusive int64
}

// poolsOf reads the options of version v. needs names the options whose value cannot be known.
func poolsOf(c *conf.Effective, v version.Version) (p pools, needs []string) {
	count := func(key string, fixed int64) int64 {
		o := c.Int(key)
		switch {
		case o.Has:
			return min(max(int64(o.V), 0), maxPoolOption)
		case o.Set() || o.Err != nil:
			needs = append(needs, o.Key)
		}
		return fixed
	}
	overdraft, subpartitionMax := int64(0), int64(0)
	if v.AtLeast(2, 0) {
		overdraft = fixedOverdraft
	}
	if v.AtLeast(1, 11) {
		subpartitionMax = fixedSubpartitionMax
	}
	p = pools{
		exclusive:       count(keyExclusive, fixedExclusive),
		floating:        count(keyFloating, fixedFloating),
		overdraft:       count(keyOverdraft, overdraft),
		subpartitionMax: count(keySubpartitionMax, subpartitionMax),
		gateLimit:       count(keyRequiredPerGate, 0),
		reuse:           v.AtLeast(1, 16),
		gateSpec:        v.AtLeast(1, 17),
		restoreLocal:    v.AtLeast(1, 12),
		sortBounded:     v.AtLeast(1, 15),
	}
	if v.AtLeast(1, 11) {
		p.gateMin = 1
	}
	if v.AtLeast(1, 12) {
		p.sortBuffers = count(keySortBuffers, 0)
		p.sortFrom = count(keySortMinParallelism, fixedSortFrom)
	}
	if v.AtLeast(1, 18) {
		newMode := c.Bool(keyHybridNewMode)
		if v.AtLeast(2, 0) || !newMode.Has || newMode.V {
			p.tiered = tieredBuffers
			if v.Before(1, 20) {
				p.tiered += tieredAccumulator
			}
			if c.String(keyHybridRemotePath).Set() {
				p.tiered++
			}
			p.tieredPipelined = strings.Contains(c.Enum(keyBatchShuffleMode).V, "HYBRID")
		}
	}
	return p, needs
}

// gate is the input gate of one subtask with channels input channels (SingleInputGateFactory; InputGateSpecUtils from 1.17 on).
func (p pools) gate(channels int64, x exchange) gate {
	if !p.gateSpec {
		return gate{pool: pool{min: p.gateMin, max: p.floating}, exclusive: p.exclusive}
	}
	want := channels*p.exclusive + 1
	limit := want
	switch {
	case p.gateLimit > 0:
		limit = p.gateLimit
	case x == blocking || x == hybrid && p.tiered > 0:
		limit = gateLimitBlocking
	}
	required := min(limit, want)
	e := min(p.exclusive, (required-1)/channels)
	return gate{pool: pool{min: required - e*channels, max: channels*p.exclusive + p.floating - e*channels}, exclusive: e}
}

// partition is the result partition of one subtask with that many subpartitions (ResultPartitionFactory.createBufferPoolFactory;
// NettyShuffleUtils from 1.14 on).
func (p pools) partition(subpartitions int64, x exchange) pool {
	hash := subpartitions + 1
	switch {
	case x == pipelined:
		least := hash
		if p.tieredPipelined {
			least = min(p.tiered, hash)
		}
		return pool{min: least, max: max(least, subpartitions*p.exclusive+p.floating), overdraft: p.overdraft}
	case x == hybrid && p.tiered > 0:
		return unboundedPool(min(p.tiered, hash))
	case x == blocking && p.sortBuffers > 0 && subpartitions >= p.sortFrom:
		if p.sortBounded {
			return pool{min: p.sortBuffers, max: max(p.sortBuffers, sortBuffersPerSubpartition*subpartitions)}
		}
		return unboundedPool(p.sortBuffers)
	}
	return unboundedPool(hash)
}

func unboundedPool(minimum int64) pool {
	return pool{min: minimum, max: unboundedFactor * minimum, unbounded: true}
}
