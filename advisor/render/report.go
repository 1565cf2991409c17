// Package render turns a report into bytes: one renderer for each output, each a function of the same Report.
//
// Renderers see findings, never configuration files by themselves. What they print of a file is untrusted text: control characters are made
// harmless and the values of sensitive options are hidden, here and nowhere else.
package render

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// A Report is everything that one run has to say.
type Report struct {
	// Tool is flinkadvise's own version.
	Tool string
	// Results hold one entry for each target, in input order.
	Results []*advisor.Result
	// Findings are those of all targets in rank order, after --min-severity and the like.
	Findings []*advisor.Finding
	// counts are those of all findings, also of the ones that Top cut off.
	counts *Counts
	// Hidden counts findings that --min-severity and --min-confidence left out, Cut those beyond --top.
	Hidden, Cut int
	// Failed tells that a finding is at or above FailOn; FailOn is zero for "never".
	Failed bool
	FailOn advisor.Severity
	// ShowSuppressed prints suppressed findings too.
	ShowSuppressed bool
	// Quiet prints the closing lines only.
	Quiet bool
}

// Counts are the findings of a report by severity; follow-ons count with their own severity.
type Counts struct{ Error, Warning, Advice, Suppressed int }

// Total is the number of findings that count.
func (c Counts) Total() int { return c.Error + c.Warning + c.Advice }

// Count counts findings.
func Count(findings []*advisor.Finding) Counts {
	var c Counts
	for _, f := range findings {
		switch {
		case f.Suppressed != nil:
			c.Suppressed++
		case f.Severity == advisor.Error:
			c.Error++
		case f.Severity == advisor.Warning:
			c.Warning++
		default:
			c.Advice++
		}
	}
	return c
}

// NewReport merges and ranks the findings of all results.
func NewReport(tool string, results []*advisor.Result) *Report {
	r := &Report{Tool: tool, Results: results}
	for _, res := range results {
		r.Findings = append(r.Findings, res.Findings...)
	}
	advisor.Rank(r.Findings)
	return r
}

// Crashed are the rules that crashed, over all targets.
func (r *Report) Crashed() []advisor.Panic {
	var out []advisor.Panic
	for _, res := range r.Results {
		out = append(out, res.Panics...)
	}
	return out
}

// Crashes names the rules that crashed, a line each, with the stacks where they are wanted.
func Crashes(w io.Writer, r *Report, stacks bool) error {
	hide := newRedactor(r.Results)
	var buf bytes.Buffer
	for _, p := range r.Crashed() {
		fmt.Fprintf(&buf, "flinkadvise: rule %s crashed on %s: %s; this is a bug in flinkadvise\n", p.Rule.ID, printable(p.Target), hide.text(p.Value))
		if stacks {
			buf.WriteString(p.Stack)
		}
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// Keep drops the findings that keep refuses and counts them as hidden.
func (r *Report) Keep(keep func(*advisor.Finding) bool) {
	before := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f *advisor.Finding) bool { return !keep(f) })
	r.Hidden += before - len(r.Findings)
}

// Top keeps the first n findings; 0 keeps all.
func (r *Report) Top(n int) {
	if n > 0 && n < len(r.Findings) {
		all := Count(r.Findings)
		r.counts = &all
		r.Cut = len(r.Findings) - n
		r.Findings = r.Findings[:n]
	}
}

// Counts are the findings by severity, also of those that Top cut off.
func (r *Report) Counts() Counts {
	if r.counts != nil {
		return *r.counts
	}
	return Count(r.Findings)
}

// notAssessed lists what could not be judged, by rule, with the union of the facts over all targets.
func (r *Report) notAssessed() []advisor.NotAssessed {
	var out []advisor.NotAssessed
	for _, res := range r.Results {
		for _, n := range res.NotAssessed {
			i := slices.IndexFunc(out, func(o advisor.NotAssessed) bool { return o.Rule.ID == n.Rule.ID })
			if i < 0 {
				out = append(out, advisor.NotAssessed{Rule: n.Rule, Needs: slices.Clone(n.Needs)})
				continue
			}
			for _, need := range n.Needs {
				if !slices.Contains(out[i].Needs, need) {
					out[i].Needs = append(out[i].Needs, need)
				}
			}
		}
	}
	for i := range out {
		slices.Sort(out[i].Needs)
	}
	slices.SortFunc(out, func(a, b advisor.NotAssessed) int { return cmp.Compare(a.Rule.ID, b.Rule.ID) })
	return out
}
