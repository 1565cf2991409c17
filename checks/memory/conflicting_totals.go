package memory

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed conflicting-totals.md
var conflictingTotalsDoc string

// ConflictingTotals finds sizes that are given twice over: two totals, or a total and all parts of it. Where Flink refuses them,
// memory/does-not-fit tells.
var ConflictingTotals = &advisor.Rule{
	ID:         "memory/conflicting-totals",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Hygiene,
	Confidence: advisor.Certain,
	Reads:      []string{tmProcessSize, tmFlinkSize, tmTaskHeap, tmManaged, jmProcessSize, jmFlinkSize, jmHeap, "taskmanager.heap.size", "jobmanager.heap.size"},
	Facts:      []string{"deployment.target"},
	Doc:        conflictingTotalsDoc,
	Check:      conflictingTotals,
}

func conflictingTotals(t *advisor.Target, r *advisor.Report) {
	if m := t.TaskManager; accepted(m) {
		process, flink := t.Conf.Memory(tmProcessSize).Set(), m.FlinkSize.By == budget.Configured
		parts := m.TaskHeap.By == budget.Configured && m.Managed.By == budget.Configured
		switch {
		case process && (flink || parts) && m.Rederived && differs(m.Before, m.ProcessSize.Bytes):
			r.Find(ignoredProcessSize(t, m))
		case process && flink:
			r.Find(twice(t, m.JVMOverhead, tmProcessSize, m.FlinkSize.Key))
		case process && parts:
			r.Find(twice(t, m.JVMOverhead, tmProcessSize, m.TaskHeap.Key, m.Managed.Key))
		case flink && parts:
			r.Find(twice(t, m.Network, m.FlinkSize.Key, m.TaskHeap.Key, m.Managed.Key))
		}
	}
	if j := t.JobManager; len(j.Refusals) == 0 && j.Configured && j.ProcessSize.Known && t.Version.AtLeast(1, 11) {
		process, flink, heap := j.ProcessSize.By == budget.Configured, j.FlinkSize.By == budget.Configured, j.Heap.By == budget.Configured
		switch {
		case process && heap:
			r.Find(twice(t, j.JVMOverhead, j.ProcessSize.Key, j.Heap.Key))
		case process && flink:
			r.Find(twice(t, j.JVMOverhead, j.ProcessSize.Key, j.FlinkSize.Key))
		case flink && heap && j.OffHeap.By == budget.Remainder:
			r.Find(twice(t, j.OffHeap, j.FlinkSize.Key, j.Heap.Key))
		}
	}
}

// differs tells whether two process sizes differ by more than the byte or two of rounding.
func differs(a, b quantity.Bytes) bool { return max(a-b, b-a) >= quantity.MiB }

// twice tells which part became the rest between the sizes that are set.
func twice(t *advisor.Target, rest budget.Part, keys ...string) advisor.Finding {
	labels := mark(t, keys, func(string) string { return "" })
	names, all := strings.Join(keys[:len(keys)-1], ", ")+" and "+keys[len(keys)-1], "all"
	if len(keys) == 2 {
		all = "both"
	}
	var notes []string
	if rest.Name != "off-heap" {
		notes = append(notes, fmt.Sprintf("the fraction of %s has no effect then; Flink only checks that the rest lies within its minimum and maximum", rest.Name))
	}
	return advisor.Finding{
		Message: fmt.Sprintf("%s are %s set, so %s is what is left between them, %s", names, all, rest.Name, rest.Bytes.Pretty()),
		Labels:  labels,
		Terms:   []budget.Term{term(rest)},
		Notes:   notes,
		Help:    "keep one of them: a later change of one alone is refused as soon as the rest leaves its range",
	}
}

// ignoredProcessSize is for native Kubernetes and YARN, where the worker is sized without the configured process size.
func ignoredProcessSize(t *advisor.Target, m *budget.TaskManager) advisor.Finding {
	return advisor.Finding{
		Severity: advisor.Warning, Impact: advisor.NoEffect, Confidence: sure(t),
		Message: fmt.Sprintf("%s (%s) has no effect: TaskManagers are started with %s", tmProcessSize, m.Before.Pretty(), m.ProcessSize.Bytes.Pretty()),
		Labels:  mark(t, []string{tmProcessSize, tmFlinkSize, tmTaskHeap, tmManaged}, func(string) string { return "" }),
		Terms:   terms(m.FlinkSize, m.JVMMetaspace, m.JVMOverhead, m.ProcessSize),
		Notes: []string{"Flink's ResourceManager on native Kubernetes and YARN drops the configured totals and adds JVM overhead again by its fraction (1.18 and newer)",
			fmt.Sprintf("the container asked for has %s", m.Container.Memory.Pretty())},
		Help: fmt.Sprintf("keep %s alone, and size overhead with taskmanager.memory.jvm-overhead.fraction, .min and .max", tmProcessSize),
	}
}
