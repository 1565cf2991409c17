package advisor

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
)

// A Panic is a rule that crashed: a bug of ours, never the user's.
type Panic struct {
	Rule   *Rule
	Target string
	Value  string
	Stack  string
}

// A Result is what a set of rules says about one target.
type Result struct {
	Target      *Target
	Findings    []*Finding
	NotAssessed []NotAssessed
	Panics      []Panic
	// Ran are the rules that looked at the target.
	Ran []*Rule
}

// A Suppressor marks findings that do not count, and gives findings about the suppressions themselves (unused, expired).
type Suppressor func(t *Target, findings []*Finding) []*Finding

// Run lets every rule look at the target. A rule that panics is recorded and the others still run. Then the suppressors have their say, and findings come
// folded and in rank order.
func Run(t *Target, rules []*Rule, suppressors ...Suppressor) *Result {
	res := &Result{Target: t, Ran: rules}
	for _, rule := range rules {
		report := &Report{rule: rule, set: t.Thresholds}
		if p := runOne(t, rule, report); p != nil {
			res.Panics = append(res.Panics, *p)
			continue
		}
		for _, f := range report.findings {
			t.complete(f, rule)
		}
		report.NotAssessed(t.placeholders(rule)...)
		res.Findings = append(res.Findings, report.findings...)
		if len(report.needs) > 0 {
			slices.Sort(report.needs)
			res.NotAssessed = append(res.NotAssessed, NotAssessed{Rule: rule, Target: t.Name, Needs: report.needs})
		}
	}
	slices.SortFunc(res.NotAssessed, func(a, b NotAssessed) int { return cmp.Compare(a.Rule.ID, b.Rule.ID) })
	slices.SortFunc(res.Panics, func(a, b Panic) int { return cmp.Compare(a.Rule.ID, b.Rule.ID) })
	for _, suppress := range suppressors {
		for _, f := range suppress(t, res.Findings) {
			t.complete(f, f.Rule)
			res.Findings = append(res.Findings, f)
		}
	}
	Rank(res.Findings)
	res.Findings = fold(res.Findings)
	Rank(res.Findings)
	t.Conf.Forget()
	return res
}

// placeholders are the options that the rule reads and whose value a template engine fills in later: what they will be nobody can judge.
func (t *Target) placeholders(rule *Rule) []string {
	if !t.Conf.HasPlaceholders() {
		return nil
	}
	var keys []string
	for _, key := range rule.Reads {
		if v := t.Conf.String(key); v.Entry != nil && v.Entry.Placeholder {
			keys = append(keys, v.Entry.Key)
		}
	}
	return keys
}

// complete gives a finding what its rule and target say, where it says nothing itself.
func (t *Target) complete(f *Finding, rule *Rule) {
	f.Rule, f.Target = rule, t.Name
	f.Severity = cmp.Or(rule.Force, f.Severity, rule.Severity)
	f.Impact = cmp.Or(f.Impact, rule.Impact)
	f.Confidence = cmp.Or(f.Confidence, rule.Confidence)
	if len(f.Labels) == 0 {
		f.Labels = []Label{{Span: t.head()}}
	}
	for i := range f.Edits {
		f.Edits[i] = t.resolve(f.Edits[i])
	}
}

func runOne(t *Target, rule *Rule, report *Report) (p *Panic) {
	defer func() {
		if v := recover(); v != nil {
			p = &Panic{Rule: rule, Target: t.Name, Value: fmt.Sprint(v), Stack: string(debug.Stack())}
		}
	}()
	rule.Check(t, report)
	return nil
}

// Compare is the total order of findings: severity, impact, confidence, how far beyond the limit, what is saved, then file, place, rule and message.
func Compare(a, b *Finding) int {
	pa, pb := a.Primary().Span, b.Primary().Span
	return cmp.Or(
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Impact, b.Impact),
		cmp.Compare(a.Confidence, b.Confidence),
		cmp.Compare(b.Beyond, a.Beyond),
		cmp.Compare(b.Saves, a.Saves),
		pa.Compare(pb),
		cmp.Compare(a.Rule.ID, b.Rule.ID),
		cmp.Compare(a.Message, b.Message),
	)
}

// Rank sorts findings by Compare and numbers those that count from 1. What is folded under a finding shares its rank.
func Rank(findings []*Finding) {
	slices.SortStableFunc(findings, Compare)
	n := 0
	for _, f := range findings {
		f.Rank = 0
		if f.Suppressed == nil {
			n++
			f.Rank = n
		}
		for _, o := range f.FollowOns {
			o.Rank = f.Rank
		}
	}
}

// fold moves each finding that a cause explains under the finding of that cause at the same place, or else the first one, unless the cause is the milder
// of the two: a gate must not lose an error to a warning.
func fold(ranked []*Finding) []*Finding {
	out := make([]*Finding, 0, len(ranked))
	for _, f := range ranked {
		cause := causeOf(f, ranked)
		if cause == nil || f.Suppressed != nil {
			out = append(out, f)
			continue
		}
		cause.FollowOns = append(cause.FollowOns, f)
	}
	return out
}

// causeOf finds the top cause of f, following causes of causes; nil when nothing explains it.
func causeOf(f *Finding, all []*Finding) *Finding {
	var top *Finding
	for range all { // bounds a cycle of causes
		explains := func(c *Finding) bool {
			return c != f && c.Suppressed == nil && slices.Contains(f.CausedBy, c.Rule.ID) && c.Severity >= f.Severity && c != top
		}
		i := slices.IndexFunc(all, func(c *Finding) bool { return explains(c) && c.Primary().Span == f.Primary().Span })
		if i < 0 {
			i = slices.IndexFunc(all, explains)
		}
		if i < 0 || slices.Contains(all[i].CausedBy, f.Rule.ID) {
			return top
		}
		top, f = all[i], all[i]
	}
	return top
}
