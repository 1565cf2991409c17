package advisor

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// resolve finds the place of an edit and the bytes that go there: the value of an option that is set (under whichever name Flink reads), or a new line
// behind the last option of the last document. An edit keeps no place where none can be changed by itself: a value of --set, an option inside a
// flow mapping that would have to go, the only option below its parent.
func (t *Target) resolve(e Edit) Edit {
	if e.Remove && e.Span.Valid() {
		return t.removeAt(e)
	}
	if e.Key == "" || e.Span.Valid() {
		if e.Span.Valid() {
			e.Old, e.text = cmp.Or(e.Old, e.Span.Text()), e.New
		}
		return e
	}
	// The key as it was named goes first: a rule may mean one of two names of an option.
	entry := t.Conf.Entry(e.Key)
	if entry == nil {
		v := t.Conf.String(e.Key)
		if entry = v.Entry; entry == nil {
			e.Key = v.Key
			return t.insertion(e)
		}
	}
	d := t.documentOf(entry)
	e.Key, e.Old = entry.Key, entry.Raw
	switch {
	case d == nil && isField(entry):
		e.Span, e.text = entry.ValueSpan, inYAML(entry.ValueSpan.Text(), e.New)
	case d == nil:
	case e.Remove:
		e.Span = removal(d, entry)
	default:
		e.Span, e.text = entry.ValueSpan, written(d, entry.Raw, e.New)
	}
	return e
}

// removeAt resolves the removal of the very entry whose value stands at the edit's place, which another layer may go over.
func (t *Target) removeAt(e Edit) Edit {
	for _, entry := range t.Conf.All() {
		if entry.ValueSpan != e.Span {
			continue
		}
		if d := t.documentOf(entry); d != nil {
			e.Key, e.Old, e.Span = entry.Key, entry.Raw, removal(d, entry)
			return e
		}
	}
	e.Span = source.Span{}
	return e
}

// isField tells an option that the operator takes from a field of the resource as it stands there, so that the field is the place to change it: sizes of
// processes, replicas of the JobManager, parallelism.
func isField(e *conf.Entry) bool {
	switch e.Layer {
	case "spec.jobManager.resource.memory", "spec.taskManager.resource.memory", "spec.jobManager.replicas", "spec.job.parallelism":
		return e.ValueSpan.Valid() && e.ValueSpan.Line == e.ValueSpan.EndLine
	}
	return false
}

// Replacement is the edit as bytes: what to replace and by what. It means something only for an edit with a place.
func (e Edit) Replacement() (source.Span, string) { return e.Span, e.text }

// documentOf is the document that an entry stands in; nil for one that stands in none.
func (t *Target) documentOf(entry *conf.Entry) *conf.Document {
	for _, d := range t.Documents {
		if !entry.ValueSpan.Valid() || d.View.File != entry.ValueSpan.File {
			continue
		}
		if slices.ContainsFunc(d.Entries, func(x conf.Entry) bool { return x.KeySpan == entry.KeySpan && x.ValueSpan == entry.ValueSpan }) {
			return d
		}
	}
	return nil
}

// insertion puts a new option on a line of its own behind the last option of the last document that takes one.
func (t *Target) insertion(e Edit) Edit {
	if e.Remove {
		return e
	}
	for _, d := range slices.Backward(t.Documents) {
		indent, ok := d.Indent()
		if !ok {
			continue
		}
		at, file := behindLastLine(d), d.View.File
		e.Span = file.Span(at, at)
		e.text = indent + e.Key + ": " + written(d, "", e.New)
		if at > 0 && file.Data[at-1] != '\n' && file.Data[at-1] != '\r' {
			e.text = lineEnding(file) + e.text
		} else {
			e.text += lineEnding(file)
		}
		return e
	}
	return e
}

// behindLastLine is the beginning of the line after the one on which the last option of a document ends, or the end of the file.
func behindLastLine(d *conf.Document) int {
	file := d.View.File
	last := d.View.Offset(0)
	if len(d.View.Data) > 0 && len(d.Entries) == 0 {
		last = d.View.Offset(len(d.View.Data)-1) + 1
	}
	for _, x := range d.Entries {
		if x.ValueSpan.File == file {
			last = max(last, x.ValueSpan.End, x.KeySpan.End)
		}
	}
	line, column := file.Position(last)
	if column == 1 && last > 0 { // a block scalar or a whole text ends with its line
		return last
	}
	_, next := file.Line(line + 1)
	return next
}

// written is a value as it is written in a document, in the quotes that the old value has or that YAML needs.
func written(d *conf.Document, old, value string) string {
	if d.Dialect != conf.YAML && !d.Quoted {
		return value
	}
	if d.Quoted && old == "" {
		old = `"`
	}
	return inYAML(old, value)
}

// inYAML is a scalar in the quotes that the old one has or that YAML needs.
func inYAML(old, value string) string {
	switch {
	case strings.HasPrefix(old, `"`):
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	case strings.HasPrefix(old, "'"), !plainScalar.MatchString(value):
		return "'" + strings.ReplaceAll(value, "'", "''") + "'"
	}
	return value
}

// plainScalar is text that YAML takes as it stands.
var plainScalar = regexp.MustCompile(`^[A-Za-z0-9/_.+-]+(?:[ :;,=]?[A-Za-z0-9/_.+-]+)*$`)

// removal is the lines of an option, or no place when something else stands on them or the parent would be left without a child, which Flink reads
// as null and refuses.
func removal(d *conf.Document, entry *conf.Entry) source.Span {
	file := entry.KeySpan.File
	first, start := file.Line(entry.KeySpan.Line)
	last, lastStart := file.Line(entry.ValueSpan.EndLine)
	before := bytes.Trim(first[:entry.KeySpan.Start-start], " \t\"'")
	behind := bytes.TrimSpace(clipBytes(last, entry.ValueSpan.End-lastStart))
	if len(before) > 0 || len(behind) > 0 && behind[0] != '#' {
		return source.Span{}
	}
	if (d.Dialect == conf.YAML || d.Quoted) && !hasSibling(d, entry) {
		return source.Span{}
	}
	_, next := file.Line(entry.ValueSpan.EndLine + 1)
	return file.Span(start, next)
}

func clipBytes(b []byte, from int) []byte { return b[min(max(from, 0), len(b)):] }

// hasSibling tells whether the mapping that holds the entry has another one in the same column.
func hasSibling(d *conf.Document, entry *conf.Entry) bool {
	parent := strings.TrimSuffix(entry.Key, strings.Trim(entry.KeySpan.Text(), `"'`))
	return slices.ContainsFunc(d.Entries, func(x conf.Entry) bool {
		return x.KeySpan != entry.KeySpan && x.KeySpan.Column == entry.KeySpan.Column && strings.HasPrefix(x.Key, parent) &&
			strings.TrimSuffix(x.Key, strings.Trim(x.KeySpan.Text(), `"'`)) == parent
	})
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

// ApplyEdits gives the file with the edits made, byte for byte as it was elsewhere. Edits of other files and without place are passed over; of two that
// overlap the earlier in the list counts. done are the edits that were made.
func ApplyEdits(file *source.File, edits []Edit) (data []byte, done []Edit) {
	for _, e := range edits {
		overlaps := slices.ContainsFunc(done, func(o Edit) bool {
			return e.Span.Start < o.Span.End && o.Span.Start < e.Span.End || e.Span.Start == o.Span.Start && e.Span.End == o.Span.End && e.Span.Start < e.Span.End
		})
		if e.Span.File == file && !overlaps {
			done = append(done, e)
		}
	}
	ordered := slices.Clone(done)
	slices.SortStableFunc(ordered, func(a, b Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	at := 0
	for _, e := range ordered {
		if e.Span.Start < at { // an insertion inside a removed line
			continue
		}
		data = append(data, file.Data[at:e.Span.Start]...)
		data = append(data, e.text...)
		at = e.Span.End
	}
	return append(data, file.Data[at:]...), done
}

// A Plan is the edits of a report that go together: no two values for one option, the better ranked finding winning, and nothing added on account of
// an option that a better ranked finding changes. The edits of one finding are made together or not at all.
type Plan struct {
	Edits []Edit
	// Dropped are the edits of findings of which one contradicts a better ranked one, or whose reason it takes away.
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
		before := func(e Edit) (Edit, bool) {
			x, ok := seen[f.Target+e.what()]
			return x, ok
		}
		cause, changed := f.Primary(), false
		if e, ok := before(Edit{Key: cause.Key}); ok && cause.Key != "" {
			changed = e.Remove || e.New != e.Old
		}
		if slices.ContainsFunc(f.Edits, func(e Edit) bool {
			x, ok := before(e)
			return ok && (x.New != e.New || x.Remove != e.Remove) || changed && e.Key != "" && e.Old == "" && !e.Remove
		}) {
			p.Dropped = append(p.Dropped, f.Edits...)
			continue
		}
		for _, e := range f.Edits {
			if _, ok := before(e); !ok {
				seen[f.Target+e.what()] = e
				p.Edits = append(p.Edits, e)
			}
		}
	}
	return p
}

// what tells edits of one thing within a target: the option, or the place.
func (e Edit) what() string {
	if e.Key == "" {
		return e.Span.String() + "\x00" + e.Span.Text()
	}
	return "\x00" + e.Key
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
	layers = append(layers, overlay)
	in.Layers = layers
	return NewTarget(in)
}
