package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// MaxPlanSize bounds a plan: a graph of MaxVertices with the descriptions of SQL operators is well below it.
const MaxPlanSize = 32 << 20

// A Plan is the job graph that Flink printed.
type Plan struct {
	File *source.File
	// Name and Type are the job's, where the plan has them.
	Name, Type Fact[string]
	// Notes are sentences on what was assumed.
	Notes    []string
	Vertices []Vertex
	Edges    []Edge
}

// NoteChained is the note of a plan that holds operators rather than tasks.
const NoteChained = "The plan lists operators before chaining (flink info); they were joined into tasks as Flink does by default: " +
	"a FORWARD edge to an operator with one input and the same parallelism. Slot sharing groups, chaining that was switched off and " +
	"operators that never chain are not in such a plan."

// ParsePlan reads what GET /jobs/<id>/plan answers (JsonPlanGenerator; GET /jobs/<id>, which holds it, will do), or what flink info prints
// (the stream graph of JSONGenerator, operators before chaining, with or without the frame around it). The error is a Problems.
func ParsePlan(file *source.File) (*Plan, error) {
	p := &planParser{file: file}
	switch {
	case len(file.Data) > MaxPlanSize:
		p.problems.add(file.Span(0, 0), "the plan has %d bytes; more than %d are not read", len(file.Data), MaxPlanSize)
	default:
		p.read()
	}
	if err := p.problems.err(); err != nil {
		return nil, err
	}
	plan := p.graph()
	if err := p.problems.err(); err != nil {
		return nil, err
	}
	return plan, nil
}

// ApplyTo replaces the vertices and edges of facts by the plan's, and fills in the job's name, type and API where they are unknown and the plan tells.
func (p *Plan) ApplyTo(facts *Facts) {
	facts.Job.Vertices, facts.Job.Edges, facts.Job.PlanNotes = p.Vertices, p.Edges, p.Notes
	if !facts.Name.Known {
		facts.Name = p.Name
	}
	if !facts.Job.Type.Known {
		facts.Job.Type = p.Type
	}
	for _, v := range p.Vertices {
		// Windows are read from operators of the SQL planner only.
		if v.Window != nil && !facts.Job.API.Known {
			facts.Job.API = Fact[string]{V: "sql", Known: true, Span: v.Span}
		}
	}
}

// A planText is a JSON string or number as text: ids and parallelisms are printed as either.
type planText string

// UnmarshalJSON takes strings, numbers and null.
func (t *planText) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, (*string)(t))
	}
	var n json.Number
	if err := json.Unmarshal(data, &n); err != nil {
		return fmt.Errorf("expected text or a number, not %.20s", data)
	}
	*t = planText(n)
	return nil
}

type planInput struct {
	ID           planText `json:"id"`
	ShipStrategy string   `json:"ship_strategy"`
	Exchange     string   `json:"exchange"`
}

// A planNode is a node of either shape. In the first the text is the description; in the second, type and contents.
type planNode struct {
	ID           planText    `json:"id"`
	Parallelism  planText    `json:"parallelism"`
	Description  string      `json:"description"`
	Inputs       []planInput `json:"inputs"`
	Pact         string      `json:"pact"`
	Type         string      `json:"type"`
	Contents     string      `json:"contents"`
	Predecessors []planInput `json:"predecessors"`

	span source.Span
}

// operators tells whether the node is an operator of a stream graph rather than a task.
func (n *planNode) operators() bool { return n.Pact != "" }

func (n *planNode) inputs() []planInput {
	if n.operators() {
		return n.Predecessors
	}
	return n.Inputs
}

// text is the node's description without HTML.
func (n *planNode) text() string {
	s := n.Description
	if n.operators() {
		if s = n.Contents; s == "" {
			s = n.Type
		}
	}
	return plain(s)
}

// name is what the node is called: for an operator of a stream graph its short name.
func (n *planNode) name() string {
	if n.operators() && n.Type != "" {
		return shortName(plain(n.Type))
	}
	return shortName(n.text())
}

type planParser struct {
	file       *source.File
	problems   Problems
	name, kind Fact[string]
	nodes      []planNode
	// most holds the maximum parallelism of tasks, which GET /jobs/<id> has beside the plan.
	most map[string]int
	// base is the offset of the JSON in the file.
	base int
}

// read finds the nodes.
func (p *planParser) read() {
	data := p.file.Data
	start, end := bytes.IndexByte(data, '{'), bytes.LastIndexByte(data, '}')
	if start < 0 || end < start {
		p.problems.add(p.file.Span(0, 0), "not a plan: no JSON object in it")
		return
	}
	p.base = start
	dec := json.NewDecoder(bytes.NewReader(data[start : end+1]))
	found, err := p.object(dec, true)
	switch {
	case err != nil:
		at := p.base + int(dec.InputOffset())
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = p.base + int(syntax.Offset)
		}
		p.problems.add(p.file.Span(at, at), "not a plan: %v", err)
	case !found:
		p.problems.add(p.file.Span(start, start+1), "not a plan: it is neither the answer of GET /jobs/<id>/plan nor what flink info prints (no nodes)")
	case dec.More():
		at := p.base + int(dec.InputOffset())
		p.problems.add(p.file.Span(at, at), "text follows the plan")
	}
}

// object reads an object that holds nodes, or a plan that does.
func (p *planParser) object(dec *json.Decoder, top bool) (found bool, err error) {
	if err := delim(dec, '{'); err != nil {
		return false, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return false, err
		}
		switch {
		case key == "plan" && top:
			in, err := p.object(dec, false)
			if err != nil {
				return false, err
			}
			found = found || in
		case key == "nodes":
			if err := p.nodeList(dec); err != nil {
				return false, err
			}
			found = true
		case key == "name":
			err = p.text(dec, &p.name)
		case key == "type":
			err = p.text(dec, &p.kind)
		case key == "vertices" && top:
			err = p.maxima(dec)
		default:
			var skip json.RawMessage
			err = dec.Decode(&skip)
		}
		if err != nil {
			return false, err
		}
	}
	return found, delim(dec, '}')
}

func delim(dec *json.Decoder, want json.Delim) error {
	t, err := dec.Token()
	if err == nil && t != want {
		err = fmt.Errorf("expected %v", want)
	}
	return err
}

func (p *planParser) text(dec *json.Decoder, into *Fact[string]) error {
	var s string
	err := dec.Decode(&s)
	if end := p.base + int(dec.InputOffset()); err == nil && s != "" {
		*into = Fact[string]{V: s, Known: true, Span: p.file.Span(end-1, end)}
	}
	return err
}

// maxima reads the vertices of GET /jobs/<id> for their maximum parallelism.
func (p *planParser) maxima(dec *json.Decoder) error {
	var list []struct {
		ID             string `json:"id"`
		MaxParallelism int    `json:"maxParallelism"`
	}
	if err := dec.Decode(&list); err != nil {
		return err
	}
	p.most = map[string]int{}
	for _, v := range list {
		if v.MaxParallelism > 0 && v.MaxParallelism <= MaxParallelism {
			p.most[v.ID] = v.MaxParallelism
		}
	}
	return nil
}

func (p *planParser) nodeList(dec *json.Decoder) error {
	if err := delim(dec, '['); err != nil {
		return err
	}
	for dec.More() {
		var n planNode
		start := p.base + int(dec.InputOffset())
		if err := dec.Decode(&n); err != nil {
			return err
		}
		end := p.base + int(dec.InputOffset())
		for start < end && p.file.Data[start] != '{' {
			start++
		}
		n.span = p.file.Span(start, end)
		if len(p.nodes) == MaxVertices {
			return fmt.Errorf("more than %d nodes are not read", MaxVertices)
		}
		p.nodes = append(p.nodes, n)
	}
	return delim(dec, ']')
}

// graph turns nodes into vertices and edges, chaining operators where the plan has them.
func (p *planParser) graph() *Plan {
	plan := &Plan{File: p.file, Name: p.name}
	for _, t := range Types {
		if strings.EqualFold(p.kind.V, t) {
			plan.Type = p.kind
			plan.Type.V = t
		}
	}
	index := make(map[string]int, len(p.nodes))
	chained := false
	for i, n := range p.nodes {
		first, twice := index[string(n.ID)]
		switch {
		case n.ID == "":
			p.problems.add(n.span, "a node needs an id")
		case twice:
			p.problems.add(n.span, "the id %q stands twice; the first is in line %d", n.ID, p.nodes[first].span.Line)
		}
		index[string(n.ID)] = i
		chained = chained || n.operators()
	}
	// head[i] leads towards the operator that the chain of node i begins with.
	head := make([]int, len(p.nodes))
	for i := range head {
		head[i] = i
	}
	root := func(i int) int {
		for head[i] != i {
			head[i] = head[head[i]]
			i = head[i]
		}
		return i
	}
	for i := range p.nodes {
		n := &p.nodes[i]
		for _, in := range n.inputs() {
			from, ok := index[string(in.ID)]
			if !ok {
				p.problems.add(n.span, "the node %q has an input %q that the plan does not have", n.ID, in.ID)
				continue
			}
			// Flink's chaining by default: StreamingJobGraphGenerator.isChainable.
			if n.operators() && len(n.inputs()) == 1 && shipStrategy(in.ShipStrategy) == forward &&
				n.Parallelism == p.nodes[from].Parallelism && root(from) != i {
				head[i] = from
			}
		}
	}
	if len(p.problems) > 0 {
		return nil
	}
	place := make(map[int]int, len(p.nodes))
	var texts [][]string
	for i := range p.nodes {
		n := &p.nodes[i]
		r := root(i)
		at, ok := place[r]
		if !ok {
			at = len(plan.Vertices)
			place[r] = at
			plan.Vertices = append(plan.Vertices, Vertex{ID: string(p.nodes[r].ID), Span: p.nodes[r].span})
			texts = append(texts, nil)
		}
		v := &plan.Vertices[at]
		v.Name = clip(strings.TrimPrefix(v.Name+" -> "+n.name(), " -> "))
		texts[at] = append(texts[at], n.text())
		if count, err := strconv.Atoi(string(n.Parallelism)); err == nil && count > 0 && count <= MaxParallelism {
			v.Parallelism = Fact[int]{V: count, Known: true, Span: n.span}
		}
		if most, ok := p.most[v.ID]; ok {
			v.MaxParallelism = Fact[int]{V: most, Known: true, Span: n.span}
		}
	}
	feeds := make([]bool, len(plan.Vertices))
	for i := range p.nodes {
		n := &p.nodes[i]
		if head[i] != i {
			continue
		}
		to := place[root(i)]
		for _, in := range n.inputs() {
			from := place[root(index[string(in.ID)])]
			feeds[from] = true
			if len(plan.Edges) == MaxEdges {
				p.problems.add(n.span, "more than %d edges are not read", MaxEdges)
				return nil
			}
			e := Edge{From: plan.Vertices[from].ID, To: plan.Vertices[to].ID, Span: n.span}
			if s := shipStrategy(in.ShipStrategy); s != "" {
				e.ShipStrategy = Fact[string]{V: s, Known: true, Span: n.span}
			}
			if x := exchange(in.Exchange); x != "" {
				e.Exchange = Fact[string]{V: x, Known: true, Span: n.span}
			}
			plan.Edges = append(plan.Edges, e)
		}
		if len(n.inputs()) == 0 {
			plan.Vertices[to].Source = &Endpoint{}
		}
	}
	for i := range plan.Vertices {
		v := &plan.Vertices[i]
		all := strings.Join(texts[i], "\n")
		if !feeds[i] || strings.Contains(all, "Sink: ") {
			v.Sink = &Endpoint{}
		}
		v.Window = windowOf(all, v.Span)
	}
	if chained {
		plan.Notes = append(plan.Notes, NoteChained)
	}
	return plan
}

const forward = "FORWARD"

// shipStrategy reads the name of a partitioner as plans print it ("HASH[a, b]" in batch SQL); "" for one that is not a stream's.
func shipStrategy(printed string) string {
	name, _, _ := strings.Cut(printed, "[")
	s, _ := quantity.MatchEnum(strings.TrimSpace(name), ShipStrategies)
	return s
}

// exchange reads a ResultPartitionType in lower case: pipelined_bounded, blocking_persistent, hybrid_full …
func exchange(printed string) string {
	name, _, _ := strings.Cut(printed, "_")
	s, _ := quantity.MatchEnum(name, Exchanges)
	return s
}

var lineBreak = regexp.MustCompile(`(?i)<br ?/?>`)

// plain takes the HTML out of a description.
func plain(s string) string {
	return html.UnescapeString(lineBreak.ReplaceAllString(s, "\n"))
}

// maxName is how many characters of a task's name are kept: enough for a handful of operators.
const maxName = 120

func clip(s string) string {
	if utf8.RuneCountInString(s) <= maxName {
		return s
	}
	return string([]rune(s)[:maxName-3]) + "..."
}

// treeEdge is what the tree form of a description puts before an operator: "   +- [4]:".
var treeEdge = regexp.MustCompile(`^(?:[ :|]*[+:]- )?(?:\[\d+\]:)?`)

// planNumber is what the SQL planner puts behind the short name of an operator: "Calc[6]".
var planNumber = regexp.MustCompile(`\[\d+\]$`)

// shortName is the chain of operator names without their arguments: "GlobalWindowAggregate -> Calc -> Sink: out".
func shortName(description string) string {
	var parts []string
	for line := range strings.Lines(description) {
		name := strings.TrimSpace(withoutArguments(treeEdge.ReplaceAllString(line, "")))
		if name = planNumber.ReplaceAllString(name, ""); name != "" {
			parts = append(parts, name)
		}
	}
	return clip(strings.Join(parts, " -> "))
}

// withoutArguments drops what stands in round brackets.
func withoutArguments(s string) string {
	var b strings.Builder
	depth := 0
	for _, r := range s {
		switch {
		case r == '(':
			depth++
		case r == ')' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

var (
	// windowOperator finds the operators of the SQL planner that keep windows; the local half of a two-phase aggregate keeps none.
	windowOperator = regexp.MustCompile(`\b(?:Global|Python)?(?:Group)?WindowAggregate\(`)
	// tableWindow is a window table function as the WindowSpec classes print it (since 1.13).
	tableWindow = regexp.MustCompile(`\b(TUMBLE|HOP|CUMULATE|SESSION)\([^()]*?\b(?:max_size|size|gap)=\[([^\]]+)\](?:, (?:slide|step)=\[([^\]]+)\])?`)
	// groupWindow is a group window, in milliseconds where it is over time.
	groupWindow = regexp.MustCompile(`\b(Tumbling|Sliding|Session)GroupWindow\([^,()]+, [^,()]+, (\d+)(?:, (\d+))?\)`)
	// overTime tells that a group window is over event time and not over rows: only then is there a row time.
	overTime = regexp.MustCompile(`\browtime\('?w\$\)|\bw\$rowtime\b`)
	distinct = regexp.MustCompile(`\(DISTINCT |\bdistinct\$\d+`)
)

var windowKinds = map[string]string{
	"TUMBLE": "tumbling", "HOP": "sliding", "CUMULATE": "cumulative", "SESSION": "session",
	"Tumbling": "tumbling", "Sliding": "sliding", "Session": "session",
}

// maxWindows is how many windows of one task are looked at; real ones have one or two.
const maxWindows = 16

// windowOf is the window of a task, read from the text of its SQL operators; nil where there is none or where two differ.
func windowOf(text string, span source.Span) *Window {
	var found *Window
	for _, at := range windowOperator.FindAllStringIndex(text, maxWindows) {
		w := windowIn(arguments(text[at[1]:]), span)
		if w == nil || found != nil && *found != *w {
			return nil
		}
		found = w
	}
	return found
}

// arguments is s up to the bracket that closes it.
func arguments(s string) string {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:i]
			}
		}
	}
	return s
}

func windowIn(arguments string, span source.Span) *Window {
	m := tableWindow.FindStringSubmatch(arguments)
	if m == nil {
		if m = groupWindow.FindStringSubmatch(arguments); m == nil || !overTime.MatchString(arguments) {
			return nil
		}
	}
	w := &Window{
		Kind:     Fact[string]{V: windowKinds[m[1]], Known: true, Span: span},
		Distinct: Fact[bool]{V: distinct.MatchString(arguments), Known: true, Span: span},
	}
	for _, part := range []struct {
		text string
		into *Fact[quantity.Duration]
	}{{m[2], &w.Size}, {m[3], &w.Slide}} {
		if part.text == "" {
			continue
		}
		d, err := quantity.ParseDuration(part.text, version.Newest())
		if err != nil {
			return nil
		}
		*part.into = Fact[quantity.Duration]{V: d, Known: true, Span: span}
	}
	return w
}
