package budget

import "math/bits"

// DefaultMaxParallelism is the number of key groups that Flink gives an operator without maximum parallelism when it first runs with parallelism
// p: the next power of two at or above one and a half times p, 128 at least and 32768 at most
// (KeyGroupRangeAssignment.computeDefaultMaxParallelism). It stays with the state for ever.
func DefaultMaxParallelism(p int) int {
	const least = 1 << 7
	p = min(max(p, 1), maxParallelism)
	want := p + p/2
	return min(max(1<<bits.Len(uint(want-1)), least), maxParallelism)
}

// KeyGroupLoad is the work of the busiest subtask over the mean, when keys are spread evenly over groups key groups and those over p subtasks:
// ceil(groups/p) / (groups/p). 1 is even. p must be from 1 to groups.
func KeyGroupLoad(groups, p int) float64 {
	busiest := (groups + p - 1) / p
	return float64(busiest) * float64(p) / float64(groups)
}
