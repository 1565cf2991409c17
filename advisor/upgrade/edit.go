package upgrade

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
)

// A patch replaces the bytes [start, end) of the file.
type patch struct {
	start, end int
	text       string
}

// edit changes the file in place: its dialect stays.
func (w *writer) edit() []byte {
	var patches []patch
	var moved []string // settings that cannot stand where they stood
	commented := map[int]string{}
	for i := range w.fates {
		f := &w.fates[i]
		e := f.entry
		if e.KeySpan.File != w.file {
			continue
		}
		switch {
		case f.drop:
			if w.ownLines(f) {
				commented[e.KeySpan.Line] = f.reason
			} else {
				w.stays[f] = true
			}
		case len(f.settings) > 0:
			p, rest, ok := w.inPlace(f)
			if ok {
				patches = append(patches, p...)
				moved = append(moved, rest...)
			} else if w.ownLines(f) && f.hidden == nil {
				commented[e.KeySpan.Line] = "now " + list(f.names())
				for _, s := range f.settings {
					moved = append(moved, w.setting(f, s))
				}
			} else {
				w.stays[f] = true
			}
		}
	}
	patches = append(patches, w.comments(commented)...)
	if len(moved) > 0 {
		at := len(w.file.Data)
		text := strings.Join(moved, w.eol) + w.eol
		if at > 0 && w.file.Data[at-1] != '\n' {
			text = w.eol + text
		}
		patches = append(patches, patch{at, at, text})
	}
	slices.SortStableFunc(patches, func(a, b patch) int { return cmp.Compare(a.start, b.start) })
	at := 0
	for _, p := range patches {
		if p.start < at {
			continue
		}
		w.out.Write(w.file.Data[at:p.start])
		w.out.WriteString(p.text)
		at = p.end
	}
	w.out.Write(w.file.Data[at:])
	return w.out.Bytes()
}

// setting is a whole line for a setting.
func (w *writer) setting(f *fate, s written) string {
	if w.dialect != conf.YAML {
		value := s.value
		if s.own {
			value = f.entry.Raw
		}
		return s.key + ": " + value
	}
	if !s.own {
		return yamlKey(s.key) + ": " + w.scalar(s)
	}
	raw := f.entry.Raw
	if strings.ContainsAny(raw, "\r\n") {
		raw = double(f.entry.Text)
		if f.entry.Kind == conf.Sequence {
			raw = flow(strings.Join(f.entry.Items, "\x00"), option.List)
		}
	}
	return yamlKey(s.key) + ": " + raw
}

// scalar is a new value in standard YAML.
func (w *writer) scalar(s written) string {
	m, _ := option.Lookup(s.key, w.To)
	for _, c := range []string{s.value, single(s.value)} {
		if e, _ := readBack(s.key, c); e != nil && meaning(e, m.Option, w.To, conf.YAML) == meaning(textEntry(s.key, s.value), m.Option, w.To, conf.YAML) {
			return c
		}
	}
	return double(s.value)
}

// inPlace changes key and value where they stand. rest are further lines for the end of the file. ok is false when the new key cannot stand below the old
// one's parents.
func (w *writer) inPlace(f *fate) (patches []patch, rest []string, ok bool) {
	e := f.entry
	text := strings.Trim(e.KeySpan.Text(), `"'`)
	parent, ok := strings.CutSuffix(e.Key, text)
	if !ok {
		return nil, nil, false
	}
	first := f.settings[0]
	below, ok := strings.CutPrefix(first.key, parent)
	if !ok {
		return nil, nil, false
	}
	key := below
	if w.dialect == conf.YAML {
		key = yamlKey(below)
	}
	patches = append(patches, patch{e.KeySpan.Start, e.KeySpan.End, key})
	if !first.own {
		value := first.value
		if w.dialect == conf.YAML {
			value = w.scalar(first)
		}
		patches = append(patches, patch{e.ValueSpan.Start, e.ValueSpan.End, value})
	}
	if f.hidden != nil {
		return patches, nil, true
	}
	for _, s := range f.settings[1:] {
		rest = append(rest, w.setting(f, s))
	}
	return patches, rest, true
}

// ownLines tells whether an entry has its lines for itself.
func (w *writer) ownLines(f *fate) bool {
	e := f.entry
	first, start := w.file.Line(e.KeySpan.Line)
	last, lastStart := w.file.Line(e.ValueSpan.EndLine)
	before := bytes.Trim(first[:e.KeySpan.Start-start], " \t\"'")
	behind := bytes.TrimSpace(last[min(max(e.ValueSpan.End-lastStart, 0), len(last)):])
	return len(before) == 0 && (len(behind) == 0 || behind[0] == '#' || behind[0] == '"' || behind[0] == '\'')
}

// comments turns the entries that begin on these lines into comments, and with them the parents that would be left without a child: Flink reads
// those as null and refuses the file.
func (w *writer) comments(lines map[int]string) []patch {
	out := map[int]bool{}
	for i := range w.fates {
		if e := w.fates[i].entry; e.KeySpan.File == w.file {
			if _, ok := lines[e.KeySpan.Line]; ok {
				for n := e.KeySpan.Line; n <= max(e.KeySpan.Line, lastLine(e)); n++ {
					out[n] = true
				}
			}
		}
	}
	if w.dialect == conf.YAML {
		for again := true; again; {
			again = false
			for n := 1; n <= w.file.Lines(); n++ {
				if !out[n] && w.childless(n, out) {
					out[n], again = true, true
				}
			}
		}
	}
	var patches []patch
	for n := 1; n <= w.file.Lines(); n++ {
		if !out[n] {
			continue
		}
		text, start := w.file.Line(n)
		indent := len(text) - len(bytes.TrimLeft(text, " \t"))
		mark := string(text[:indent])
		p := patch{start, start + indent, mark + "# "}
		if reason, ok := lines[n]; ok {
			p.text = mark + "# upgrade to " + w.To.Line().String() + ": " + reason + w.eol + mark + "# "
		}
		patches = append(patches, p)
	}
	return patches
}

// lastLine is the line on which an entry's value ends; a block ends with its line, whose end belongs to it.
func lastLine(e *conf.Entry) int {
	if e.ValueSpan.EndColumn == 1 && e.ValueSpan.EndLine > e.ValueSpan.Line {
		return e.ValueSpan.EndLine - 1
	}
	return e.ValueSpan.EndLine
}

// childless tells a heading ("key:") below which every line is a comment now, and one was not before.
func (w *writer) childless(n int, out map[int]bool) bool {
	text, _ := w.file.Line(n)
	body := bytes.TrimLeft(text, " ")
	if i := bytes.Index(body, []byte(" #")); i >= 0 {
		body = body[:i]
	}
	body = bytes.TrimRight(body, " \t")
	if len(body) == 0 || body[0] == '#' || body[len(body)-1] != ':' {
		return false
	}
	indent := len(text) - len(bytes.TrimLeft(text, " "))
	gone := false
	for m := n + 1; m <= w.file.Lines(); m++ {
		line, _ := w.file.Line(m)
		inner := bytes.TrimLeft(line, " ")
		if len(bytes.TrimSpace(inner)) == 0 || inner[0] == '#' {
			continue
		}
		if len(line)-len(inner) <= indent {
			break
		}
		if !out[m] {
			return false
		}
		gone = true
	}
	return gone
}
