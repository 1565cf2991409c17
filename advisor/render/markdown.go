package render

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// Markdown writes a pull-request comment: the verdict, the ranked table, the budgets, and each finding folded away with its arithmetic and change.
func Markdown(w io.Writer, r *Report) error {
	var b bytes.Buffer
	hide := newRedactor(r.Results)
	c, crashed := r.Counts(), r.Crashed()
	switch {
	case r.Failed:
		fmt.Fprintf(&b, "### flinkadvise: failed\n\n%s; the gate is `--fail-on=%s`.\n", tally(r), r.FailOn)
	case len(crashed) > 0:
		fmt.Fprintf(&b, "### flinkadvise: incomplete\n\n%s.\n", tally(r))
	case c.Total()+r.Hidden == 0:
		b.WriteString("### flinkadvise: nothing to report\n")
	default:
		fmt.Fprintf(&b, "### flinkadvise: passed with advice\n\n%s.\n", tally(r))
	}
	if len(crashed) > 0 {
		fmt.Fprintf(&b, "\n%s of flinkadvise crashed; what it would have found is missing here.\n", ruleNames(crashed))
	}
	if c.Total() > 0 {
		b.WriteString("\n| # | severity | finding | where | impact |\n| --: | --- | --- | --- | --- |\n")
		for _, f := range r.Findings {
			if f.Suppressed == nil {
				fmt.Fprintf(&b, "| %d | %s | %s `%s` | `%s` | %s |\n", f.Rank, f.Severity, cell(hide.text(f.Message)), f.Rule.ID, cell(where(f)), impactWords[f.Impact])
			}
		}
	}
	for _, res := range r.Results {
		markdownBudget(&b, res.Target)
	}
	for _, f := range r.Findings {
		if f.Suppressed == nil {
			markdownFinding(&b, f, c.Total(), hide)
		}
	}
	if open := r.notAssessed(); len(open) > 0 {
		b.WriteString("\n<details><summary>not assessed for lack of facts</summary>\n\n")
		for _, n := range open {
			fmt.Fprintf(&b, "- `%s` needs `%s`\n", n.Rule.ID, strings.Join(n.Needs, "`, `"))
		}
		b.WriteString("\n</details>\n")
	}
	fmt.Fprintf(&b, "\n%s, %s\n", count(len(r.Results), "configuration"), flinkVersions(r))
	_, err := w.Write(b.Bytes())
	return err
}

func where(f *advisor.Finding) string {
	if s := f.Primary().Span; s.Valid() {
		return printable(s.String())
	}
	return printable(f.Target)
}

// cell makes text safe inside a Markdown table: no pipes, no markup of its own.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "`", "'", "<", "&lt;", ">", "&gt;", "\n", " ").Replace(s)
}

func markdownBudget(b *bytes.Buffer, t *advisor.Target) {
	tm := t.TaskManager
	if tm == nil || !tm.Configured || len(tm.Refusals) > 0 {
		return
	}
	fmt.Fprintf(b, "\n<details><summary>budgets of %s</summary>\n\n| part | size | from |\n| --- | --: | --- |\n", html.EscapeString(printable(t.Name)))
	for _, r := range taskManagerRows(tm) {
		if r.part.Known {
			fmt.Fprintf(b, "| %s%s | %s | %s |\n", strings.Repeat("&nbsp;&nbsp;", r.depth), r.name, r.part.Bytes.Pretty(), cell(origin(r.part)))
		}
	}
	if n := t.Network; n != nil && n.Required.Known && n.Buffers.Known {
		fmt.Fprintf(b, "\nnetwork buffers per TaskManager: %d available, %d required, %d for full throughput\n", n.Buffers.V, n.Required.V, n.Target.V)
	}
	b.WriteString("\n</details>\n")
}

func markdownFinding(b *bytes.Buffer, f *advisor.Finding, total int, hide redactor) {
	fmt.Fprintf(b, "\n<details><summary>%d. %s: %s</summary>\n\n", f.Rank, f.Severity, html.EscapeString(hide.text(f.Message)))
	t := &text{red: hide, severityColour: severityColour(f.Severity)}
	t.finding(f, total)
	fence := "```"
	for strings.Contains(t.buf.String(), fence) {
		fence += "`"
	}
	fmt.Fprintf(b, "%stext\n%s%s\n\n</details>\n", fence, t.buf.String(), fence)
}
