// Package memory has the rules about the memory of Flink's processes: what does not fit, what contradicts itself, what is idle, and what is
// too small for what runs in it.
//
// The sums are those of advisor/budget, which follows Flink's own derivation; a rule here adds the sentence and what to do.
package memory

import (
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// Options that several rules name.
const (
	tmProcessSize = "taskmanager.memory.process.size"
	tmFlinkSize   = "taskmanager.memory.flink.size"
	tmTaskHeap    = "taskmanager.memory.task.heap.size"
	tmManaged     = "taskmanager.memory.managed.size"
	tmFraction    = "taskmanager.memory.managed.fraction"
	tmSlots       = "taskmanager.numberOfTaskSlots"
	jmProcessSize = "jobmanager.memory.process.size"
	jmFlinkSize   = "jobmanager.memory.flink.size"
	jmHeap        = "jobmanager.memory.heap.size"
	stateBackend  = "state.backend.type"
)

// adviceStep is what sizes that we propose are rounded up to: people write such sizes, and the step costs little.
const adviceStep = 64 * quantity.MiB

// legacyHeaps are the options that Flink before 2.0 still takes for a size.
var legacyHeaps = []string{"taskmanager.heap.size", "taskmanager.heap.mb", "jobmanager.heap.size", "jobmanager.heap.mb"}

// sure is the confidence of what holds for one Flink version for certain: where the version is assumed, it is only likely.
func sure(t *advisor.Target) advisor.Confidence {
	if t.VersionAssumed {
		return advisor.Likely
	}
	return advisor.Certain
}

// ageUnknown tells that the size of a process comes from an option that Flink before 1.10 had as well, and nothing says which version this is
// for. Those had no such model, so there is nothing to judge.
func ageUnknown(t *advisor.Target, totals ...budget.Part) bool {
	return t.VersionAssumed && slices.ContainsFunc(totals, func(p budget.Part) bool { return slices.Contains(legacyHeaps, p.Key) })
}

// term is a part of memory as a term.
func term(p budget.Part) budget.Term {
	return budget.Term{Name: p.Name, Value: float64(p.Bytes), Unit: budget.Bytes, Origin: p.Origin, From: p.How(), Span: p.Span}
}

// terms are those of the parts that are known and have a size.
func terms(parts ...budget.Part) []budget.Term {
	var out []budget.Term
	for _, p := range parts {
		if p.Known && p.Bytes > 0 {
			out = append(out, term(p))
		}
	}
	return out
}

// mark labels the options that are set; texts go with keys.
func mark(t *advisor.Target, keys []string, text func(key string) string) []advisor.Label {
	var out []advisor.Label
	for _, k := range keys {
		if l, ok := t.Label(k, text(k)); ok && !slices.ContainsFunc(out, func(o advisor.Label) bool { return o.Span == l.Span }) {
			out = append(out, l)
		}
	}
	return out
}

// A backend is where keyed state lives.
type backend int

const (
	unknownBackend backend = iota
	heapBackend
	rocksDB
	forSt
)

// backendOf tells the state backend of the configuration. Where the option is not set, Flink takes the heap (set is false) unless the
// program says otherwise.
func backendOf(t *advisor.Target) (b backend, set bool) {
	v := t.Conf.String(stateBackend)
	if !v.Set() {
		return heapBackend, false
	}
	if !v.Has {
		return unknownBackend, true
	}
	name := strings.ToLower(v.V)
	switch {
	case strings.Contains(name, "rocksdb"):
		return rocksDB, true
	case strings.Contains(name, "forst"):
		return forSt, true
	case slices.Contains([]string{"hashmap", "filesystem", "jobmanager"}, name),
		strings.Contains(name, "hashmapstatebackend"), strings.Contains(name, "fsstatebackend"), strings.Contains(name, "memorystatebackend"):
		return heapBackend, true
	}
	return unknownBackend, true
}

// whatIf derives the TaskManager with options changed as -D would change them.
func whatIf(t *advisor.Target, pairs ...quantity.Pair) *budget.TaskManager {
	layers := make([]conf.Layer, 2)
	for _, e := range t.Conf.Entries() {
		layers[0].Entries = append(layers[0].Entries, *e)
	}
	if t.Conf.Standard {
		layers[0].Dialect = conf.YAML
	}
	for _, p := range pairs {
		layers[1].Entries = append(layers[1].Entries, conf.Entry{Key: p.Key, Value: p.Value, Text: p.Value})
	}
	changed, err := conf.Merge(t.Conf.Version, layers...)
	if err != nil {
		return &budget.TaskManager{}
	}
	in := t.BudgetInput()
	in.Conf = changed
	return budget.DeriveTaskManager(in)
}

// accepted tells whether Flink takes the TaskManager's memory and all of it could be computed.
func accepted(m *budget.TaskManager) bool {
	return len(m.Refusals) == 0 && m.Configured && m.ProcessSize.Known && m.TaskHeap.Known
}
