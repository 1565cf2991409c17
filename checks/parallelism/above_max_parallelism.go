package parallelism

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/job"
)

//go:embed above-max-parallelism.md
var aboveMaxParallelismDoc string

// AboveMaxParallelism finds a parallelism above the maximum parallelism, or a maximum that Flink does not take.
var AboveMaxParallelism = &advisor.Rule{
	ID:         "parallelism/above-max-parallelism",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyMax, keyDefault, keyMode, keyScheduler},
	Facts:      []string{"job.vertices", "job.parallelism", "job.maxParallelism"},
	Doc:        aboveMaxParallelismDoc,
	Check:      aboveMaxParallelism,
}

func aboveMaxParallelism(t *advisor.Target, r *advisor.Report) {
	if v := t.Conf.Int(keyMax); v.Set() && v.Has && v.V > job.MaxParallelism {
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("%s is %d, and Flink takes %d at most", v.Key, v.V, job.MaxParallelism),
			Labels:  t.Labels(keyMax, "too large"),
			Terms:   []budget.Term{advisor.OptionTerm("maximum parallelism", v, float64(v.V), budget.Count)},
			Help:    "choose a number with many divisors that leaves room to grow, such as 720 or 5040",
		})
		return
	}
	if m := t.Conf.Enum(keyMode); m.Has && m.V == "REACTIVE" {
		return // reactive mode runs at the maximum or below by itself
	}
	if s := t.Conf.Enum(keyScheduler); s.Has && s.V == "AdaptiveBatch" {
		return // it chooses the parallelism itself
	}
	if len(t.Job.Job.Vertices) == 0 {
		p, term, known := ofJob(t)
		groups, groupTerm, given := groupsOf(t, nil)
		if known && given && p > groups {
			r.Find(aboveMax(t, "the job", p, groups, term, groupTerm))
		}
		return
	}
	for i := range t.Job.Job.Vertices {
		v := &t.Job.Job.Vertices[i]
		p, term, known := ofVertex(t, v)
		groups, groupTerm, given := groupsOf(t, v)
		if known && given && p > groups {
			r.Find(aboveMax(t, v.Name, p, groups, term, groupTerm))
		}
	}
}

func aboveMax(t *advisor.Target, what string, p, groups int, terms ...budget.Term) advisor.Finding {
	return advisor.Finding{
		Message: fmt.Sprintf("%s has parallelism %d and a maximum parallelism of %d", what, p, groups),
		Labels:  labels(t, terms...),
		Terms:   terms,
		Notes:   []string{"Flink refuses the job: there would be subtasks without a key group"},
		Help: fmt.Sprintf("lower the parallelism to %d, or raise the maximum for a job that has no state yet; for existing state it cannot be changed",
			groups),
		Beyond: float64(p) / float64(groups),
	}
}
