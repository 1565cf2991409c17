package budget

import (
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// largestAdvisedSize ends the search for a size that fits: 1 TiB, beyond what anybody gives one process.
const largestAdvisedSize = quantity.TiB

// TaskManagerWithProcessSize is what the configuration would derive with this process size and without a Flink size.
func TaskManagerWithProcessSize(in Input, size quantity.Bytes) *TaskManager {
	return deriveTaskManager(in, instead(tmProcessSize, tmFlinkSize, size))
}

// TaskManagerWithFlinkSize is what the configuration would derive with this Flink size and without a process size.
func TaskManagerWithFlinkSize(in Input, size quantity.Bytes) *TaskManager {
	return deriveTaskManager(in, instead(tmFlinkSize, tmProcessSize, size))
}

// JobManagerWithProcessSize is what the configuration would derive with this process size and without a Flink size.
func JobManagerWithProcessSize(in Input, size quantity.Bytes) *JobManager {
	return deriveJobManager(in, instead(jmProcessSize, jmFlinkSize, size))
}

// JobManagerWithFlinkSize is what the configuration would derive with this Flink size and without a process size.
func JobManagerWithFlinkSize(in Input, size quantity.Bytes) *JobManager {
	return deriveJobManager(in, instead(jmFlinkSize, jmProcessSize, size))
}

// instead sets one total and removes the other, whatever the configuration and its legacy options say.
func instead(key, unset string, size quantity.Bytes) map[string]Part {
	return map[string]Part{
		key:   {Bytes: size, Known: true, By: Configured, Origin: conf.Given, From: "proposed", Key: key},
		unset: {Key: unset},
	}
}

// SmallestProcessSize is the smallest process size of a TaskManager, in whole MiB, with which the rest of the configuration derives
// when no Flink size is set; ok is false when there is none up to 1 TiB, because something else is refused.
func SmallestProcessSize(in Input) (size quantity.Bytes, ok bool) {
	return smallest(func(s quantity.Bytes) []Refusal { return TaskManagerWithProcessSize(in, s).Refusals })
}

// SmallestFlinkSize is SmallestProcessSize for a Flink size without a process size.
func SmallestFlinkSize(in Input) (size quantity.Bytes, ok bool) {
	return smallest(func(s quantity.Bytes) []Refusal { return TaskManagerWithFlinkSize(in, s).Refusals })
}

// SmallestJobManagerProcessSize is SmallestProcessSize for the JobManager.
func SmallestJobManagerProcessSize(in Input) (size quantity.Bytes, ok bool) {
	return smallest(func(s quantity.Bytes) []Refusal { return JobManagerWithProcessSize(in, s).Refusals })
}

// SmallestJobManagerFlinkSize is SmallestFlinkSize for the JobManager.
func SmallestJobManagerFlinkSize(in Input) (size quantity.Bytes, ok bool) {
	return smallest(func(s quantity.Bytes) []Refusal { return JobManagerWithFlinkSize(in, s).Refusals })
}

// smallest searches for the smallest size in whole MiB that is not short of bytes, and takes it when nothing else is refused. Sizes that fit may
// end above as well (a remainder beyond its maximum); the search therefore climbs by doubling and then halves the gap.
func smallest(refusals func(quantity.Bytes) []Refusal) (quantity.Bytes, bool) {
	short := func(mebibytes quantity.Bytes) bool {
		for _, r := range refusals(mebibytes * quantity.MiB) {
			if r.Shortage() > 0 {
				return true
			}
		}
		return false
	}
	low, high := quantity.Bytes(0), quantity.Bytes(1)
	for short(high) {
		low, high = high, 2*high
		if high*quantity.MiB > largestAdvisedSize {
			return 0, false
		}
	}
	for high-low > 1 {
		if mid := (low + high) / 2; short(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	if size := high * quantity.MiB; len(refusals(size)) == 0 {
		return size, true
	}
	return 0, false
}
