package option

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed no-effect.md
var noEffectDoc string

// NoEffect finds options that Flink knows and does not read under the configuration at hand. What it knows stands in no-effect.txt.
var NoEffect = &advisor.Rule{
	ID:         "option/no-effect",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Facts:      []string{"deployment.target", "job.type"},
	Doc:        noEffectDoc,
	Check:      noEffect,
}

func noEffect(t *advisor.Target, r *advisor.Report) {
	var set []*settable
	for _, e := range entries(t) {
		if s, ok := setting(t, e); ok {
			set = append(set, s)
		}
	}
	if len(set) == 0 {
		return
	}
	eval := defect.NewEvaluator(&defect.Context{Flink: t.Version, Conf: t.Conf, Job: t.Job})
	for _, x := range ineffective() {
		if !x.within(t) {
			continue
		}
		hits := slices.DeleteFunc(slices.Clone(set), func(s *settable) bool { return !x.concerns(s) })
		if len(hits) == 0 {
			continue
		}
		condition, err := x.when()
		if err != nil {
			continue // a fault of ours, which the tests of the data exclude
		}
		if v := eval.Eval(condition); v.Truth == defect.True {
			if x.overridden && agree(t, hits[0].Value, v.Reasons) {
				continue
			}
			if f, ok := x.finding(t, hits, v.Reasons); ok {
				r.Find(f)
			}
		}
	}
}

// A settable is an entry that sets an option to something else than its default, with the names that the option has today.
type settable struct {
	*conf.Entry
	names []string
}

// setting tells whether an entry counts: placeholders may stand for the default, and the default is what holds anyway.
func setting(t *advisor.Target, e *conf.Entry) (*settable, bool) {
	m, ok := option.Lookup(e.Key, t.Version)
	if !ok || m.Option == nil || e.Placeholder || sameAsDefault(t, e, m.Option) {
		return nil, false
	}
	return &settable{e, todaysNames(e.Key, m)}, true
}

// todaysNames are the newest names of all options that a key sets. Keys of families and of map options keep their own.
func todaysNames(key string, m option.Match) []string {
	if m.Via == option.ByFamily || m.Via == option.ByPrefix {
		return []string{key}
	}
	if newest, ok := option.Lookup(key, version.Newest()); ok && newest.Option != nil {
		m = newest
	}
	names := []string{m.Option.Key}
	for _, o := range m.Others {
		names = append(names, o.Key)
	}
	return names
}

// sameAsDefault tells whether an entry sets what holds anyway.
func sameAsDefault(t *advisor.Target, e *conf.Entry, o *option.Option) bool {
	return o.HasDefault && same(t, e.Value, o.Default, o.Kind)
}

// same compares by value: 1024m is 1g.
func same(t *advisor.Target, a, b string, kind option.Kind) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if strings.EqualFold(a, b) {
		return true
	}
	x, okX := number(t, a, kind)
	y, okY := number(t, b, kind)
	return okX && okY && x == y
}

// within tells whether the entry speaks of the Flink at hand. What holds in some lines only is not said where the line is a guess.
func (x *inert) within(t *advisor.Target) bool {
	if !x.from.Known() && !x.until.Known() {
		return true
	}
	line := t.Version.Line()
	return !t.VersionAssumed && (!x.from.Known() || line.Compare(x.from) >= 0) && (!x.until.Known() || line.Compare(x.until) <= 0)
}

// concerns tells whether all options that a setting sets are among those of the entry.
func (x *inert) concerns(s *settable) bool {
	return !slices.ContainsFunc(s.names, func(name string) bool {
		in := func(patterns []string) bool {
			return slices.ContainsFunc(patterns, func(p string) bool { return defect.Matches(p, name) })
		}
		return !in(x.keys) || in(x.except)
	})
}

// agree tells whether an overridden value is that of the option which goes before it.
func agree(t *advisor.Target, value string, reasons []defect.Reason) bool {
	return slices.ContainsFunc(reasons, func(r defect.Reason) bool { return same(t, value, r.Value, option.Double) })
}

// finding makes one finding of all settings that have no effect for the same reason. Where only a default speaks against them, the job's code or a layer
// that is not at hand may still say otherwise.
func (x *inert) finding(t *advisor.Target, hits []*settable, reasons []defect.Reason) (advisor.Finding, bool) {
	f := advisor.Finding{Subject: x.id, Confidence: x.confidence, Help: x.help, Notes: []string{"read by " + x.source}}
	if x.always {
		f.Notes = []string{x.source}
	}
	byDefault := !x.always && (len(reasons) == 0 || slices.ContainsFunc(reasons, func(r defect.Reason) bool { return r.Default }))
	if byDefault {
		if t.Partial() {
			return f, false
		}
		f.Severity, f.Confidence = advisor.Advice, advisor.Possible
		f.Notes = append(f.Notes, "only Flink's default says so; the job's code or another layer may say otherwise")
	}
	for _, s := range hits {
		f.Labels = append(f.Labels, label(s.Entry, "no effect"))
		if !byDefault {
			f.Edits = append(f.Edits, advisor.Unset(s.Key, x.confidence == advisor.Certain))
		}
	}
	what := hits[0].Key + " has"
	if len(hits) > 1 {
		what = fmt.Sprintf("%d options have", len(hits))
	}
	f.Message = fmt.Sprintf("%s no effect: %s", what, x.why)
	for _, r := range reasons {
		if r.Entry != nil && r.Span.Valid() && !slices.ContainsFunc(f.Labels, func(l advisor.Label) bool { return l.Key == r.Entry.Key }) {
			f.Labels = append(f.Labels, advisor.Label{Span: r.Span, Key: r.Entry.Key, Text: "the reason"})
		}
	}
	return f, true
}
