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
// when no Flink size is set, and enough is true of what is derived; ok is false when there is none up to 1 TiB, because something else is
// refused. A nil enough asks for no more than that Flink accepts. Enough must hold for every size above one for which it holds.
func SmallestProcessSize(in Input, enough func(*TaskManager) bool) (size quantity.Bytes, ok bool) {
	return smallestTaskManager(in, TaskManagerWithProcessSize, enough)
}

// SmallestFlinkSize is SmallestProcessSize for a Flink size without a process size.
func SmallestFlinkSize(in Input, enough func(*TaskManager) bool) (size quantity.Bytes, ok bool) {
	return smallestTaskManager(in, TaskManagerWithFlinkSize, enough)
}

func smallestTaskManager(in Input, derive func(Input, quantity.Bytes) *TaskManager, enough func(*TaskManager) bool) (quantity.Bytes, bool) {
	return smallest(func(size quantity.Bytes) (short, refused bool) {
		t := derive(in, size)
		return tooShort(t.Refusals) || len(t.Refusals) == 0 && enough != nil && !enough(t), len(t.Refusals) > 0
	})
}

// SmallestJobManagerProcessSize is SmallestProcessSize for the JobManager.
func SmallestJobManagerProcessSize(in Input, enough func(*JobManager) bool) (size quantity.Bytes, ok bool) {
	return smallestJobManager(in, JobManagerWithProcessSize, enough)
}

// SmallestJobManagerFlinkSize is SmallestFlinkSize for the JobManager.
func SmallestJobManagerFlinkSize(in Input, enough func(*JobManager) bool) (size quantity.Bytes, ok bool) {
	return smallestJobManager(in, JobManagerWithFlinkSize, enough)
}

func smallestJobManager(in Input, derive func(Input, quantity.Bytes) *JobManager, enough func(*JobManager) bool) (quantity.Bytes, bool) {
	return smallest(func(size quantity.Bytes) (short, refused bool) {
		j := derive(in, size)
		return tooShort(j.Refusals) || len(j.Refusals) == 0 && enough != nil && !enough(j), len(j.Refusals) > 0
	})
}

// tooShort tells whether bytes are missing.
func tooShort(refusals []Refusal) bool {
	for _, r := range refusals {
		if r.Shortage() > 0 {
			return true
		}
	}
	return false
}

// smallest searches for the smallest size in whole MiB that is not short of bytes, and takes it when nothing is refused. Sizes that fit may
// end above as well (a remainder beyond its maximum); the search therefore climbs by doubling and then halves the gap.
func smallest(try func(quantity.Bytes) (short, refused bool)) (quantity.Bytes, bool) {
	short := func(mebibytes quantity.Bytes) bool {
		s, _ := try(mebibytes * quantity.MiB)
		return s
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
	if _, refused := try(high * quantity.MiB); refused {
		return 0, false
	}
	return high * quantity.MiB, true
}
