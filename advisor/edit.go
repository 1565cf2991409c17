package advisor

import (
	"bytes"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// resolve finds the place of an edit: the value of an option that is set (under whichever name Flink reads), or the end of the last document
// for one that is not. An edit of a value that stands in no file (--set) keeps no place.
func (t *Target) resolve(e Edit) Edit {
	if e.Key == "" || e.Span.Valid() {
		if e.Span.Valid() && e.Old == "" {
			e.Old = e.Span.Text()
		}
		return e
	}
	v := t.Conf.String(e.Key)
	entry := v.Entry
	if entry == nil {
		entry = t.Conf.Entry(e.Key)
	}
	if entry == nil {
		e.Key = v.Key
		if d := t.editable(); d != nil && !e.Remove {
			e.Span = insertionPoint(d)
		}
		return e
	}
	e.Key, e.Old, e.Span = entry.Key, entry.Raw, entry.ValueSpan
	if e.Remove && e.Span.Valid() {
		e.Span = entry.KeySpan.File.Span(entry.KeySpan.Start, entry.ValueSpan.End)
	}
	return e
}

// Replacement is the edit as bytes: what to replace and by what. New options get a line of their own after the last one, indented as it is.
func (e Edit) Replacement() (source.Span, string) {
	switch {
	case e.Remove:
		return lineOf(e.Span), ""
	case e.Key != "" && e.Span.Start == e.Span.End:
		line, _ := e.Span.File.Line(e.Span.Line)
		indent := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
		return e.Span, lineEnding(e.Span.File) + indent + e.Key + ": " + e.New
	}
	return e.Span, e.New
}

// lineOf is the whole line that a span begins on, with its line end.
func lineOf(s source.Span) source.Span {
	_, start := s.File.Line(s.Line)
	_, next := s.File.Line(s.Line + 1)
	return s.File.Span(start, next)
}

// lineEnding is the line end that the file uses first.
func lineEnding(f *source.File) string {
	i := bytes.IndexByte(f.Data, '\n')
	switch {
	case i > 0 && f.Data[i-1] == '\r':
		return "\r\n"
	case i < 0 && bytes.IndexByte(f.Data, '\r') >= 0:
		return "\r"
	}
	return "\n"
}

// editable is the document that new options go to: the last one that is a configuration file.
func (t *Target) editable() *conf.Document {
	for _, d := range slices.Backward(t.Documents) {
		if d.Dialect == conf.Flat || d.Dialect == conf.YAML {
			return d
		}
	}
	return nil
}

// insertionPoint is an empty span after the last entry of a document.
func insertionPoint(d *conf.Document) source.Span {
	if len(d.Entries) == 0 {
		return d.View.Span(len(d.View.Data), len(d.View.Data))
	}
	last := d.Entries[0].ValueSpan
	for _, e := range d.Entries {
		if e.ValueSpan.Valid() && e.ValueSpan.End > last.End {
			last = e.ValueSpan
		}
	}
	return last.File.Span(last.End, last.End)
}

// A Plan is the edits of a report that go together: no two values for one option, the better ranked finding winning.
type Plan struct {
	Edits []Edit
	// Dropped are edits that contradict a better ranked one.
	Dropped []Edit
}

// MakePlan collects the edits of findings in rank order. Suppressed findings take no part.
func MakePlan(findings []*Finding) Plan {
	var p Plan
	seen := map[string]Edit{}
	for _, f := range findings {
		if f.Suppressed != nil {
			continue
		}
		for _, e := range f.Edits {
			id := e.Span.Path() + "\x00" + e.Key
			if e.Key == "" {
				id = e.Span.String() + "\x00" + e.Span.Text()
			}
			before, ok := seen[id]
			switch {
			case !ok:
				seen[id] = e
				p.Edits = append(p.Edits, e)
			case before.New != e.New || before.Remove != e.Remove:
				p.Dropped = append(p.Dropped, e)
			}
		}
	}
	return p
}

// Apply gives the target as it would be with the plan's option edits in place: their values lie over the configuration as one more layer and
// removed options are gone. Edits of syntax change no option and are left out.
func (p Plan) Apply(in TargetInput) (*Target, error) {
	overlay := conf.Layer{Name: "plan", Dialect: conf.Arguments}
	removed := map[string]bool{}
	for _, e := range p.Edits {
		switch {
		case e.Key == "":
		case e.Remove:
			removed[e.Key] = true
		default:
			value := strings.TrimSpace(e.New)
			overlay.Entries = append(overlay.Entries, conf.Entry{Key: e.Key, Value: value, Text: value, Raw: value})
		}
	}
	layers := make([]conf.Layer, 0, len(in.Layers)+1)
	for _, l := range in.Layers {
		l.Entries = slices.DeleteFunc(slices.Clone(l.Entries), func(e conf.Entry) bool { return removed[e.Key] })
		layers = append(layers, l)
	}
	in.Layers = append(layers, overlay)
	return NewTarget(in)
}
