package memory

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed consumer-weight-missing.md
var consumerWeightMissingDoc string

const consumerWeights = "taskmanager.memory.managed.consumer-weights"

// ConsumerWeightMissing finds weights of managed memory that leave out a consumer which the job has: a map that is set replaces the whole default.
var ConsumerWeightMissing = &advisor.Rule{
	ID:         "memory/consumer-weight-missing",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WillFail,
	Confidence: advisor.Likely,
	Reads:      []string{consumerWeights, stateBackend, "state.backend.rocksdb.memory.managed", "python.execution-mode", "python.fn-execution.memory.managed"},
	Facts:      []string{"job.api"},
	Doc:        consumerWeightMissingDoc,
	Check:      consumerWeightMissing,
}

func consumerWeightMissing(t *advisor.Target, r *advisor.Report) {
	v := t.Conf.Map(consumerWeights)
	if !v.Set() || !v.Has || t.Version.Before(1, 12) {
		return
	}
	if b, _ := backendOf(t); usesManaged(t, b) && weight(v.V, backendConsumers(t)...) <= 0 {
		name := backendConsumers(t)[0]
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("%s has no weight for %s, and the state backend gets no managed memory", consumerWeights, name),
			Labels:  mark(t, []string{v.Entry.Key, stateBackend}, func(string) string { return "" }),
			Notes: []string{
				"a map that is set replaces the default with all its entries",
				`keyed tasks fail when they open their state: "The fraction of memory to allocate should not be 0"`,
			},
			Help: fmt.Sprintf("add %s:70", name),
		})
	}
	python := t.Conf.Bool("python.fn-execution.memory.managed")
	mode := t.Conf.String("python.execution-mode")
	if t.Job.Job.API.V == "python" && python.Has && python.V && mode.V != "thread" && weight(v.V, "PYTHON") <= 0 {
		r.Find(advisor.Finding{
			Severity: advisor.Warning, Impact: advisor.Unstable,
			Message: fmt.Sprintf("%s has no weight for PYTHON, and Python workers get no managed memory", consumerWeights),
			Labels:  mark(t, []string{v.Entry.Key}, func(string) string { return "" }),
			Notes:   []string{"a map that is set replaces the default with all its entries", "what the workers take is then counted by no part of the process size"},
			Help:    "add PYTHON:30",
		})
	}
}

// usesManaged tells whether the state backend takes managed memory.
func usesManaged(t *advisor.Target, b backend) bool {
	prefix, ok := nativeOptions(b)
	if !ok {
		return false
	}
	managed := t.Conf.Bool(prefix + "memory.managed")
	return managed.Has && managed.V && !t.Conf.Memory(prefix+"memory.fixed-per-slot").Set() && !t.Conf.Memory(prefix+"memory.fixed-per-tm").Set()
}

// backendConsumers are the names by which this version gives the state backend its weight, the one to write first. 1.12 had one name for batch operators
// and state; 1.13 to 1.20 fall back to it.
func backendConsumers(t *advisor.Target) []string {
	switch {
	case t.Version.Before(1, 13):
		return []string{"DATAPROC"}
	case t.Version.Before(2, 0):
		return []string{"STATE_BACKEND", "DATAPROC"}
	}
	return []string{"STATE_BACKEND"}
}

// weight is that of the first of the names that is there; 0 where none is. What is no whole number counts as a weight: Flink refuses it by itself.
func weight(pairs []quantity.Pair, names ...string) int {
	for _, name := range names {
		if i := slices.IndexFunc(pairs, func(p quantity.Pair) bool { return p.Key == name }); i >= 0 {
			if n, err := strconv.Atoi(pairs[i].Value); err == nil {
				return n
			}
			return 1
		}
	}
	return 0
}
