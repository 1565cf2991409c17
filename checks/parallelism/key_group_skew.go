package parallelism

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
)

//go:embed key-group-skew.md
var keyGroupSkewDoc string

// KeyGroupSkew finds keyed vertices whose key groups do not divide by their parallelism, so that some subtasks have far more to do.
var KeyGroupSkew = &advisor.Rule{
	ID:         "parallelism/key-group-skew",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Slow,
	Confidence: advisor.Likely,
	Reads:      []string{keyMax, keyDefault},
	Facts:      []string{"job.vertices", "job.parallelism", "job.maxParallelism"},
	Doc:        keyGroupSkewDoc,
	Check:      keyGroupSkew,
}

const (
	// skewed is the load of the busiest subtask over the mean from which it is said: below a fifth, uneven keys hide it.
	skewed = 1.2
	// badlySkewed is the load from which it is a warning: half of the job's capacity is then out of reach.
	badlySkewed = 1.5
)

// A pair is one combination of key groups and parallelism, with the vertices that have it.
type pair struct {
	groups, parallelism int
	terms               []budget.Term
	chosen              bool
	vertices            []string
}

func keyGroupSkew(t *advisor.Target, r *advisor.Report) {
	pairs, needs := keyedPairs(t)
	r.NotAssessed(needs...)
	for _, p := range pairs {
		load := budget.KeyGroupLoad(p.groups, p.parallelism)
		if load <= skewed {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("%d key groups do not divide by parallelism %d: the busiest subtasks%s have %.0f %% more to do than the mean",
				p.groups, p.parallelism, of(p.vertices), (load-1)*100),
			Labels: labels(t, p.terms...),
			Terms:  p.terms,
			Notes: []string{fmt.Sprintf("%d subtasks have %d key groups and %d have %d; the busiest ones limit the vertex to %.0f %% of its capacity",
				p.groups%p.parallelism, p.groups/p.parallelism+1, p.parallelism-p.groups%p.parallelism, p.groups/p.parallelism, 100/load)},
			Help:   remedy(p),
			Beyond: load / skewed,
		}
		if load >= badlySkewed {
			f.Severity = advisor.Warning
		}
		if p.vertices == nil {
			f.Confidence = advisor.Possible
			f.Notes = append(f.Notes, "taken for a job with keyed state; job.vertices would tell")
		}
		r.Find(f)
	}
}

// of names vertices: " of window, join".
func of(vertices []string) string {
	if len(vertices) == 0 {
		return ""
	}
	return " of " + strings.Join(vertices, ", ")
}

// remedy names the parallelisms on either side that divide evenly, and key groups for a job that has not run yet.
func remedy(p pair) string {
	below := p.parallelism
	for p.groups%below != 0 {
		below--
	}
	above := p.parallelism
	for p.groups%above != 0 {
		above++
	}
	help := fmt.Sprintf("use parallelism %d or %d, which divide %d", below, above, p.groups)
	if below == 1 {
		help = fmt.Sprintf("use parallelism %d, which divides %d", above, p.groups)
	}
	if p.chosen {
		return help + fmt.Sprintf("; or, before the first start, set %s to a multiple of %d such as %d", keyMax, p.parallelism, multiple(p.parallelism))
	}
	return help + "; the number of key groups cannot be changed for state that exists"
}

// multiple is a number of key groups that is a multiple of p and leaves room to grow fourfold.
func multiple(p int) int {
	const growth = 4
	return min(p*growth, job.MaxParallelism/p*p)
}

// keyedPairs collects what keyed vertices run with; without a graph, what the job runs with if someone chose its key groups.
func keyedPairs(t *advisor.Target) (pairs []pair, needs []string) {
	if len(t.Job.Job.Vertices) == 0 {
		p, term, known := ofJob(t)
		groups, groupTerm, given := groupsOf(t, nil)
		switch {
		case !known && !given:
			return nil, []string{"job.parallelism", "job.vertices"}
		case !known:
			return nil, []string{"job.parallelism"}
		case !given:
			return nil, []string{"job.vertices"}
		case p <= groups:
			return []pair{{groups: groups, parallelism: p, terms: []budget.Term{term, groupTerm}}}, nil
		}
		return nil, nil
	}
	for i := range t.Job.Job.Vertices {
		v := &t.Job.Job.Vertices[i]
		if !keyed(&t.Job.Job, v) {
			continue
		}
		p, term, known := ofVertex(t, v)
		if !known {
			needs = append(needs, "job.parallelism")
			continue
		}
		groups, groupTerm, given := groupsOf(t, v)
		if !given {
			groups = budget.DefaultMaxParallelism(p)
			groupTerm = budget.Term{
				Name: "maximum parallelism", Value: float64(groups), Unit: budget.Count, Origin: conf.Default,
				From: "derived by Flink from the parallelism of the first start; " + keyMax + " or job.maxParallelism would replace it",
			}
		}
		if p > groups {
			continue
		}
		add := true
		for j := range pairs {
			if pairs[j].groups == groups && pairs[j].parallelism == p {
				pairs[j].vertices = append(pairs[j].vertices, v.Name)
				add = false
			}
		}
		if add {
			pairs = append(pairs, pair{groups: groups, parallelism: p, terms: []budget.Term{term, groupTerm}, chosen: !given, vertices: []string{v.Name}})
		}
	}
	return pairs, needs
}

// keyed tells whether a vertex has keyed state or keyed work, as far as the facts go.
func keyed(j *job.Job, v *job.Vertex) bool {
	if v.KeyedStates.V > 0 || v.Window != nil {
		return true
	}
	for _, e := range j.Edges {
		if e.To == v.ID && e.ShipStrategy.V == "HASH" {
			return true
		}
	}
	return false
}
