package option

import "github.com/flinkadvise/flinkadvise/schema/version"

// A Limit is a range that Flink enforces on an option beyond its type: a value outside makes the process or the job fail.
type Limit struct {
	Key string
	// Min and Max are the ends as text that Flink would read, "" for none. MaxExclusive: Max itself is refused.
	Min, Max     string
	MaxExclusive bool
	// PowerOfTwo: only powers of two are taken.
	PowerOfTwo bool
	// Unset is a value outside the range that stands for "not set", "" for none.
	Unset string
	// Class is the Flink class that refuses.
	Class string
}

// limits are read out of the bytecode of the classes named, in 1.13.6, 1.20.5 and 2.3.0, which agree.
var limits = [...]Limit{
	{Key: "execution.checkpointing.interval", Min: "10 ms", Class: "CheckpointCoordinatorConfiguration"},
	{Key: "execution.checkpointing.max-concurrent-checkpoints", Min: "1", Class: "CheckpointCoordinatorConfiguration"},
	{Key: "execution.checkpointing.min-pause", Min: "0 ms", Class: "CheckpointCoordinatorConfiguration"},
	{Key: "execution.checkpointing.timeout", Min: "10 ms", Class: "CheckpointCoordinatorConfiguration"},
	{Key: "jobmanager.memory.jvm-overhead.fraction", Min: "0", Max: "1", MaxExclusive: true, Class: "RangeFraction"},
	{Key: "taskmanager.memory.jvm-overhead.fraction", Min: "0", Max: "1", MaxExclusive: true, Class: "RangeFraction"},
	{Key: "taskmanager.memory.network.fraction", Min: "0", Max: "1", MaxExclusive: true, Class: "RangeFraction"},
	{Key: "taskmanager.memory.segment-size", Min: "4 kb", PowerOfTwo: true, Class: "ConfigurationParserUtils"},
	{Key: "taskmanager.numberOfTaskSlots", Min: "1", Unset: "-1", Class: "ConfigurationParserUtils"},
}

// LimitOf returns the range that Flink enforces on the option that key sets in version v. False means that none is on record, not that
// Flink takes anything.
func LimitOf(key string, v version.Version) (Limit, bool) {
	m, ok := Lookup(key, v)
	if !ok {
		return Limit{}, false
	}
	for _, l := range limits {
		if l.Key == m.Option.Key {
			return l, true
		}
	}
	return Limit{}, false
}
