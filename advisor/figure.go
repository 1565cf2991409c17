package advisor

import (
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// BudgetDiff is one figure of the budgets that differs between two targets. A figure that is not known is nil.
type BudgetDiff struct {
	Name string `json:"name"`
	// Unit is that of Old and New: bytes, buffers, seconds or a plain count.
	Unit string `json:"unit"`
	Old  *int64 `json:"old"`
	New  *int64 `json:"new"`
}

// DiffBudgets lists the figures in which the budgets of two targets differ, in a fixed order. A nil before has no figures.
func DiffBudgets(before, after *Target) []BudgetDiff {
	var out []BudgetDiff
	for _, f := range figures {
		var was *int64
		if before != nil {
			was = f.of(before)
		}
		is := f.of(after)
		if was == nil && is == nil || was != nil && is != nil && *was == *is {
			continue
		}
		out = append(out, BudgetDiff{f.name, string(f.unit), was, is})
	}
	return out
}

// figure is one number of the budgets that a change may move.
type figure struct {
	name string
	unit budget.Unit
	of   func(*Target) *int64
}

var figures = []figure{
	{"TaskManager process size", budget.Bytes, ofPart(func(m *budget.TaskManager) budget.Part { return m.ProcessSize })},
	{"task heap", budget.Bytes, ofPart(func(m *budget.TaskManager) budget.Part { return m.TaskHeap })},
	{"task heap of a slot", budget.Bytes, slotHeap},
	{"managed memory", budget.Bytes, ofPart(func(m *budget.TaskManager) budget.Part { return m.Managed })},
	{"network memory", budget.Bytes, ofPart(func(m *budget.TaskManager) budget.Part { return m.Network })},
	{"JVM metaspace", budget.Bytes, ofPart(func(m *budget.TaskManager) budget.Part { return m.JVMMetaspace })},
	{"JVM overhead", budget.Bytes, ofPart(func(m *budget.TaskManager) budget.Part { return m.JVMOverhead })},
	{"JobManager process size", budget.Bytes, func(t *Target) *int64 { return part(t.JobManager.ProcessSize) }},
	{"JobManager heap", budget.Bytes, func(t *Target) *int64 { return part(t.JobManager.Heap) }},
	{"network buffers", budget.Buffers, func(t *Target) *int64 { return amount(t.Network.Buffers) }},
	{"buffers required", budget.Buffers, func(t *Target) *int64 { return amount(t.Network.Required) }},
	{"buffer headroom in %", budget.Count, headroom},
	{"largest parallelism that fits", budget.Count, func(t *Target) *int64 { return amount(t.Network.MaxParallelism) }},
	{"in-flight data of a checkpoint", budget.Bytes, func(t *Target) *int64 { return amount(t.Checkpoint.InFlightJob) }},
	{"checkpoint timeout in s", budget.Seconds, func(t *Target) *int64 {
		if t.Checkpoint.Timeout.IsZero() {
			return nil
		}
		s := t.Checkpoint.Timeout.Sec
		return &s
	}},
}

func ofPart(get func(*budget.TaskManager) budget.Part) func(*Target) *int64 {
	return func(t *Target) *int64 {
		if t.TaskManager == nil || len(t.TaskManager.Refusals) > 0 {
			return nil
		}
		return part(get(t.TaskManager))
	}
}

// slotHeap is the task heap that a slot gets; where there is one slot it is the task heap and says nothing new.
func slotHeap(t *Target) *int64 {
	if t.TaskManager == nil || len(t.TaskManager.Refusals) > 0 || t.TaskManager.PerSlot.Profile == "" || t.TaskManager.Slots < 2 {
		return nil
	}
	n := int64(t.TaskManager.PerSlot.TaskHeap)
	return &n
}

// headroom is how much of the network buffers is left above what is required, in percent.
func headroom(t *Target) *int64 {
	n := t.Network
	if !n.Buffers.Known || !n.Required.Known || n.Required.V == 0 {
		return nil
	}
	p := (n.Buffers.V - n.Required.V) * 100 / n.Required.V
	return &p
}

func part(p budget.Part) *int64 {
	if !p.Known {
		return nil
	}
	n := int64(p.Bytes)
	return &n
}

func amount[T int64 | quantity.Bytes](a budget.Amount[T]) *int64 {
	if !a.Known {
		return nil
	}
	n := int64(a.V)
	return &n
}
