package diagnose

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// A Solution is a TaskManager whose slots have exactly the bytes of a profile.
type Solution struct {
	Slots int
	// CPU is that of the whole TaskManager.
	CPU float64
	// FlinkSize and ProcessSize are both what the other one derives; ByFlink and ByProcess tell which of them, set alone in whole MiB, gives the profile.
	FlinkSize, ProcessSize quantity.Bytes
	ByFlink, ByProcess     bool
}

// maxSolvedSlots ends the search: more slots in one TaskManager are not seen in practice.
const maxSolvedSlots = 128

// Invert finds all numbers of slots and total sizes in whole MiB with which the rest of the configuration derives exactly this slot profile, the likeliest
// first. At least so many slots are there as the largest index seen tells. Each solution was derived by the budget.
//
// A profile is each part of the TaskManager divided by the slots and truncated, framework memory left out. For n slots the Flink size therefore lies within
// the 4(n-1) bytes above n times the profile's sum plus the framework's parts; whole MiB in so narrow a range are rare.
func Invert(in budget.Input, p Profile, atLeast int) []Solution {
	// Any size that derives gives the framework's parts, which do not depend on it.
	some := budget.TaskManagerWithFlinkSize(in, 64*quantity.GiB)
	framework := some.FrameworkHeap.Bytes + some.FrameworkOffHeap.Bytes
	sum := p.TaskHeap + p.TaskOffHeap + p.Managed + p.Network
	if sum <= 0 || sum > largestSlot || !some.FrameworkHeap.Known || !some.FrameworkOffHeap.Known {
		return nil
	}
	var out []Solution
	for n := max(atLeast, 1); n <= maxSolvedSlots; n++ {
		least := quantity.Bytes(n)*sum + framework
		if least > largestTaskManager {
			break
		}
		s := Solution{Slots: n, CPU: cores(p.CPU, n)}
		flink := least.CeilTo(quantity.MiB)
		if flink <= least+4*quantity.Bytes(n-1) {
			if tm := budget.TaskManagerWithFlinkSize(in, flink); gives(tm, n, p) {
				s.ByFlink, s.FlinkSize, s.ProcessSize = true, flink, tm.ProcessSize.Bytes
			}
		}
		for _, size := range processSizes(in, least) {
			if tm := budget.TaskManagerWithProcessSize(in, size); gives(tm, n, p) {
				s.ByProcess, s.FlinkSize, s.ProcessSize = true, tm.FlinkSize.Bytes, size
				break
			}
		}
		if s.ByFlink || s.ByProcess {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b Solution) int {
		return cmp.Or(
			cmp.Compare(b.roundness(), a.roundness()),
			cmp.Compare(b.wholeCores(), a.wholeCores()),
			cmp.Compare(a.Slots, b.Slots),
		)
	})
	return out
}

const (
	// largestSlot and largestTaskManager keep sums from overflowing: 1 TiB and 16 TiB, beyond any machine.
	largestSlot        = quantity.TiB
	largestTaskManager = 16 * quantity.TiB
)

// gives tells whether the slots of a TaskManager have these bytes when there are n of them.
func gives(tm *budget.TaskManager, n int, p Profile) bool {
	k := quantity.Bytes(n)
	return len(tm.Refusals) == 0 && tm.TaskHeap.Bytes/k == p.TaskHeap && tm.TaskOffHeap.Bytes/k == p.TaskOffHeap &&
		tm.Managed.Bytes/k == p.Managed && tm.Network.Bytes/k == p.Network
}

// processSizes are the sizes in whole MiB around the process that has this Flink size: the two that a process size found from its parts lies between, for each way
// in which JVM overhead comes about.
func processSizes(in budget.Input, flink quantity.Bytes) []quantity.Bytes {
	around := budget.TaskManagerWithFlinkSize(in, flink)
	if !around.ProcessSize.Known {
		return nil
	}
	at := around.ProcessSize.Bytes / quantity.MiB * quantity.MiB
	return []quantity.Bytes{at, at + quantity.MiB, at - quantity.MiB}
}

// cores multiplies the cores of a slot, which were rounded down, by the slots.
func cores(perSlot float64, slots int) float64 {
	c := perSlot * float64(slots)
	if r := math.Round(c); math.Abs(c-r) < 1e-6*float64(slots) {
		return r
	}
	return c
}

func (s Solution) wholeCores() int {
	if s.CPU == math.Trunc(s.CPU) {
		return 1
	}
	return 0
}

// roundness is how round the rounder of the two sizes is: the zeros at the end of its MiB in binary. 1 GiB has 10, 1728 MiB have 6.
func (s Solution) roundness() int {
	round := 0
	if s.ByFlink {
		round = bits.TrailingZeros64(uint64(s.FlinkSize / quantity.MiB))
	}
	if s.ByProcess {
		round = max(round, bits.TrailingZeros64(uint64(s.ProcessSize/quantity.MiB)))
	}
	return round
}
