package job

import (
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"go.yaml.in/yaml/v3"

	"github.com/flinkadvise/flinkadvise/schema/source"
)

// FormatVersion is the version of the job file that Parse reads.
const FormatVersion = 1

// Limits of a job file. One is written by hand and has some dozens of lines; the limits leave room for a generated one.
const (
	MaxFileSize = 1 << 20
	// MaxVertices and MaxEdges bound a job's graph, from the file as from a plan.
	MaxVertices = 10_000
	MaxEdges    = 50_000
)

// Default is what is known without a job file: nothing.
func Default() *Facts { return &Facts{} }

// Parse reads a job file. Everything that is wrong with it is reported at once: the error is a Problems. open reads the file
// that job.plan names, whose path is taken from the folder of the job file; nil means that there are no other files.
func Parse(file *source.File, open func(path string) ([]byte, error)) (*Facts, error) {
	p := &parser{file: file}
	facts := &Facts{File: file}
	root := p.document()
	if root != nil {
		p.facts(root, facts)
	}
	if err := p.problems.err(); err != nil {
		return nil, err
	}
	if facts.Job.Plan.Known {
		if err := readPlan(facts, open); err != nil {
			return nil, err
		}
	}
	return facts, nil
}

// readPlan replaces vertices and edges by those of the plan file.
func readPlan(facts *Facts, open func(path string) ([]byte, error)) error {
	fact := facts.Job.Plan
	name := strings.ReplaceAll(fact.V, `\`, "/")
	if !path.IsAbs(name) {
		name = path.Join(path.Dir(facts.File.Path), name)
	}
	if open == nil {
		return Problems{{fact.Span, fmt.Sprintf("the plan %s cannot be read here", name)}}
	}
	data, err := open(name)
	if err != nil {
		return Problems{{fact.Span, fmt.Sprintf("the plan cannot be read: %v", err)}}
	}
	plan, err := ParsePlan(source.NewFile(name, data))
	if err != nil {
		return err
	}
	plan.ApplyTo(facts)
	return nil
}

// Merge lays over on base, fact by fact: a fact that over knows hides that of base. A list of vertices or edges is taken whole. Every
// fact keeps its origin.
func Merge(base, over *Facts) *Facts {
	out := Default()
	out.File = base.File
	if over.File != nil {
		out.File = over.File
	}
	// The layers hold indices, since koanf copies what it is given.
	k := koanf.New(pathDelimiter)
	var slots []slot
	var graphs []*Facts
	for _, layer := range []*Facts{base, over} {
		known := map[string]any{}
		for _, f := range factFields {
			if s := f.at(layer); s.known() {
				known[f.path] = len(slots)
				slots = append(slots, s)
			}
		}
		if len(layer.Job.Vertices) > 0 {
			known[verticesPath] = len(graphs)
		}
		if len(layer.Job.Edges) > 0 {
			known[edgesPath] = len(graphs)
		}
		graphs = append(graphs, layer)
		// confmap cannot fail: it only copies the map.
		_ = k.Load(confmap.Provider(known, pathDelimiter), nil)
	}
	for _, f := range factFields {
		if k.Exists(f.path) {
			f.at(out).take(slots[k.Int(f.path)])
		}
	}
	if k.Exists(verticesPath) {
		from := graphs[k.Int(verticesPath)]
		out.Job.Vertices, out.Job.PlanNotes = from.Job.Vertices, from.Job.PlanNotes
	}
	if k.Exists(edgesPath) {
		out.Job.Edges = graphs[k.Int(edgesPath)].Job.Edges
	}
	return out
}

// pathDelimiter separates the parts of a fact's path; no name of the job file has a dot in it.
const pathDelimiter = "."

type parser struct {
	file     *source.File
	problems Problems
}

// yamlLine is how the YAML package begins an error that has a line.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// document reads the YAML and returns its mapping, nil for an empty file or a problem.
func (p *parser) document() *yaml.Node {
	whole := p.file.Span(0, 0)
	switch {
	case len(p.file.Data) > MaxFileSize:
		p.problems.add(whole, "the file has %d bytes; a job file of more than %d is not read", len(p.file.Data), MaxFileSize)
		return nil
	case !utf8.Valid(p.file.Data):
		p.problems.add(whole, "the file is not UTF-8")
		return nil
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(p.file.Data)))
	var doc yaml.Node
	err := decoder.Decode(&doc)
	if err == nil {
		var second yaml.Node
		if decoder.Decode(&second) == nil {
			at := p.span(&second)
			if len(second.Content) > 0 {
				at = p.span(second.Content[0])
			}
			p.problems.add(at, "a job file is one YAML document; this begins another")
			return nil
		}
	}
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		at := whole
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil && m[1] != "" {
			if line, err := strconv.Atoi(m[1]); err == nil {
				start := p.file.Offset(min(line, p.file.Lines()), 1)
				at = p.file.Span(start, start)
			}
		}
		p.problems.add(at, "not YAML: %s", yamlLine.ReplaceAllString(err.Error(), ""))
		return nil
	case len(doc.Content) == 0 || isNull(doc.Content[0]):
		return nil
	case doc.Content[0].Kind != yaml.MappingNode:
		p.problems.add(p.span(doc.Content[0]), "a job file is a mapping of facts, not %s", kindOf(doc.Content[0]))
		return nil
	}
	return doc.Content[0]
}

// facts reads the whole mapping.
func (p *parser) facts(root *yaml.Node, facts *Facts) {
	readObject(p, root, "", factFields, facts, map[string]func(*yaml.Node){
		versionPath: func(n *yaml.Node) {
			if n.Kind != yaml.ScalarNode || n.Value != strconv.Itoa(FormatVersion) {
				p.problems.add(p.span(n), "this flinkadvise reads version %d of the job file, not %q", FormatVersion, n.Value)
			}
		},
		verticesPath: func(n *yaml.Node) { facts.Job.Vertices = p.vertices(n) },
		edgesPath:    func(n *yaml.Node) { facts.Job.Edges = p.edges(n) },
	})
	p.references(&facts.Job)
}

func (p *parser) vertices(n *yaml.Node) []Vertex {
	var out []Vertex
	first := map[string]source.Span{}
	p.items(n, verticesPath, MaxVertices, func(item *yaml.Node) {
		v := Vertex{}
		before := len(p.problems)
		readObject(p, item, "", vertexFields, &v, nil)
		v.ID, v.Name, v.Span = v.id.V, v.name.V, v.id.Span
		if v.Name == "" {
			v.Name = v.ID
		}
		switch earlier, twice := first[v.ID]; {
		case !v.id.Known && len(p.problems) == before:
			p.problems.add(p.span(item), "a vertex needs an id")
		case twice:
			p.problems.add(v.Span, "the id %q stands twice; the first is in line %d", v.ID, earlier.Line)
		case v.id.Known:
			first[v.ID] = v.Span
		}
		out = append(out, v)
	})
	return out
}

func (p *parser) edges(n *yaml.Node) []Edge {
	var out []Edge
	p.items(n, edgesPath, MaxEdges, func(item *yaml.Node) {
		e := Edge{}
		before := len(p.problems)
		readObject(p, item, "", edgeFields, &e, nil)
		e.From, e.To, e.Span = e.from.V, e.to.V, p.span(item)
		if (!e.from.Known || !e.to.Known) && len(p.problems) == before {
			p.problems.add(e.Span, "an edge needs from and to")
		}
		if e.rateInRecords && e.Rate.Known {
			if e.RecordSize.Known {
				e.Rate.V *= Rate(e.RecordSize.V)
			} else {
				p.problems.add(e.Rate.Span, "a rate without a unit is records a second and needs recordSize beside it; a size such as 40mb/s does not")
			}
		}
		out = append(out, e)
	})
	return out
}

// references checks that edges join vertices that exist.
func (p *parser) references(j *Job) {
	var ids []string
	for _, v := range j.Vertices {
		if v.id.Known {
			ids = append(ids, v.ID)
		}
	}
	slices.Sort(ids)
	for _, e := range j.Edges {
		for _, end := range []Fact[string]{e.from, e.to} {
			if _, ok := slices.BinarySearch(ids, end.V); end.Known && !ok {
				hint := ""
				if len(p.problems) < maxProblems {
					hint = didYouMean(end.V, ids[:min(len(ids), maxProblems)])
				}
				p.problems.add(end.Span, "no vertex has the id %q%s", end.V, hint)
			}
		}
	}
}

// items calls each for every mapping of a list.
func (p *parser) items(n *yaml.Node, path string, most int, each func(*yaml.Node)) {
	switch {
	case isNull(n):
		return
	case n.Kind != yaml.SequenceNode:
		p.problems.add(p.span(n), "%s is a list, not %s", path, kindOf(n))
		return
	case len(n.Content) > most:
		p.problems.add(p.span(n), "%s has %d entries; more than %d are not read", path, len(n.Content), most)
		return
	}
	for _, item := range n.Content {
		if item.Kind != yaml.MappingNode {
			p.problems.add(p.span(item), "an entry of %s is a mapping, not %s", path, kindOf(item))
			continue
		}
		each(item)
	}
}

// readObject reads the mapping n, which stands at prefix ("" or "taskManager.") of an object with the given fields. lists reads
// what is no single value.
func readObject[T any](p *parser, n *yaml.Node, prefix string, fields []field[T], into *T, lists map[string]func(*yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		path := prefix + key.Value
		below := path + pathDelimiter
		at := slices.IndexFunc(fields, func(f field[T]) bool { return f.path == path })
		inside := slices.IndexFunc(fields, func(f field[T]) bool { return strings.HasPrefix(f.path, below) })
		line, twice := seen[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			p.problems.add(p.span(key), "a name is text, not %s", kindOf(key))
		case twice:
			p.problems.add(p.span(key), "%q stands twice; the first is in line %d", path, line)
		case value.Kind == yaml.AliasNode:
			p.problems.add(p.span(value), "aliases are not read in a job file; write the value out")
		case strings.Contains(key.Value, pathDelimiter):
			p.problems.add(p.span(key), "unknown name %q%s; names are nested here, not dotted", key.Value, within(prefix))
		case lists[path] != nil:
			lists[path](value)
		case at >= 0:
			p.scalar(path, value, fields[at].at(into))
		case inside >= 0:
			fields[inside].at(into) // makes the part, so that "source: {}" says that there is one
			switch {
			case isNull(value):
			case value.Kind != yaml.MappingNode:
				p.problems.add(p.span(value), "%s is a mapping, not %s", path, kindOf(value))
			default:
				readObject(p, value, below, fields, into, lists)
			}
		default:
			hint := ""
			if len(p.problems) < maxProblems { // no more are printed, and the search is what costs
				hint = suggest(key.Value, prefix, paths(fields, lists))
			}
			p.problems.add(p.span(key), "unknown name %q%s%s", key.Value, within(prefix), hint)
		}
		seen[key.Value] = key.Line
	}
}

// scalar reads one fact.
func (p *parser) scalar(path string, n *yaml.Node, into slot) {
	switch {
	case n.Kind != yaml.ScalarNode:
		p.problems.add(p.span(n), "%s is a single value, not %s", path, kindOf(n))
	case isNull(n):
		p.problems.add(p.span(n), "%s has no value", path)
	default:
		if err := into.read(n.Value, p.span(n)); err != nil {
			p.problems.add(p.span(n), "%s: %v", path, err)
		}
	}
}

// suggest is the nearest name that the job file has: at this place, or the same name elsewhere.
func suggest(name, prefix string, paths []string) string {
	var here []string
	for _, path := range paths {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			first, _, _ := strings.Cut(rest, pathDelimiter)
			if !slices.Contains(here, first) {
				here = append(here, first)
			}
		}
	}
	if hint := didYouMean(name, here); hint != "" {
		return hint
	}
	for _, path := range paths {
		if path == name || strings.HasSuffix(path, pathDelimiter+name) {
			return fmt.Sprintf("; did you mean %q?", path)
		}
	}
	return ""
}

// within names the object at prefix for a message.
func within(prefix string) string {
	if prefix == "" {
		return ""
	}
	return " in " + strings.TrimSuffix(prefix, pathDelimiter)
}

// paths are the paths of all fields and lists, in order.
func paths[T any](fields []field[T], lists map[string]func(*yaml.Node)) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.path)
	}
	for _, path := range []string{versionPath, verticesPath, edgesPath} {
		if lists[path] != nil {
			out = append(out, path)
		}
	}
	return out
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func kindOf(n *yaml.Node) string {
	switch {
	case isNull(n):
		return "nothing"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	}
	return "a single value"
}

// span is the place of a node: a scalar as written, of anything else the rest of its first line.
func (p *parser) span(n *yaml.Node) source.Span {
	start := p.file.Offset(n.Line, n.Column)
	text, lineStart := p.file.Line(n.Line)
	rest := ""
	if start >= lineStart && start <= lineStart+len(text) {
		rest = string(text[start-lineStart:])
	}
	switch {
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && rest != "":
		if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 {
			return p.file.Span(start, start+end+2)
		}
	case n.Kind == yaml.ScalarNode && strings.HasPrefix(rest, n.Value):
		return p.file.Span(start, start+len(n.Value))
	}
	return p.file.Span(start, start+len(strings.TrimRight(rest, " \t")))
}
