package sql

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed window-amplification.md
var windowAmplificationDoc string

// WindowAmplification finds sliding windows that multiply work and state.
var WindowAmplification = &advisor.Rule{
	ID:         "sql/window-amplification",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Slow,
	Confidence: advisor.Likely,
	Reads:      []string{keySplit},
	Facts:      []string{"job.api", "job.vertices.window.kind", "job.vertices.window.size", "job.vertices.window.slide", "job.vertices.window.distinct", "state.keys"},
	Doc:        windowAmplificationDoc,
	Check:      windowAmplification,
}

const (
	// manyPanes is from how many panes a DISTINCT aggregate is worth a word, as each holds a set of values of its own; and from how many windows a record
	// of a DataStream job is. Ten is an estimate: below, the amplification is of the size of other overheads.
	manyPanes = 10
	// tooManyWindows is from how many windows for each record it is a warning in a DataStream job.
	tooManyWindows = 50
	// manyPlainPanes is from how many panes a plain SQL aggregate is: their accumulators are a few bytes, and only merging them costs.
	manyPlainPanes = 1000
	// fewerPanes is how many panes the advice comes to.
	fewerPanes = 5
)

func windowAmplification(t *advisor.Target, r *advisor.Report) {
	for i := range t.Job.Job.Vertices {
		v := &t.Job.Job.Vertices[i]
		w := v.Window
		if w == nil || w.Kind.V != "sliding" || !w.Size.Known || !w.Slide.Known || w.Slide.V.IsZero() {
			continue
		}
		switch api := t.Job.Job.API; {
		case !api.Known:
			r.NotAssessed("job.api")
		case api.V == "sql":
			inPanes(t, r, v)
		default:
			inWindows(t, r, v)
		}
	}
}

// inPanes looks at the SQL planner's sliding windows. They keep one accumulator for each pane, the greatest common divisor of size and slide, and merge those of a
// window when it fires.
func inPanes(t *advisor.Target, r *advisor.Report, v *job.Vertex) {
	w := v.Window
	size, slide := w.Size.V.Std(), w.Slide.V.Std()
	a, b := size, slide
	for b != 0 {
		a, b = b, a%b
	}
	panes := int64(size / a)
	limit := int64(manyPlainPanes)
	if w.Distinct.V {
		limit = manyPanes
	}
	if panes < limit {
		return
	}
	f := finding(t, v, panes, limit)
	f.Message = fmt.Sprintf("every result of %s merges %d panes", v.Name, panes)
	every := w.Slide.V.Pretty()
	if w.Distinct.V {
		f.Message += ", each with a set of distinct values of its own"
		f.Notes = append(f.Notes,
			fmt.Sprintf("a value that comes in every pane is stored %d times, and every %s all of its copies are read again", panes, every))
	} else {
		f.Notes = append(f.Notes, fmt.Sprintf("every %s the panes of all keys are read, merged and written out at once", every))
	}
	if keys := t.Job.State.Keys; keys.Known && keys.V <= math.MaxInt64/panes {
		f.Terms = append(f.Terms, advisor.FactTerm("keys", keys, float64(keys.V), budget.Count))
		f.Notes = append(f.Notes, fmt.Sprintf("%d keys make up to %d accumulators", keys.V, keys.V*panes))
	}
	f.Help = fmt.Sprintf("a slide of %s gives %d panes", fewer(w.Size.V), fewerPanes)
	if w.Distinct.V {
		f.Help += "; an approximate count (a sketch) merges in constant size"
		if split := t.Conf.Bool(keySplit); split.Has && !split.V {
			f.Help += fmt.Sprintf("; %s spreads a hot key's values over subtasks", split.Key)
		}
	}
	r.Find(f)
}

// inWindows looks at DataStream windows, which put a record into every window that it belongs to.
func inWindows(t *advisor.Target, r *advisor.Report, v *job.Vertex) {
	w := v.Window
	size, slide := w.Size.V.Std(), w.Slide.V.Std()
	windows := int64((size + slide - 1) / slide)
	if windows < manyPanes {
		return
	}
	f := finding(t, v, windows, manyPanes)
	f.Message = fmt.Sprintf("%s writes every record into %d windows", v.Name, windows)
	f.Notes = append(f.Notes, fmt.Sprintf("state, its updates and timers are %d times those of a tumbling window", windows))
	f.Help = fmt.Sprintf("a slide of %s gives %d windows; or aggregate over tumbling windows of %s first and slide over those",
		fewer(w.Size.V), fewerPanes, w.Slide.V.Pretty())
	if windows >= tooManyWindows {
		f.Severity = advisor.Warning
	}
	r.Find(f)
}

// fewer is the slide that leaves fewerPanes.
func fewer(size quantity.Duration) string { return quantity.Of(size.Std() / fewerPanes).Pretty() }

func finding(t *advisor.Target, v *job.Vertex, count, limit int64) advisor.Finding {
	w := v.Window
	f := advisor.Finding{
		Terms: []budget.Term{
			advisor.FactTerm("window size", w.Size, w.Size.V.Seconds(), budget.Seconds),
			advisor.FactTerm("slide", w.Slide, w.Slide.V.Seconds(), budget.Seconds),
		},
		Beyond: float64(count) / float64(limit),
	}
	if l, ok := advisor.FactLabel(w.Slide, "job.vertices.window.slide", fmt.Sprintf("%d in %s", count, w.Size.V.Pretty())); ok {
		f.Labels = append(f.Labels, l)
	}
	return f
}
