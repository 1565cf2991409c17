package checkpoint

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed incremental-without-effect.md
var incrementalWithoutEffectDoc string

// IncrementalWithoutEffect finds incremental checkpoints that the state backend cannot take.
var IncrementalWithoutEffect = &advisor.Rule{
	ID:         "checkpoint/incremental-without-effect",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Reads:      []string{keyIncremental, keyBackend},
	Doc:        incrementalWithoutEffectDoc,
	Check:      incrementalWithoutEffect,
}

func incrementalWithoutEffect(t *advisor.Target, r *advisor.Report) {
	incremental := t.Conf.Bool(keyIncremental)
	backend, term := budget.BackendOf(t.Conf)
	if !incremental.Has || !incremental.V || !incremental.Set() || backend != budget.HeapBackend || !term.Span.Valid() {
		return // a job may choose another backend in its code where the configuration names none
	}
	r.Find(advisor.Finding{
		Message: "incremental checkpoints have no effect: this state backend keeps state on the heap and always writes all of it",
		Labels:  t.Labels(keyIncremental, "no effect", keyBackend, "on the heap"),
		Help:    "use rocksdb if the state is large, or remove the option",
	})
}
