package option

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
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
			if x.overridden && agree(hits[0].Value, v.Reasons) {
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

// sameAsDefault compares by value: 1024m is 1g.
func sameAsDefault(t *advisor.Target, e *conf.Entry, o *option.Option) bool {
	if !o.HasDefault {
		return false
	}
	value, def := strings.TrimSpace(e.Value), o.Default
	if strings.EqualFold(value, def) {
		return true
	}
	switch o.Kind {
	case option.Memory:
		a, errA := quantity.ParseBytes(value)
		b, errB := quantity.ParseBytes(def)
		return errA == nil && errB == nil && a == b
	case option.Duration:
		a, errA := quantity.ParseDuration(value, t.Version)
		b, errB := quantity.ParseDuration(def, t.Version)
		return errA == nil && errB == nil && a == b
	case option.Int, option.Long, option.Float, option.Double:
		a, errA := strconv.ParseFloat(value, 64)
		b, errB := strconv.ParseFloat(def, 64)
		return errA == nil && errB == nil && a == b
	}
	return false
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
func agree(value string, reasons []defect.Reason) bool {
	number, err := strconv.ParseFloat(value, 64)
	return slices.ContainsFunc(reasons, func(r defect.Reason) bool {
		if n, e := strconv.ParseFloat(r.Value, 64); err == nil && e == nil {
			return n == number
		}
		return r.Value == value
	})
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
