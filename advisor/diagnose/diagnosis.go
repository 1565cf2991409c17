package diagnose

import (
	"slices"
	"strings"
	"time"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// A Diagnosis is what the logs tell and what the rules make of it.
type Diagnosis struct {
	*Evidence
	*Extract
	Target *advisor.Target
	// Result is what the rules say; set by Run.
	Result *advisor.Result
	// Verdicts are what nothing else in the logs explains, causes first, each with what it brought about.
	Verdicts []Verdict
	// Possible are traces that known defects of the release leave as well as other things do.
	Possible []*Match
}

// A Verdict is a signature that stands for itself, and those that it explains.
type Verdict struct {
	*Match
	// Brought are the matches that this one brought about, in the order of time.
	Brought []*Match
	// Defect is the known defect that left the trace, or nil.
	Defect *defect.Defect
	// Of is the class of the exception that a job failed of for good, where nothing else explains it.
	Of string
}

// New makes a diagnosis of closed evidence and of what is given from elsewhere.
func New(e *Evidence, given advisor.TargetInput) (*Diagnosis, error) {
	d := &Diagnosis{Evidence: e, Extract: e.Input(given)}
	t, err := advisor.NewTarget(d.TargetInput)
	if err != nil {
		return nil, err
	}
	d.Target = t
	d.judge()
	return d, nil
}

// grace is how much later than its effect a cause may be logged: by another process, or with a stack that takes its time.
const grace = 5 * time.Minute

// judge tells what stands for itself from what it brought about.
func (d *Diagnosis) judge() {
	var standing []Verdict
	for _, m := range d.Matches {
		if m.Passes != "" && d.logs[m.Last.Log].passed[m.Passes] > m.Last.Line {
			continue
		}
		if len(m.Defects) == 0 {
			standing = append(standing, Verdict{Match: m})
			continue
		}
		hit, certain := d.defectOf(m)
		switch {
		case hit != nil && certain:
			standing = append(standing, Verdict{Match: m, Defect: hit})
		case hit != nil:
			d.Possible = append(d.Possible, m)
		}
	}
	for i, v := range standing {
		if v.Match == nil || d.explained(v.Match, standing) {
			continue
		}
		for j, o := range standing {
			if j != i && d.brought(v.Match, o.Match, standing) {
				v.Brought = append(v.Brought, o.Match)
			}
		}
		if d.Cause != nil && v.Rule == restartsRule {
			v.Of = d.Cause.V
		}
		d.Verdicts = append(d.Verdicts, v)
	}
	slices.SortStableFunc(d.Verdicts, func(a, b Verdict) int {
		if c := int(a.Kind) - int(b.Kind); c != 0 && (a.Kind == Cause || b.Kind == Cause) {
			return c
		}
		return int(b.Severity) - int(a.Severity)
	})
}

// explained tells whether another match that is there brings m about.
func (d *Diagnosis) explained(m *Match, all []Verdict) bool {
	return slices.ContainsFunc(all, func(o Verdict) bool { return o.Match != m && explains(o.Match, m) })
}

// brought tells whether a brings b about, directly or through others.
func (d *Diagnosis) brought(a, b *Match, all []Verdict) bool {
	seen := map[*Match]bool{a: true}
	for queue := []*Match{a}; len(queue) > 0; queue = queue[1:] {
		for _, o := range all {
			if !seen[o.Match] && explains(queue[0], o.Match) {
				if o.Match == b {
					return true
				}
				seen[o.Match] = true
				queue = append(queue, o.Match)
			}
		}
	}
	return false
}

func explains(cause, effect *Match) bool {
	if !slices.Contains(effect.After, cause.ID) && !slices.Contains(effect.After, cause.Rule) || cause.Severity <= advisor.Advice {
		return false
	}
	// Of two that could explain each other the one of the milder kind is the effect.
	if cause.Kind != Cause && (slices.Contains(cause.After, effect.ID) || slices.Contains(cause.After, effect.Rule)) && effect.Rule == cause.Rule && cause.Kind >= effect.Kind {
		return false
	}
	a, b := cause.First.Time, effect.Last.Time
	return a.IsZero() || b.IsZero() || !a.After(b.Add(grace))
}

// defectOf is the defect of the release at hand that left a trace. It is certain where the trace can hardly be anything else; otherwise what is known of the
// configuration must meet the defect. A trace of neighbouring frames counts whatever the configuration says: jobs change it in their code.
func (d *Diagnosis) defectOf(m *Match) (hit *defect.Defect, certain bool) {
	c := &defect.Context{Flink: d.Target.Version, Conf: d.Target.Conf, Job: d.Target.Job}
	for _, x := range m.Defects {
		if x.Product != defect.Flink || !d.Target.VersionAssumed && x.Affects(d.Target.Version) == defect.No {
			continue
		}
		if m.Strong {
			return x, true
		}
		if !d.Target.VersionAssumed && x.Affects(d.Target.Version) == defect.Yes && x.Eval(c).Truth == defect.True && hit == nil {
			hit = x
		}
	}
	return hit, false
}

// Complete tells that the configuration is known as a whole: the logs print it, or it is given.
func (d *Diagnosis) Complete() bool { return d.Configured() || len(d.Target.Documents) > 0 }

// Run asks the rules, those of the log among them.
func (d *Diagnosis) Run(rules []*advisor.Rule, suppressors ...advisor.Suppressor) {
	d.Result = advisor.Run(d.Target, rules, append(suppressors, d.relate)...)
	d.placeless(d.Result.Findings)
	if d.Complete() {
		return
	}
	// What is not set in the little that the logs show may be set all the same: only findings that point at something count.
	d.Result.Findings = slices.DeleteFunc(d.Result.Findings, func(f *advisor.Finding) bool {
		return !strings.HasPrefix(f.Rule.ID, category) && !f.Primary().Span.Valid()
	})
	advisor.Rank(d.Result.Findings)
}

// placeless takes the places of edits that point into a log: a log is nothing to edit. What a change of a line was is then no change at all.
func (d *Diagnosis) placeless(findings []*advisor.Finding) {
	for _, f := range findings {
		f.Edits = slices.DeleteFunc(f.Edits, func(e advisor.Edit) bool { return e.Key == "" && slices.Contains(d.files, e.Span.File) })
		for i, e := range f.Edits {
			if slices.Contains(d.files, e.Span.File) {
				f.Edits[i].Span = source.Span{}
			}
		}
		d.placeless(f.FollowOns)
	}
}

// relate puts findings about the configuration below what happened: a known defect that was met is one finding, not two.
func (d *Diagnosis) relate(_ *advisor.Target, findings []*advisor.Finding) []*advisor.Finding {
	for _, f := range findings {
		if f.Rule.ID != "upgrade/known-defect" {
			continue
		}
		for _, v := range d.Verdicts {
			if v.Defect != nil && strings.Contains(f.Message, v.Defect.ID+":") {
				f.CausedBy = append(f.CausedBy, KnownDefectRule)
			}
		}
	}
	return nil
}

// Timeline is the course of events, in order: what processes and the job did, checkpoints where they changed their ways, and what was recognised. At most most
// events are given, those about signatures before others; left is how many were left out.
func (d *Diagnosis) Timeline(most int) (events []Event, left int) {
	all := slices.Clone(d.events)
	for _, m := range d.Matches {
		if !slices.ContainsFunc(d.Verdicts, func(v Verdict) bool { return v.Match == m || slices.Contains(v.Brought, m) }) {
			continue
		}
		text := m.Sentence()
		if len(m.Defects) > 0 {
			text = "the stack of " + m.ID + ": " + m.Text
		}
		all = append(all, Event{Place: m.First, Text: text, Count: m.Count, Match: m})
	}
	all = append(all, d.checkpointEvents()...)
	slices.SortStableFunc(all, func(a, b Event) int { return before(a.Place, b.Place) })
	// The same again and again is told once.
	counts := map[string]int{}
	all = slices.DeleteFunc(all, func(e Event) bool {
		counts[e.Text]++
		return counts[e.Text] > 1 && e.Match == nil
	})
	for i, e := range all {
		if e.Match == nil {
			all[i].Count = max(e.Count, counts[e.Text])
		}
	}
	for i := len(all) - 1; i >= 0 && len(all) > most; i-- {
		if all[i].Match == nil {
			all = slices.Delete(all, i, i+1)
			left++
		}
	}
	if len(all) > most {
		left += len(all) - most
		all = all[:most]
	}
	return all, left
}

// checkpointEvents tells the checkpoints where their outcome changes.
func (d *Diagnosis) checkpointEvents() []Event {
	var out []Event
	last := ""
	for _, c := range d.Checkpoints {
		if c.Outcome == "" || c.Outcome == last {
			continue
		}
		last = c.Outcome
		if c.Outcome == "expired" {
			continue // a signature tells it
		}
		text := "checkpoint " + itoa(c.ID) + " " + c.Outcome
		if c.Outcome == "completed" {
			text += " (" + c.Size.Pretty() + " in " + c.Duration.String() + ")"
		}
		out = append(out, Event{Place: c.Ended, Text: text})
	}
	return out
}

// As is what a match is in the course of events: a cause that another match explains is a consequence here.
func (d *Diagnosis) As(m *Match) Kind {
	if m.Kind != Cause || slices.ContainsFunc(d.Verdicts, func(v Verdict) bool { return v.Match == m }) {
		return m.Kind
	}
	return Consequence
}
