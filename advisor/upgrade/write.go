package upgrade

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// Rewrite is the configuration file of the new version: comments and order kept, new names, options that are gone as comments with the reason, values in
// quotes where standard YAML needs them, everything else byte for byte. name is what Flink calls the file.
//
// The result is read again before it is given: an error tells that it could not be made, never that it is wrong.
func (r *Report) Rewrite() (name string, data []byte, err error) {
	d := r.document
	switch {
	case d == nil:
		return "", nil, fmt.Errorf("%s is no configuration file of its own: only such a file can be written", r.Name)
	case d.Templated:
		return "", nil, fmt.Errorf("%s is a template: what it becomes is not known, and it cannot be written", r.Name)
	}
	w := r.writer()
	name = conf.FlatName
	switch {
	case d.Dialect == conf.Flat && r.dialect == conf.YAML:
		name, data = conf.YAMLName, w.standard()
	case d.Dialect == conf.YAML:
		name, data = conf.YAMLName, w.edit()
	default:
		data = w.edit()
	}
	if w.err != nil {
		return "", nil, w.err
	}
	return name, data, r.verify(name, data, w.stays)
}

// writer makes the new file.
type writer struct {
	*Report
	file *source.File
	out  bytes.Buffer
	// eol ends the lines that are added.
	eol string
	// byStart finds the fate of an entry by the place of its key.
	byStart map[int]*fate
	// stays are entries that cannot be changed where they stand, such as those of a flow mapping.
	stays map[*fate]bool
	// notes are changes of the text that the new dialect asks for.
	notes []Change
	err   error
}

func (r *Report) writer() *writer {
	w := &writer{Report: r, file: r.document.View.File, eol: "\n", byStart: map[int]*fate{}, stays: map[*fate]bool{}}
	if i := bytes.IndexByte(w.file.Data, '\n'); i > 0 && w.file.Data[i-1] == '\r' {
		w.eol = "\r\n"
	}
	for i := range r.fates {
		if f := &r.fates[i]; f.entry.KeySpan.File == w.file {
			w.byStart[f.entry.KeySpan.Start] = f
		}
	}
	return w
}

// syntax reports what standard YAML reads otherwise than the flat dialect.
func (a *analysis) syntax() {
	if a.document == nil || a.document.Dialect != conf.Flat || a.dialect != conf.YAML || a.document.Templated {
		return
	}
	w := a.writer()
	w.standard()
	a.Changes = append(a.Changes, w.notes...)
}

func (w *writer) note(weight Weight, key string, span source.Span, format string, args ...any) {
	w.notes = append(w.notes, Change{Kind: Syntax, Weight: weight, Key: key, Span: span, Message: fmt.Sprintf(format, args...), Written: true})
}

// comment writes a line as a comment below the reason for it.
func (w *writer) comment(reason, line, end string) {
	fmt.Fprintf(&w.out, "# upgrade to %s: %s%s# %s%s", w.To.Line(), reason, w.eol, clean(strings.TrimSpace(line)), end)
}

// standard turns flink-conf.yaml into config.yaml, line by line.
func (w *writer) standard() []byte {
	marked := false // a document mark or an option stands above
	for n := 1; n <= w.file.Lines(); n++ {
		raw, start := w.file.Line(n)
		next := len(w.file.Data)
		if n < w.file.Lines() {
			_, next = w.file.Line(n + 1)
		}
		end := string(w.file.Data[start+len(raw) : next])
		f := w.entryOn(start, start+len(raw))
		text := strings.TrimPrefix(string(raw), "\ufeff")
		trimmed := quantity.Trim(text)
		switch {
		case f != nil:
			w.option(f, text, string(raw[f.entry.ValueSpan.End-start:]), end)
			marked = true
		case trimmed == "":
			w.out.WriteString(end)
		case trimmed[0] == '#':
			w.out.WriteString(strings.Repeat(" ", len(text)-len(strings.TrimLeft(text, " \t"))) + clean(strings.TrimLeft(text, " \t")) + end)
		case trimmed == "---" && !marked:
			w.out.WriteString("---" + end)
			marked = true
		case trimmed == "---" || trimmed == "...":
			w.comment("a mark of another document, which Flink refuses", text, end)
		default:
			if len(w.notes) == 0 || w.notes[len(w.notes)-1].Span.Line != n-1 || w.notes[len(w.notes)-1].Key != "" {
				w.note(Breaks, "", w.file.Span(start, start+len(raw)), "this line is no setting, and standard YAML does not skip such lines")
			}
			w.comment("no setting: Flink skipped this line", text, end)
		}
	}
	return w.out.Bytes()
}

// entryOn is the entry whose key stands between two offsets, or nil.
func (w *writer) entryOn(start, end int) *fate {
	for i := start; i < end; i++ {
		if f := w.byStart[i]; f != nil {
			return f
		}
	}
	return nil
}

// option writes the line of one entry. text is the line, tail what stands behind the value.
func (w *writer) option(f *fate, text, tail, end string) {
	e := f.entry
	switch {
	case e.Nested:
		w.note(Breaks, e.Key, e.KeySpan, "Flink read this line of a nested block as %s, which is none of its options", e.Key)
		w.comment("part of a nested block, which Flink read as "+e.Key, text, end)
		return
	case strings.HasPrefix(e.Key, "\ufeff"):
		w.note(Changes, e.Key, e.KeySpan, "the byte order mark made this key unknown; standard YAML has no such trap")
		w.comment("Flink did not know this key: it began with a byte order mark", text, end)
		return
	case f.hidden != nil:
		w.note(Breaks, e.Key, e.KeySpan, "%s is set again in line %d, which counts; standard YAML refuses a key that stands twice", e.Key, f.hidden.KeySpan.Line)
		w.comment(fmt.Sprintf("line %d set it again", f.hidden.KeySpan.Line), text, end)
		return
	case f.drop:
		w.comment(f.reason, text, end)
		return
	}
	settings := f.settings
	if len(settings) == 0 {
		settings = []written{{key: e.Key, own: true}}
	}
	for i, s := range settings {
		value := w.value(f, s)
		sep := ": "
		if between := string(w.file.Data[e.KeySpan.End:e.ValueSpan.Start]); strings.Trim(between, " :") == "" && strings.HasSuffix(between, " ") {
			sep = between
		}
		w.out.WriteString(yamlKey(s.key) + sep + value)
		if i < len(settings)-1 {
			w.out.WriteString(w.eol)
			continue
		}
		w.out.WriteString(w.tail(f, tail) + end)
	}
}

// tail is the comment behind a value, which needs a blank before it in standard YAML.
func (w *writer) tail(f *fate, tail string) string {
	i := strings.IndexByte(tail, '#')
	if i < 0 {
		return ""
	}
	if strings.TrimSpace(tail[:i]) == "" && i > 0 && !strings.Contains(tail[:i], "\t") {
		return tail[:i] + clean(tail[i:])
	}
	if i == 0 {
		w.note(Changes, f.entry.Key, f.entry.ValueSpan, "the value ends at the #; in standard YAML it does only behind a blank")
	}
	return " " + clean(tail[i:])
}

// value is a value in standard YAML, plain where that reads back as the same, else in quotes or as a list of YAML.
func (w *writer) value(f *fate, s written) string {
	src := f.entry
	if !s.own {
		src = textEntry(s.key, s.value)
	}
	m, _ := option.Lookup(s.key, w.To)
	o := m.Option
	if m.Via == option.ByPrefix {
		o = nil // an entry of a map is text
	}
	asNew := *src
	asNew.Key = s.key
	want := meaning(&asNew, o, w.From, conf.Flat)
	text := unquoted(src, o)
	if text != src.Text {
		bare := asNew
		bare.Value, bare.Text = text, text
		want = meaning(&bare, o, w.From, conf.Flat)
		w.note(Changes, src.Key, src.ValueSpan, "flink-conf.yaml keeps quotes as a part of the value of %s; they are taken off", src.Key)
	}
	candidates := []string{toUTF8(text), single(toUTF8(text)), double(toUTF8(text))}
	if o != nil && (o.Kind == option.List || o.Kind == option.Map) && !strings.HasPrefix(want, "refused") {
		candidates = append(candidates, flow(want, o.Kind))
	}
	for i, c := range candidates {
		e, fatal := readBack(s.key, c)
		if e == nil || fatal {
			continue
		}
		same := meaning(e, o, w.To, conf.YAML) == toUTF8(want)
		if strings.HasPrefix(want, "refused") { // by the old version; the new one may well take it
			same = e.Text == toUTF8(text)
		}
		if !same {
			continue
		}
		if i > 0 && s.own && text == src.Text {
			w.quoted(f, o, candidates[0], c, i == len(candidates)-1 && i == 3)
		}
		return c
	}
	if w.err == nil {
		w.err = fmt.Errorf("%s:%d: the value of %s cannot be written in standard YAML", f.entry.KeySpan.Path(), f.entry.KeySpan.Line, s.key)
	}
	return candidates[0]
}

// quoted notes what the value would be without quotes.
func (w *writer) quoted(f *fate, o *option.Option, plain, chosen string, list bool) {
	e, fatal := readBack(f.entry.Key, plain)
	shown := chosen
	if option.Sensitive(f.entry.Key) {
		shown = "in quotes"
	}
	switch {
	case list:
		w.note(Changes, f.entry.Key, f.entry.ValueSpan, "standard YAML splits the value otherwise; it is written %s", shown)
	case fatal || e == nil:
		w.note(Breaks, f.entry.Key, f.entry.ValueSpan, "standard YAML refuses this value without quotes; it is written %s", shown)
	case e.Kind == conf.Sequence:
		w.note(Changes, f.entry.Key, f.entry.ValueSpan, "standard YAML takes this value for a list without quotes; it is written %s", shown)
	case option.Sensitive(f.entry.Key):
		w.note(Changes, f.entry.Key, f.entry.ValueSpan, "standard YAML reads this value otherwise without quotes")
	default:
		w.note(Changes, f.entry.Key, f.entry.ValueSpan, "standard YAML reads %s without quotes; it is written %s", e.Text, shown)
	}
}

// unquoted takes quotes off a value of the flat dialect where whoever reads it does so too, or where nobody can read it with them: the start scripts with
// JVM options, and types that refuse quotes.
func unquoted(e *conf.Entry, o *option.Option) string {
	t := e.Text
	if len(t) < 2 || t[0] != t[len(t)-1] || t[0] != '"' && t[0] != '\'' || strings.IndexByte(t[1:], t[0]) != len(t)-2 {
		return t
	}
	bare := t[1 : len(t)-1]
	switch {
	case strings.HasPrefix(e.Key, "env.") && t[0] == '"':
		return bare
	case o == nil || o.Kind == option.String || o.Kind == option.List || o.Kind == option.Map:
		return t
	}
	return bare
}

// readBack reads one setting of standard YAML; nil when it is not one.
func readBack(key, value string) (e *conf.Entry, fatal bool) {
	d, err := conf.ParseYAML(source.NewFile("", []byte(yamlKey(key)+": "+value+"\n")).Whole())
	if err != nil || d.Fatal() || len(d.Entries) != 1 || d.Entries[0].Key != key {
		return nil, true
	}
	return &d.Entries[0], false
}

// yamlKey is a key in standard YAML.
func yamlKey(key string) string {
	key = toUTF8(key)
	for _, k := range []string{key, single(key)} {
		d, err := conf.ParseYAML(source.NewFile("", []byte(k+": x\n")).Whole())
		if err == nil && !d.Fatal() && len(d.Entries) == 1 && d.Entries[0].Key == key {
			return k
		}
	}
	return double(key)
}

func single(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// double is a text in double quotes, with the escapes that YAML shares with Go.
func double(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c == 0x7F:
			fmt.Fprintf(&b, `\x%02x`, c)
		case !unicode.IsPrint(c) && c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// flow is a list or a map, as meaning gives it, in YAML: a list as one, a map as text that holds one, since a map of YAML would be taken for nested keys.
func flow(meaning string, kind option.Kind) string {
	parts := strings.Split(meaning, "\x00")
	for i, p := range parts {
		if k, v, ok := strings.Cut(p, "\x01"); ok && kind == option.Map {
			parts[i] = double(k) + ": " + double(v)
			continue
		}
		parts[i] = single(p)
	}
	if kind == option.Map {
		return single("{" + strings.Join(parts, ", ") + "}")
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// toUTF8 takes bytes that are not UTF-8 for Latin-1, which is what they most likely are.
func toUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			r = rune(s[0])
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}

// clean is a comment that standard YAML takes: UTF-8, and nothing that would end the line or is refused.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return c
		case c == '\ufeff':
			return -1
		case unicode.IsControl(c), c == '\u2028', c == '\u2029':
			return ' '
		}
		return c
	}, toUTF8(s))
}

// verify reads the new file as the new version does.
func (r *Report) verify(name string, data []byte, stays map[*fate]bool) error {
	view := source.NewFile(name, data).Whole()
	parse := conf.ParseFlat
	if r.dialect == conf.YAML {
		parse = conf.ParseYAML
	}
	d, err := parse(view)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(d.Faults, func(f conf.Fault) bool { return f.Fatal }); i >= 0 && !r.document.Fatal() {
		return fmt.Errorf("cannot write %s: Flink would refuse it in line %d (%s)", name, d.Faults[i].Span.Line, d.Faults[i].Detail)
	} else if i >= 0 {
		return errors.New("the file is one that Flink refuses as it is; mend what check reports first")
	}
	got, err := conf.Merge(r.To, d.Layer())
	if err != nil {
		return err
	}
	for i := range r.fates {
		f := &r.fates[i]
		if f.hidden != nil || f.drop || stays[f] || f.entry.KeySpan.File != r.document.View.File || r.dialect != r.document.Dialect && (f.entry.Nested || strings.HasPrefix(f.entry.Key, "\ufeff")) {
			continue
		}
		for _, e := range f.entries() {
			if x := got.Entry(toUTF8(e.Key)); x == nil {
				return fmt.Errorf("cannot write %s: %s of line %s would be lost", name, e.Key, strconv.Itoa(f.entry.KeySpan.Line))
			}
		}
	}
	return nil
}

// Moves tells that the new file has another name and dialect than the old one.
func (r *Report) Moves() bool { return r.document != nil && r.document.Dialect != r.dialect }
