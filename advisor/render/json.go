package render

import (
	"io"
	"math"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// JSONVersion is the version of the JSON report. Fields may be added to a version, never changed.
const JSONVersion = 1

type jsonReport struct {
	Version     int               `json:"version"`
	Tool        jsonTool          `json:"tool"`
	Flink       jsonFlink         `json:"flink"`
	Inputs      []jsonInput       `json:"inputs"`
	Budgets     []jsonBudgets     `json:"budgets"`
	Findings    []jsonFinding     `json:"findings"`
	NotAssessed []jsonNotAssessed `json:"notAssessed"`
	Panics      []jsonPanic       `json:"panics,omitempty"`
	Summary     jsonSummary       `json:"summary"`
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonFlink struct {
	Version string `json:"version"`
	From    string `json:"from"`
	Assumed bool   `json:"assumed,omitempty"`
}

type jsonInput struct {
	Path    string    `json:"path"`
	Name    string    `json:"name,omitempty"`
	Kind    string    `json:"kind"`
	Dialect string    `json:"dialect"`
	Options int       `json:"options"`
	Flink   jsonFlink `json:"flink"`
}

type jsonBudgets struct {
	Input       string           `json:"input"`
	TaskManager *jsonTaskManager `json:"taskManager"`
	JobManager  *jsonJobManager  `json:"jobManager"`
	Network     *jsonNetwork     `json:"network"`
	Checkpoint  *jsonCheckpoint  `json:"checkpoint"`
}

type jsonTaskManager struct {
	ProcessSize      *int64        `json:"processSize"`
	FlinkSize        *int64        `json:"flinkSize"`
	FrameworkHeap    *int64        `json:"frameworkHeap"`
	FrameworkOffHeap *int64        `json:"frameworkOffHeap"`
	TaskHeap         *int64        `json:"taskHeap"`
	TaskOffHeap      *int64        `json:"taskOffHeap"`
	Managed          *int64        `json:"managed"`
	Network          *int64        `json:"network"`
	JVMMetaspace     *int64        `json:"jvmMetaspace"`
	JVMOverhead      *int64        `json:"jvmOverhead"`
	Slots            *int          `json:"slots"`
	PerSlot          *jsonPerSlot  `json:"perSlot"`
	JVMArguments     []string      `json:"jvmArguments"`
	Error            *string       `json:"error"`
	Refusals         []jsonRefusal `json:"refusals,omitempty"`
}

type jsonRefusal struct {
	ID      string     `json:"id"`
	Message string     `json:"message"`
	Keys    []string   `json:"keys,omitempty"`
	Terms   []jsonTerm `json:"terms,omitempty"`
}

type jsonPerSlot struct {
	CPU         float64 `json:"cpu"`
	TaskHeap    int64   `json:"taskHeap"`
	TaskOffHeap int64   `json:"taskOffHeap"`
	Managed     int64   `json:"managed"`
	Network     int64   `json:"network"`
}

type jsonJobManager struct {
	ProcessSize  *int64        `json:"processSize"`
	FlinkSize    *int64        `json:"flinkSize"`
	Heap         *int64        `json:"heap"`
	OffHeap      *int64        `json:"offHeap"`
	JVMMetaspace *int64        `json:"jvmMetaspace"`
	JVMOverhead  *int64        `json:"jvmOverhead"`
	JVMArguments []string      `json:"jvmArguments"`
	Error        *string       `json:"error"`
	Refusals     []jsonRefusal `json:"refusals,omitempty"`
}

type jsonNetwork struct {
	SegmentSize     *int64     `json:"segmentSize"`
	Buffers         *int64     `json:"buffers"`
	Required        *int64     `json:"required"`
	RequiredRestore *int64     `json:"requiredRestore"`
	RestoreSuffices *int64     `json:"restoreSuffices"`
	Target          *int64     `json:"target"`
	Maximum         *int64     `json:"maximum"`
	MaxParallelism  *int64     `json:"maxParallelism"`
	Edges           []jsonEdge `json:"edges"`
}

type jsonEdge struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Required int64  `json:"required"`
	Target   int64  `json:"target"`
}

type jsonCheckpoint struct {
	InFlightPerTaskManager    *int64   `json:"inFlightPerTaskManager"`
	InFlightJob               *int64   `json:"inFlightJob"`
	InFlightCapPerTaskManager *int64   `json:"inFlightCapPerTaskManager"`
	StateBytes                *int64   `json:"stateBytes"`
	Files                     *int64   `json:"files"`
	Seconds                   *float64 `json:"seconds"`
	TimeoutSeconds            *float64 `json:"timeoutSeconds"`
	BreakEvenBytesPerSecond   *float64 `json:"breakEvenBytesPerSecond"`
}

type jsonFinding struct {
	Rule        string           `json:"rule"`
	Severity    string           `json:"severity"`
	Impact      string           `json:"impact"`
	Confidence  string           `json:"confidence"`
	Rank        int              `json:"rank"`
	Message     string           `json:"message"`
	Labels      []jsonLabel      `json:"labels"`
	Terms       []jsonTerm       `json:"terms"`
	Notes       []string         `json:"notes"`
	Help        string           `json:"help"`
	Edits       []jsonEdit       `json:"edits"`
	Fingerprint string           `json:"fingerprint"`
	Suppressed  *jsonSuppression `json:"suppressed"`
	FollowOns   []jsonFinding    `json:"followOns,omitempty"`
}

type jsonLabel struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndColumn int    `json:"endColumn"`
	Key       string `json:"key"`
	Text      string `json:"text"`
	Primary   bool   `json:"primary"`
}

type jsonTerm struct {
	Name   string   `json:"name"`
	Value  *float64 `json:"value"`
	Unit   string   `json:"unit"`
	Origin string   `json:"origin"`
	From   string   `json:"from"`
}

type jsonEdit struct {
	File      string `json:"file"`
	Key       string `json:"key"`
	Old       string `json:"old"`
	New       string `json:"new"`
	Remove    bool   `json:"remove,omitempty"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndColumn int    `json:"endColumn"`
	Safety    string `json:"safety"`
}

type jsonSuppression struct {
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
}

type jsonNotAssessed struct {
	Rule  string   `json:"rule"`
	Needs []string `json:"needs"`
}

type jsonPanic struct {
	Rule  string `json:"rule"`
	Input string `json:"input"`
	Value string `json:"value"`
}

type jsonSummary struct {
	Error      int  `json:"error"`
	Warning    int  `json:"warning"`
	Advice     int  `json:"advice"`
	Suppressed int  `json:"suppressed"`
	Failed     bool `json:"failed"`
	// Hidden counts what --min-severity and --min-confidence leave out of findings, BeyondTop what --top does.
	Hidden    int `json:"hidden,omitempty"`
	BeyondTop int `json:"beyondTop,omitempty"`
}

// JSON writes the report as one object, version 1: all sizes in bytes, all times in seconds, null for what cannot be computed.
func JSON(w io.Writer, r *Report) error { return writeJSON(w, reportJSON(r)) }

func reportJSON(r *Report) jsonReport {
	hide := newRedactor(r.Results)
	c := r.Counts()
	out := jsonReport{
		Version: JSONVersion, Tool: jsonTool{"flinkadvise", r.Tool},
		Inputs: []jsonInput{}, Budgets: []jsonBudgets{}, Findings: []jsonFinding{}, NotAssessed: []jsonNotAssessed{},
		Summary: jsonSummary{c.Error, c.Warning, c.Advice, c.Suppressed, r.Failed, r.Hidden, r.Cut},
	}
	for _, p := range r.Crashed() {
		out.Panics = append(out.Panics, jsonPanic{p.Rule.ID, p.Target, hide.text(p.Value)})
	}
	for i, res := range r.Results {
		t := res.Target
		flink := jsonFlink{t.Version.String(), t.VersionFrom, t.VersionAssumed}
		if i == 0 {
			out.Flink = flink
		}
		in := jsonInput{Path: t.Name, Kind: string(t.Carried.Kind), Options: len(t.Conf.Entries()), Flink: flink}
		if len(t.Documents) > 0 {
			in.Path, in.Name = t.Documents[0].Path(), t.Carried.Name
			in.Dialect = t.Documents[len(t.Documents)-1].Dialect.String()
		}
		out.Inputs = append(out.Inputs, in)
		out.Budgets = append(out.Budgets, budgetsJSON(t))
	}
	for _, f := range r.Findings {
		if f.Suppressed == nil || r.ShowSuppressed {
			out.Findings = append(out.Findings, findingJSON(f, hide))
		}
	}
	for _, n := range r.notAssessed() {
		out.NotAssessed = append(out.NotAssessed, jsonNotAssessed{n.Rule.ID, n.Needs})
	}
	return out
}

func findingJSON(f *advisor.Finding, hide redactor) jsonFinding {
	out := jsonFinding{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Impact: f.Impact.String(), Confidence: f.Confidence.String(), Rank: f.Rank,
		Message: hide.text(f.Message), Help: hide.text(f.Help), Fingerprint: f.Fingerprint(),
		Labels: []jsonLabel{}, Terms: termsJSON(f.Terms, hide), Notes: []string{}, Edits: []jsonEdit{},
	}
	for i, l := range f.Labels {
		out.Labels = append(out.Labels, jsonLabel{
			l.Span.Path(), l.Span.Line, l.Span.Column, endColumn(l.Span.Line, l.Span.EndLine, l.Span.Column, l.Span.EndColumn), l.Key, hide.text(l.Text), i == 0,
		})
	}
	for _, n := range f.Notes {
		out.Notes = append(out.Notes, hide.text(n))
	}
	for _, e := range f.Edits {
		safety := "unsafe"
		if e.Safe {
			safety = "safe"
		}
		out.Edits = append(out.Edits, jsonEdit{
			e.Span.Path(), e.Key, hide.value(e.Key, e.Old), hide.value(e.Key, e.New), e.Remove,
			e.Span.Line, e.Span.Column, endColumn(e.Span.Line, e.Span.EndLine, e.Span.Column, e.Span.EndColumn), safety,
		})
	}
	if f.Suppressed != nil {
		out.Suppressed = &jsonSuppression{f.Suppressed.Kind, hide.text(f.Suppressed.Reason)}
	}
	for _, also := range f.FollowOns {
		out.FollowOns = append(out.FollowOns, findingJSON(also, hide))
	}
	return out
}

// endColumn is the end on the first line; a span over several lines is cut to one character there.
func endColumn(line, endLine, column, end int) int {
	if line != endLine {
		return column + 1
	}
	return end
}

func termsJSON(terms []budget.Term, hide redactor) []jsonTerm {
	out := []jsonTerm{}
	for _, t := range terms {
		out = append(out, jsonTerm{t.Name, finite(t.Value), string(t.Unit), t.Origin.String(), hide.text(t.From)})
	}
	return out
}

func budgetsJSON(t *advisor.Target) jsonBudgets {
	out := jsonBudgets{Input: t.Name}
	if tm := t.TaskManager; tm != nil {
		j := &jsonTaskManager{
			ProcessSize: part(tm.ProcessSize), FlinkSize: part(tm.FlinkSize), FrameworkHeap: part(tm.FrameworkHeap), FrameworkOffHeap: part(tm.FrameworkOffHeap),
			TaskHeap: part(tm.TaskHeap), TaskOffHeap: part(tm.TaskOffHeap), Managed: part(tm.Managed), Network: part(tm.Network),
			JVMMetaspace: part(tm.JVMMetaspace), JVMOverhead: part(tm.JVMOverhead), JVMArguments: orEmpty(tm.JVMArguments),
		}
		if tm.Slots > 0 {
			j.Slots = &tm.Slots
		}
		j.Error, j.Refusals = refusalsJSON(tm.Refusals)
		if j.Error == nil && tm.Slots > 0 && tm.TaskHeap.Known {
			s := tm.PerSlot
			j.PerSlot = &jsonPerSlot{s.CPU, int64(s.TaskHeap), int64(s.TaskOffHeap), int64(s.Managed), int64(s.Network)}
		}
		out.TaskManager = j
	}
	if jm := t.JobManager; jm != nil {
		j := &jsonJobManager{
			ProcessSize: part(jm.ProcessSize), FlinkSize: part(jm.FlinkSize), Heap: part(jm.Heap), OffHeap: part(jm.OffHeap),
			JVMMetaspace: part(jm.JVMMetaspace), JVMOverhead: part(jm.JVMOverhead), JVMArguments: orEmpty(jm.JVMArguments),
		}
		j.Error, j.Refusals = refusalsJSON(jm.Refusals)
		out.JobManager = j
	}
	if n := t.Network; n != nil {
		j := &jsonNetwork{
			Buffers: amount(n.Buffers), Required: amount(n.Required), RequiredRestore: amount(n.RequiredRestore), RestoreSuffices: amount(n.RestoreSuffices), Target: amount(n.Target),
			Maximum: amount(n.Maximum), MaxParallelism: amount(n.MaxParallelism), Edges: []jsonEdge{},
		}
		if n.SegmentSize > 0 {
			j.SegmentSize = number(n.SegmentSize)
		}
		for _, e := range n.Edges {
			j.Edges = append(j.Edges, jsonEdge{e.From, e.To, e.Required, e.Target})
		}
		out.Network = j
	}
	if c := t.Checkpoint; c != nil {
		j := &jsonCheckpoint{
			InFlightPerTaskManager: amount(c.InFlightPerTaskManager), InFlightJob: amount(c.InFlightJob), InFlightCapPerTaskManager: amount(c.InFlightCapPerTaskManager),
			StateBytes: amount(c.State), Files: amount(c.Files), Seconds: seconds(c.Duration), BreakEvenBytesPerSecond: seconds(c.BreakEven),
		}
		if !c.Timeout.IsZero() {
			s := c.Timeout.Seconds()
			j.TimeoutSeconds = &s
		}
		out.Checkpoint = j
	}
	return out
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func refusalsJSON(refusals []budget.Refusal) (first *string, all []jsonRefusal) {
	for _, r := range refusals {
		all = append(all, jsonRefusal{r.ID, r.Message, r.Keys, termsJSON(r.Terms, redactor{noSecrets})})
	}
	if len(refusals) > 0 {
		first = &refusals[0].Message
	}
	return first, all
}

func number[T ~int64](v T) *int64 {
	n := int64(v)
	return &n
}

func part(p budget.Part) *int64 {
	if !p.Known {
		return nil
	}
	return number(p.Bytes)
}

func amount[T int64 | quantity.Bytes](a budget.Amount[T]) *int64 {
	if !a.Known {
		return nil
	}
	return number(int64(a.V))
}

func seconds(a budget.Amount[float64]) *float64 {
	if !a.Known {
		return nil
	}
	return finite(a.V)
}

// finite is v, or nil for what JSON has no number for.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}
