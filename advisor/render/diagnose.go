package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/flinkadvise/flinkadvise/advisor/diagnose"
)

// maxTimeline is how many events a report for people shows; JSON has all that were kept.
const maxTimeline = 24

// DiagnosisText writes what happened, what it was, what was taken out of the logs, the findings, and what could not be known.
func DiagnosisText(w io.Writer, r *Report, d *diagnose.Diagnosis, colour bool) error {
	t := &text{colour: colour, red: newRedactor(r.Results)}
	if !r.Quiet {
		t.timeline(d)
		t.verdicts(d)
		t.extracted(d)
		total := r.Counts().Total()
		for _, f := range r.Findings {
			if f.Suppressed != nil && !r.ShowSuppressed {
				continue
			}
			t.finding(f, total)
			t.printf("\n")
		}
		t.unknown(r, d)
	}
	t.counts(r)
	_, err := w.Write(t.buf.Bytes())
	return err
}

// clock prints times of one timeline: the day only where it changes.
type clock struct{ day string }

func (c *clock) print(t time.Time) string {
	if t.IsZero() {
		return "                       "
	}
	day := t.Format("2006-01-02")
	out := t.Format("2006-01-02 15:04:05.000")
	if day == c.day {
		out = "           " + t.Format("15:04:05.000")
	}
	c.day = day
	return out
}

// kindOf is what an event is in the course of events.
func kindOf(d *diagnose.Diagnosis, e diagnose.Event) string {
	if e.Match == nil {
		return ""
	}
	return d.As(e.Match).String()
}

func (t *text) timeline(d *diagnose.Diagnosis) {
	events, left := d.Timeline(maxTimeline)
	if len(events) == 0 {
		return
	}
	t.printf("%s\n", t.paint(bold, "what happened"))
	var c clock
	for _, e := range events {
		line := t.red.text(e.Text)
		if columns.StringWidth(line) > maxExcerpt-20 {
			line = columns.Truncate(line, maxExcerpt-20, "...")
		}
		if e.Count > 1 {
			line += fmt.Sprintf(" (%d times)", e.Count)
		}
		t.printf("%s\n", strings.TrimRight(fmt.Sprintf("  %s  %-11s  %s  %s", c.print(e.Time), kindOf(d, e), line, t.paint(dim, printable(d.String(e.Place)))), " "))
	}
	if left > 0 {
		t.printf("  and %d events more; -o json has them\n", left)
	}
	t.printf("\n")
}

func (t *text) verdicts(d *diagnose.Diagnosis) {
	t.printf("%s\n", t.paint(bold, "what it was"))
	if len(d.Verdicts) == 0 {
		t.printf("  nothing that is known to be a failure is in the logs\n\n")
		return
	}
	for _, v := range d.Verdicts {
		t.printf("  %s %s  %s\n", t.paint(red, v.Kind.String()+":"), t.red.text(v.Sentence()), t.paint(dim, printable(d.String(v.First))))
		for _, m := range v.Brought {
			t.printf("    %s of it: %s  %s\n", d.As(m), t.red.text(m.Sentence()), t.paint(dim, printable(d.String(m.First))))
		}
	}
	t.printf("\n")
}

func (t *text) extracted(d *diagnose.Diagnosis) {
	facts := d.Facts()
	if len(facts) == 0 {
		return
	}
	t.printf("%s\n", t.paint(bold, "taken out of the logs"))
	width := 0
	for _, f := range facts {
		width = max(width, len(f.Name))
	}
	for _, f := range facts {
		t.printf("%s\n", strings.TrimRight(fmt.Sprintf("  %-*s  %s  %s", width, f.Name, t.red.text(f.Value), t.paint(dim, printable(f.From))), " "))
	}
	t.printf("\n")
}

// unknown lists the facts that would have let more be judged, each once.
func (t *text) unknown(r *Report, d *diagnose.Diagnosis) {
	needs := needed(r)
	if len(needs) == 0 && d.Complete() {
		return
	}
	t.printf("%s\n", t.paint(bold, "could not know"))
	if !d.Complete() {
		t.printf("  the configuration: these logs do not print it, so what is not set there counts as unknown; --conf names it\n")
	}
	for _, n := range needs {
		t.printf("  %s: not assessed by %s\n", n.fact, strings.Join(n.rules, ", "))
	}
	t.printf("\n")
}

// need is a fact that is missing, and the rules that lack it.
type need struct {
	fact  string
	rules []string
}

func needed(r *Report) []need {
	var out []need
	for _, n := range r.notAssessed() {
		for _, fact := range n.Needs {
			i := slices.IndexFunc(out, func(x need) bool { return x.fact == fact })
			if i < 0 {
				i = len(out)
				out = append(out, need{fact: fact})
			}
			out[i].rules = append(out[i].rules, n.Rule.ID)
		}
	}
	slices.SortStableFunc(out, func(a, b need) int {
		return cmp.Or(cmp.Compare(len(b.rules), len(a.rules)), cmp.Compare(a.fact, b.fact))
	})
	return out
}

func (t *text) counts(r *Report) {
	c := r.Counts()
	for _, res := range r.Results {
		for _, p := range res.Panics {
			t.printf("%s rule %s crashed on %s: %s; this is a bug in flinkadvise\n", t.paint(red, "bug:"), p.Rule.ID, printable(p.Target), t.red.text(p.Value))
		}
	}
	if c.Total() == 0 {
		t.printf("ok: nothing to report%s\n", also(r, c))
	} else {
		t.printf("%s: %s%s\n", count(c.Total(), "finding"), severities(c), also(r, c))
	}
	t.printf("%s\n", flinkVersions(r))
	if c.Total() > 0 {
		t.printf("more: flinkadvise explain %s\n", r.Findings[0].Rule.ID)
	}
	if r.Failed {
		t.printf("%s findings at or above --fail-on=%s\n", t.paint(red, "failed:"), r.FailOn)
	}
}

// DiagnosisMarkdown writes a diagnosis for a ticket.
func DiagnosisMarkdown(w io.Writer, r *Report, d *diagnose.Diagnosis) error {
	var b bytes.Buffer
	hide := newRedactor(r.Results)
	b.WriteString("### flinkadvise: diagnosis\n\n")
	if len(d.Verdicts) == 0 {
		b.WriteString("Nothing that is known to be a failure is in the logs.\n")
	}
	for _, v := range d.Verdicts {
		fmt.Fprintf(&b, "- **%s**: %s (`%s`)\n", v.Kind, cell(hide.text(v.Sentence())), cell(printable(d.String(v.First))))
		for _, m := range v.Brought {
			fmt.Fprintf(&b, "  - %s of it: %s (`%s`)\n", d.As(m), cell(hide.text(m.Sentence())), cell(printable(d.String(m.First))))
		}
	}
	if events, left := d.Timeline(maxTimeline); len(events) > 0 {
		b.WriteString("\n<details><summary>what happened</summary>\n\n| time | | event | where |\n| --- | --- | --- | --- |\n")
		for _, e := range events {
			at := ""
			if !e.Time.IsZero() {
				at = e.Time.Format("2006-01-02 15:04:05.000")
			}
			fmt.Fprintf(&b, "| %s | %s | %s | `%s` |\n", at, kindOf(d, e), cell(hide.text(e.Text)), cell(printable(d.String(e.Place))))
		}
		if left > 0 {
			fmt.Fprintf(&b, "\nand %d more\n", left)
		}
		b.WriteString("\n</details>\n")
	}
	if facts := d.Facts(); len(facts) > 0 {
		b.WriteString("\n<details><summary>taken out of the logs</summary>\n\n| fact | value | from |\n| --- | --- | --- |\n")
		for _, f := range facts {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(f.Name), cell(hide.text(f.Value)), cell(printable(f.From)))
		}
		b.WriteString("\n</details>\n")
	}
	b.WriteString("\n")
	if err := Markdown(&b, r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

type jsonDiagnosis struct {
	jsonReport
	Timeline   []jsonEvent     `json:"timeline"`
	Signatures []jsonSignature `json:"signatures"`
	Extracted  jsonExtracted   `json:"extracted"`
}

type jsonEvent struct {
	Time      *string `json:"time"`
	File      string  `json:"file"`
	Line      int     `json:"line"`
	Text      string  `json:"text"`
	Count     int     `json:"count"`
	Signature *string `json:"signature"`
}

type jsonSignature struct {
	ID   string `json:"id"`
	Part string `json:"part"`
	Kind string `json:"kind"`
	Rule string `json:"rule"`
	Says string `json:"says"`
	// Verdict tells that nothing else in the logs explains it; CausedBy names the verdict that does.
	Verdict  bool              `json:"verdict"`
	CausedBy *string           `json:"causedBy"`
	Count    int               `json:"count"`
	File     string            `json:"file"`
	Line     int               `json:"line"`
	First    *string           `json:"first"`
	Last     *string           `json:"last"`
	Words    map[string]string `json:"words"`
}

type jsonExtracted struct {
	Logs        []jsonLog        `json:"logs"`
	Flink       *string          `json:"flink"`
	Facts       []jsonFact       `json:"facts"`
	Settings    []jsonSetting    `json:"settings"`
	Solutions   []jsonSolution   `json:"solutions"`
	Checkpoints jsonCheckpoints  `json:"checkpoints"`
	Vertices    []jsonSeenVertex `json:"vertices"`
	Restarts    int              `json:"restarts"`
}

type jsonLog struct {
	Name    string  `json:"name"`
	Process *string `json:"process"`
	Lines   int     `json:"lines"`
	Bytes   int64   `json:"bytes"`
	First   *string `json:"first"`
	Last    *string `json:"last"`
}

type jsonFact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`
}

type jsonSetting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`
}

type jsonSolution struct {
	Slots       int     `json:"slots"`
	CPU         float64 `json:"cpu"`
	FlinkSize   int64   `json:"flinkSize"`
	ProcessSize int64   `json:"processSize"`
}

type jsonCheckpoints struct {
	Completed int `json:"completed"`
	Expired   int `json:"expired"`
	Declined  int `json:"declined"`
	Failed    int `json:"failed"`
}

type jsonSeenVertex struct {
	Kind        string `json:"kind"`
	Parallelism int    `json:"parallelism"`
	From        string `json:"from"`
}

// DiagnosisJSON writes the report of a check, version 1, with timeline, signatures and extracted added.
func DiagnosisJSON(w io.Writer, r *Report, d *diagnose.Diagnosis) error {
	hide := newRedactor(r.Results)
	out := jsonDiagnosis{
		jsonReport: reportJSON(r), Timeline: []jsonEvent{}, Signatures: []jsonSignature{},
		Extracted: jsonExtracted{Logs: []jsonLog{}, Facts: []jsonFact{}, Settings: []jsonSetting{}, Solutions: []jsonSolution{}, Vertices: []jsonSeenVertex{}, Restarts: d.Restarts},
	}
	events, _ := d.Timeline(int(^uint(0) >> 1))
	for _, e := range events {
		x := jsonEvent{Time: stamp(e.Time), File: d.Logs[e.Log].Name, Line: e.Line, Text: hide.text(e.Text), Count: max(e.Count, 1)}
		if e.Match != nil {
			x.Signature = &e.Match.ID
		}
		out.Timeline = append(out.Timeline, x)
	}
	for _, m := range d.Matches {
		x := jsonSignature{
			ID: m.ID, Part: m.Part, Kind: m.Kind.String(), Rule: m.Rule, Says: hide.text(m.Sentence()), Count: m.Count,
			File: d.Logs[m.First.Log].Name, Line: m.First.Line, First: stamp(m.First.Time), Last: stamp(m.Last.Time), Words: map[string]string{},
		}
		for k, v := range m.Words {
			x.Words[k] = hide.text(v)
		}
		for _, v := range d.Verdicts {
			switch {
			case v.Match == m:
				x.Verdict, x.Says = true, hide.text(v.Sentence())
			case x.CausedBy == nil && slices.Contains(v.Brought, m):
				x.CausedBy = &v.ID
			}
		}
		out.Signatures = append(out.Signatures, x)
	}
	for _, l := range d.Logs {
		x := jsonLog{Name: l.Name, Lines: l.Lines, Bytes: l.Bytes, First: stamp(l.First), Last: stamp(l.Last)}
		if l.Process != "" {
			x.Process = &l.Process
		}
		out.Extracted.Logs = append(out.Extracted.Logs, x)
	}
	if v, _, ok := d.Release(); ok {
		out.Extracted.Flink = pointer(v)
	}
	for _, f := range d.Facts() {
		out.Extracted.Facts = append(out.Extracted.Facts, jsonFact{f.Name, hide.text(f.Value), f.From})
	}
	for _, e := range d.Target.Conf.Entries() {
		out.Extracted.Settings = append(out.Extracted.Settings, jsonSetting{e.Key, hide.value(e.Key, e.Value), cmp.Or(e.ValueSpan.String(), e.Layer)})
	}
	for _, s := range d.Solutions {
		out.Extracted.Solutions = append(out.Extracted.Solutions, jsonSolution{s.Slots, s.CPU, int64(s.FlinkSize), int64(s.ProcessSize)})
	}
	for _, c := range d.Checkpoints {
		switch c.Outcome {
		case "completed":
			out.Extracted.Checkpoints.Completed++
		case "expired":
			out.Extracted.Checkpoints.Expired++
		case "declined":
			out.Extracted.Checkpoints.Declined++
		case "failed":
			out.Extracted.Checkpoints.Failed++
		}
	}
	for _, v := range d.Vertices {
		out.Extracted.Vertices = append(out.Extracted.Vertices, jsonSeenVertex{v.Kind, v.Parallelism, d.String(v.Place)})
	}
	return writeJSON(w, out)
}

func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.Format("2006-01-02T15:04:05.000")
	return &s
}

func writeJSON(w io.Writer, v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(buf.Bytes())
	return err
}
