package render

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// The rules of the terminal, kept by this file:
//
//   - the headline stands alone: "severity[rule]: message", lower case, no full stop;
//   - then where, then the excerpt with "^^^" under the cause and "---" under what else matters;
//   - notes are facts, "from" is the arithmetic with the origin of every term, help is what to do, and only help tells what to do;
//   - a change is shown as a small diff, never as prose;
//   - ASCII frames only, nothing is lost without colour, and no line ends in blanks.

// Colours, as SGR parameters.
const (
	red    = "1;31"
	yellow = "1;33"
	cyan   = "1;36"
	blue   = "34"
	green  = "32"
	bold   = "1"
	dim    = "2"
)

type text struct {
	buf            bytes.Buffer
	red            redactor
	colour         bool
	severityColour string
	// margin is the width of the line numbers of the finding at hand; everything below its excerpt is aligned to it.
	margin int
}

func (t *text) printf(format string, args ...any) { fmt.Fprintf(&t.buf, format, args...) }

func (t *text) paint(sgr, s string) string {
	if !t.colour || s == "" {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

// bar prints "| s" below the line numbers.
func (t *text) bar(s string) {
	t.printf("%s\n", strings.TrimRight(strings.Repeat(" ", t.margin)+" "+t.paint(blue, "|")+" "+s, " "))
}

// arrow prints "--> where".
func (t *text) arrow(where string) {
	t.printf("%s%s %s\n", strings.Repeat(" ", t.margin), t.paint(blue, "-->"), where)
}

// item prints "= name: s", long lines broken between words and continued below s.
func (t *text) item(name, s string) {
	t.lines(name, wrap(s, maxExcerpt-t.margin-len(name)))
}

// lines prints "= name: first line", the others aligned below it.
func (t *text) lines(name string, lines []string) {
	head := strings.Repeat(" ", t.margin) + " " + t.paint(blue, "=") + " " + t.paint(bold, name+":") + " "
	indent := strings.Repeat(" ", t.margin+len(" = ")+len(name)+len(": "))
	for i, l := range lines {
		if i == 0 {
			t.printf("%s%s\n", head, l)
		} else {
			t.printf("%s%s\n", indent, l)
		}
	}
}

// wrap breaks s between words into lines of at most width characters.
func wrap(s string, width int) []string {
	var out []string
	line := ""
	for word := range strings.SplitSeq(s, " ") {
		if line != "" && len(line)+1+len(word) > width {
			out = append(out, line)
			line = word
			continue
		}
		if line == "" {
			line = word
		} else {
			line += " " + word
		}
	}
	return append(out, line)
}

func severityColour(s advisor.Severity) string {
	switch s {
	case advisor.Error:
		return red
	case advisor.Warning:
		return yellow
	}
	return cyan
}

// Text writes the report for people: each finding with its excerpt, notes, arithmetic, help and change, then the closing lines.
func Text(w io.Writer, r *Report, colour bool) error {
	t := &text{colour: colour, red: newRedactor(r.Results)}
	total := r.Counts().Total()
	for _, f := range r.Findings {
		if r.Quiet || f.Suppressed != nil && !r.ShowSuppressed {
			continue
		}
		t.finding(f, total)
		t.printf("\n")
	}
	t.closing(r)
	_, err := w.Write(t.buf.Bytes())
	return err
}

// Findings writes the findings alone, without colour and closing lines.
func Findings(w io.Writer, r *Report) error {
	t := &text{red: newRedactor(r.Results)}
	for i, f := range r.Findings {
		if i > 0 {
			t.printf("\n")
		}
		t.finding(f, len(r.Findings))
	}
	_, err := w.Write(t.buf.Bytes())
	return err
}

func (t *text) finding(f *advisor.Finding, total int) {
	t.severityColour = severityColour(f.Severity)
	t.printf("%s%s %s\n", t.paint(t.severityColour, f.Severity.String()), t.paint(dim, "["+f.Rule.ID+"]:"), t.paint(bold, t.red.text(f.Message)))
	t.labels(f)
	for _, n := range f.Notes {
		t.item("note", t.red.text(n))
	}
	if len(f.Terms) > 0 {
		t.lines("from", t.terms(f.Terms))
	}
	if f.Help != "" {
		t.item("help", t.red.text(f.Help))
	}
	t.diff(f.Edits)
	for _, also := range f.FollowOns {
		t.item("also", fmt.Sprintf("%s[%s]: %s", also.Severity, also.Rule.ID, t.red.text(also.Message)))
	}
	if s := f.Suppressed; s != nil {
		t.item("suppressed", strings.TrimSpace(s.Kind+" "+t.red.text(s.Reason)))
		return
	}
	t.item("rank", fmt.Sprintf("%d of %d, %s, %s", f.Rank, total, impactWords[f.Impact], f.Confidence))
}

// impactWords say an impact in a sentence.
var impactWords = map[advisor.Impact]string{
	advisor.WontStart: "will not start", advisor.DataLoss: "can lose data", advisor.WillFail: "will fail", advisor.NoEffect: "has no effect",
	advisor.Unstable: "unstable", advisor.Slow: "slow", advisor.Wasteful: "wasteful", advisor.Hygiene: "hygiene",
}

// labels prints one excerpt for each file, that of the primary label first.
func (t *text) labels(f *advisor.Finding) {
	primary := f.Primary()
	var files []*source.File
	for _, l := range f.Labels {
		if l.Span.Valid() && !slices.Contains(files, l.Span.File) {
			files = append(files, l.Span.File)
		}
	}
	if len(files) == 0 {
		t.margin = 1
		t.arrow(printable(f.Target))
		return
	}
	for _, file := range files {
		var of []advisor.Label
		for _, l := range f.Labels {
			if l.Span.File == file {
				of = append(of, l)
			}
		}
		t.excerpt(file, of, primary)
	}
}

// terms prints a sum's terms, aligned: name, value, origin.
func (t *text) terms(terms []budget.Term) []string {
	name, value := 0, 0
	for _, term := range terms {
		name, value = max(name, len(term.Name)), max(value, len(Value(term)))
	}
	out := make([]string, 0, len(terms))
	for _, term := range terms {
		out = append(out, strings.TrimRight(fmt.Sprintf("%-*s  %*s  %s", name, term.Name, value, Value(term), t.red.text(Origin(term))), " "))
	}
	return out
}

// Value prints a term's number with its unit: "38.75 GiB", "120 s", "464 buffers", "0.1".
func Value(term budget.Term) string {
	v := term.Value
	switch term.Unit {
	case budget.Bytes:
		return quantity.Bytes(v).Pretty()
	case budget.BytesPerSecond:
		return quantity.Bytes(v).Pretty() + "/s"
	case budget.Seconds:
		return strconv.FormatFloat(v, 'g', 6, 64) + " s"
	case budget.Buffers:
		return strconv.FormatFloat(v, 'f', -1, 64) + " buffers"
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// Origin prints where a term comes from.
func Origin(term budget.Term) string {
	switch term.Origin {
	case conf.Assumed:
		return "assumed: " + term.From
	case conf.Given, conf.Default:
		return term.From
	}
	return term.From
}

// diff prints the edits of one finding as a small diff; secrets stay hidden.
func (t *text) diff(edits []advisor.Edit) {
	pad := strings.Repeat(" ", t.margin+1)
	for i, e := range edits {
		if i == 0 {
			t.bar("")
		}
		at := ""
		if e.Span.Valid() {
			at = strconv.Itoa(e.Span.Line) + " "
			if e.Span.Start == e.Span.End && e.Span.Column > 1 {
				at = strconv.Itoa(e.Span.Line+1) + " " // a new line after a last one that has no end
			}
		}
		if e.Old != "" || e.Remove {
			for _, l := range oldLines(e) {
				t.printf("%s%s\n", pad, t.paint(red, "- "+at+"| "+t.red.line(l)))
			}
		}
		if !e.Remove {
			for _, l := range newLines(e) {
				t.printf("%s%s\n", pad, t.paint(green, "+ "+at+"| "+t.red.line(l)))
			}
		}
	}
}

// oldLines and newLines are the lines that an edit takes away and puts there, without their indentation.
func oldLines(e advisor.Edit) []string {
	if !e.Span.Valid() {
		return []string{e.Key + ": " + e.Old}
	}
	first, start := e.Span.File.Line(e.Span.Line)
	if e.Remove {
		return trimLines(e.Span.Text())
	}
	last, lastStart := e.Span.File.Line(e.Span.EndLine)
	return trimLines(clip(string(first), 0, e.Span.Start-start) + e.Span.Text() + clip(string(last), e.Span.End-lastStart, len(last)))
}

func newLines(e advisor.Edit) []string {
	if !e.Span.Valid() {
		return []string{e.Key + ": " + e.New}
	}
	_, text := e.Replacement()
	if e.Span.Start == e.Span.End && e.Key != "" {
		return trimLines(text)
	}
	first, start := e.Span.File.Line(e.Span.Line)
	last, lastStart := e.Span.File.Line(e.Span.EndLine)
	return trimLines(clip(string(first), 0, e.Span.Start-start) + text + clip(string(last), e.Span.End-lastStart, len(last)))
}

func trimLines(s string) []string {
	var out []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r", "\n"), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// closing prints what follows the findings: counts, what was read, what could not be judged, the verdict.
func (t *text) closing(r *Report) {
	c := r.Counts()
	for _, n := range r.notAssessed() {
		t.printf("not assessed: %s needs %s\n", n.Rule.ID, strings.Join(n.Needs, ", "))
	}
	if len(r.notAssessed()) > 0 {
		t.printf("\n")
	}
	t.printf("%s\n", tally(r))
	options := 0
	for _, res := range r.Results {
		options += len(res.Target.Conf.Entries())
	}
	t.printf("%s, %s, %s\n", count(len(r.Results), "configuration"), count(options, "option"), flinkVersions(r))
	if c.Total() > 0 {
		t.printf("more: flinkadvise explain %s\n", r.Findings[0].Rule.ID)
	}
	if r.Failed {
		t.printf("%s findings at or above --fail-on=%s\n", t.paint(red, "failed:"), r.FailOn)
	}
	if crashed := r.Crashed(); len(crashed) > 0 {
		t.printf("%s %s of flinkadvise crashed; what it would have found is missing here\n", t.paint(red, "incomplete:"), ruleNames(crashed))
	}
}

// ruleNames names the rules that crashed, each once: "rule a/b", "rules a/b, c/d".
func ruleNames(crashed []advisor.Panic) string {
	var ids []string
	for _, p := range crashed {
		if !slices.Contains(ids, p.Rule.ID) {
			ids = append(ids, p.Rule.ID)
		}
	}
	if len(ids) == 1 {
		return "rule " + ids[0]
	}
	return "rules " + strings.Join(ids, ", ")
}

// tally is the line that counts. It says "ok" only where there is nothing, not where something is out of sight or a rule crashed.
func tally(r *Report) string {
	c := r.Counts()
	switch {
	case c.Total() > 0:
		return fmt.Sprintf("%s: %s%s", count(c.Total(), "finding"), severities(c), also(r, c))
	case r.Failed || r.Hidden > 0 || len(r.Crashed()) > 0:
		return "no finding to show" + also(r, c)
	}
	return "ok: nothing to report" + also(r, c)
}

func also(r *Report, c Counts) string {
	var parts []string
	if c.Suppressed > 0 {
		parts = append(parts, fmt.Sprintf("%d suppressed", c.Suppressed))
	}
	if n := fixable(r.Findings); n > 0 {
		parts = append(parts, fmt.Sprintf("%d can be fixed (--fix)", n))
	}
	if r.Hidden > 0 {
		parts = append(parts, fmt.Sprintf("%d hidden by --min-severity or --min-confidence", r.Hidden))
	}
	if r.Cut > 0 {
		parts = append(parts, fmt.Sprintf("%d of them beyond --top", r.Cut))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, "; ")
}

// fixable counts findings whose edits are all safe.
func fixable(findings []*advisor.Finding) int {
	n := 0
	for _, f := range findings {
		if f.Suppressed == nil && len(f.Edits) > 0 && !slices.ContainsFunc(f.Edits, func(e advisor.Edit) bool { return !e.Safe || !e.Span.Valid() }) {
			n++
		}
	}
	return n
}

func severities(c Counts) string {
	var parts []string
	if c.Error > 0 {
		parts = append(parts, count(c.Error, "error"))
	}
	if c.Warning > 0 {
		parts = append(parts, count(c.Warning, "warning"))
	}
	if c.Advice > 0 {
		parts = append(parts, fmt.Sprintf("%d advice", c.Advice))
	}
	return strings.Join(parts, ", ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// flinkVersions names the version and its origin when all targets share it.
func flinkVersions(r *Report) string {
	var names []string
	for _, res := range r.Results {
		n := fmt.Sprintf("Flink %s (%s)", res.Target.Version, printable(res.Target.VersionFrom))
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	return fmt.Sprintf("%d Flink versions", len(names))
}
