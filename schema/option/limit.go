package option

import "github.com/flinkadvise/flinkadvise/schema/version"

// A Limit is a range that Flink enforces on an option beyond its type: a value outside makes the process or the job fail.
type Limit struct {
	Key string
	// Min and Max are the ends as text that Flink would read, "" for none. MinExclusive and MaxExclusive: the end itself is refused.
	Min, Max                   string
	MinExclusive, MaxExclusive bool
	// PowerOfTwo: only powers of two are taken.
	PowerOfTwo bool
	// Unset is a value outside the range that stands for "not set", "" for none.
	Unset string
	// Class is the Flink class that refuses.
	Class string
}

// limits are read out of the classes named, in their sources of 1.20 and in the bytecode of 1.13.6, 1.20.5 and 2.3.0 where those have the class. Those
// of the autoscaler are the operator's.
var limits = [...]Limit{
	{Key: "execution.checkpointing.interval", Min: "10 ms", Class: "CheckpointCoordinatorConfiguration"},
	{Key: "execution.checkpointing.max-concurrent-checkpoints", Min: "1", Class: "CheckpointCoordinatorConfiguration"},
	{Key: "execution.checkpointing.min-pause", Min: "0 ms", Class: "CheckpointCoordinatorConfiguration"},
	{Key: "execution.checkpointing.timeout", Min: "10 ms", Class: "CheckpointCoordinatorConfiguration"},
	{Key: "job.autoscaler.scale-down.max-factor", Min: "0", Class: "DefaultValidator"},
	{Key: "job.autoscaler.scale-up.max-factor", Min: "0", Class: "DefaultValidator"},
	{Key: "job.autoscaler.utilization.target", Min: "0", Max: "1", Class: "DefaultValidator"},
	{Key: "jobmanager.memory.jvm-overhead.fraction", Min: "0", Max: "1", MaxExclusive: true, Class: "RangeFraction"},
	{Key: "parallelism.default", Min: "1", Unset: "-1", Class: "ExecutionConfig"},
	{Key: "pipeline.max-parallelism", Min: "1", Max: "32768", Unset: "-1", Class: "ExecutionConfig and DefaultVertexParallelismInfo"},
	{Key: "restart-strategy.exponential-delay.attempts-before-reset-backoff", Min: "1", Class: "ExponentialDelayRestartBackoffTimeStrategy"},
	{Key: "restart-strategy.exponential-delay.backoff-multiplier", Min: "1", MinExclusive: true, Class: "ExponentialDelayRestartBackoffTimeStrategy"},
	{Key: "restart-strategy.exponential-delay.initial-backoff", Min: "1 ms", Class: "ExponentialDelayRestartBackoffTimeStrategy"},
	{Key: "restart-strategy.exponential-delay.jitter-factor", Min: "0", Max: "1", Class: "ExponentialDelayRestartBackoffTimeStrategy"},
	{Key: "restart-strategy.exponential-delay.max-backoff", Min: "1 ms", Class: "ExponentialDelayRestartBackoffTimeStrategy"},
	{Key: "restart-strategy.exponential-delay.reset-backoff-threshold", Min: "1 ms", Class: "ExponentialDelayRestartBackoffTimeStrategy"},
	{Key: "restart-strategy.failure-rate.failure-rate-interval", Min: "1 ms", Class: "FailureRateRestartBackoffTimeStrategy"},
	{Key: "restart-strategy.failure-rate.max-failures-per-interval", Min: "1", Class: "FailureRateRestartBackoffTimeStrategy"},
	{Key: "restart-strategy.fixed-delay.attempts", Min: "0", Class: "FixedDelayRestartBackoffTimeStrategy"},
	{Key: "slow-task-detector.check-interval", Min: "1 ms", Class: "ExecutionTimeBasedSlowTaskDetector"},
	{Key: "slow-task-detector.execution-time.baseline-multiplier", Min: "0", MinExclusive: true, Class: "ExecutionTimeBasedSlowTaskDetector"},
	{Key: "slow-task-detector.execution-time.baseline-ratio", Min: "0", Max: "1", MaxExclusive: true, Class: "ExecutionTimeBasedSlowTaskDetector"},
	{Key: "state.backend.rocksdb.block.blocksize", Min: "1 b", Class: "RocksDBConfigurableOptions"},
	{Key: "state.backend.rocksdb.block.cache-size", Min: "1 b", Class: "RocksDBConfigurableOptions"},
	{Key: "state.backend.rocksdb.compaction.level.max-size-level-base", Min: "1 b", Class: "RocksDBConfigurableOptions"},
	{Key: "state.backend.rocksdb.compaction.level.target-file-size-base", Min: "1 b", Class: "RocksDBConfigurableOptions"},
	{Key: "state.backend.rocksdb.restore-overlap-fraction-threshold", Min: "0", Max: "1", Class: "EmbeddedRocksDBStateBackend"},
	{Key: "state.backend.rocksdb.thread.num", Min: "1", Class: "RocksDBConfigurableOptions"},
	{Key: "state.backend.rocksdb.writebuffer.count", Min: "1", Class: "RocksDBConfigurableOptions"},
	{Key: "state.backend.rocksdb.writebuffer.number-to-merge", Min: "1", Class: "RocksDBConfigurableOptions"},
	{Key: "state.backend.rocksdb.writebuffer.size", Min: "1 b", Class: "RocksDBConfigurableOptions"},
	{Key: "taskmanager.memory.jvm-overhead.fraction", Min: "0", Max: "1", MaxExclusive: true, Class: "RangeFraction"},
	{Key: "taskmanager.memory.network.fraction", Min: "0", Max: "1", MaxExclusive: true, Class: "RangeFraction"},
	{Key: "taskmanager.memory.segment-size", Min: "4 kb", PowerOfTwo: true, Class: "ConfigurationParserUtils"},
	{Key: "taskmanager.numberOfTaskSlots", Min: "1", Unset: "-1", Class: "ConfigurationParserUtils"},
}

// LimitOf returns the range that Flink enforces on the option that key sets in version v. False means that none is on record, not that
// Flink takes anything.
func LimitOf(key string, v version.Version) (Limit, bool) {
	m, ok := Lookup(key, v)
	if !ok || m.Option == nil {
		return Limit{}, false
	}
	for _, l := range limits {
		if l.Key == m.Option.Key {
			return l, true
		}
	}
	return Limit{}, false
}
