package conf

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// ParseFlat reads the line grammar of flink-conf.yaml, which did not change from Flink 1.10 to 1.20: cut the line at its first "#",
// trim it, split it at the first ": ", trim both parts; the last line with a key wins; lines that do not fit are skipped.
func ParseFlat(v *source.View) (*Document, error) {
	if err := checkLimits(v); err != nil {
		return nil, err
	}
	d := &Document{View: v, Dialect: Flat}
	p := flatParser{doc: d, last: map[string]int{}}
	for start := 0; start < len(v.Data); {
		end, next := lineEnd(v.Data, start)
		p.line(start, end)
		start = next
	}
	return d, nil
}

// lineEnd finds the end of the line that begins at start and the beginning of the next one. Lines end as in
// java.io.BufferedReader: at "\n", "\r" or "\r\n".
func lineEnd(data []byte, start int) (end, next int) {
	i := bytes.IndexAny(data[start:], "\r\n")
	if i < 0 {
		return len(data), len(data)
	}
	end = start + i
	if data[end] == '\r' && end+1 < len(data) && data[end+1] == '\n' {
		return end, end + 2
	}
	return end, end + 1
}

type flatParser struct {
	doc *Document
	// last is the index of the last entry of each key.
	last map[string]int
	// parent is the span of a line "key:" that may open a nested block, with its indentation.
	parent       source.Span
	parentIndent int
}

const byteOrderMark = "\uFEFF"

// trimmed narrows [start, end) as Java's String.trim does.
func trimmed(data []byte, start, end int) (int, int) {
	for start < end && data[start] <= ' ' {
		start++
	}
	for end > start && data[end-1] <= ' ' {
		end--
	}
	return start, end
}

func (p *flatParser) fault(f Fault) { p.doc.Faults = append(p.doc.Faults, f) }

func (p *flatParser) line(start, end int) {
	v, data := p.doc.View, p.doc.View.Data
	lineStart, lineStop := start, end
	hash := bytes.IndexByte(data[start:end], '#')
	if hash >= 0 {
		end = start + hash
	}
	start, end = trimmed(data, start, end)
	if start == end {
		return
	}
	indent := start - lineStart
	if !utf8.Valid(data[start:end]) {
		p.fault(Fault{Kind: FaultEncoding, Span: v.Span(start, end)})
	}
	sep := bytes.Index(data[start:end], []byte(": "))
	if sep < 0 {
		p.unseparated(start, end, indent)
		return
	}
	ks, ke := trimmed(data, start, start+sep)
	vs, ve := trimmed(data, start+sep+2, end)
	if ks == ke || vs == ve {
		p.fault(Fault{Kind: FaultEmptyValue, Span: v.Span(start, end), Key: string(data[ks:ke])})
		return
	}
	entry := Entry{
		Key: string(data[ks:ke]), Value: string(data[vs:ve]), Raw: string(data[vs:ve]),
		KeySpan: v.Span(ks, ke), ValueSpan: v.Span(vs, ve),
	}
	entry.Text = entry.Value
	entry.Placeholder = isPlaceholder(entry.Value)
	if p.parent.Valid() && indent > p.parentIndent {
		p.fault(Fault{Kind: FaultNestedInFlat, Span: entry.KeySpan, Related: p.parent, Key: entry.Key})
	} else {
		p.parent = source.Span{}
	}
	if ks == 0 && strings.HasPrefix(entry.Key, byteOrderMark) {
		empty := ""
		p.fault(Fault{Kind: FaultByteOrderMark, Span: v.Span(ks, ks+len(byteOrderMark)), Key: strings.TrimPrefix(entry.Key, byteOrderMark), Fix: &empty})
	}
	p.valueFaults(entry, hash >= 0, lineStart, lineStop, ve)
	if before, ok := p.last[entry.Key]; ok {
		p.fault(Fault{Kind: FaultDuplicateKey, Span: entry.KeySpan, Related: p.doc.Entries[before].KeySpan, Key: entry.Key, Detail: entry.Value})
	}
	p.last[entry.Key] = len(p.doc.Entries)
	p.doc.Entries = append(p.doc.Entries, entry)
}

// unseparated handles a line without ": ", which Flink skips with a warning.
func (p *flatParser) unseparated(start, end, indent int) {
	v, data := p.doc.View, p.doc.View.Data
	text := string(data[start:end])
	if text == "---" || text == "..." {
		return // document marks: skipped, and nobody expects otherwise
	}
	f := Fault{Kind: FaultNoSeparator, Span: v.Span(start, end)}
	switch colon := strings.IndexByte(text, ':'); {
	case colon == len(text)-1:
		// "key:" is an empty value, unless it opens a nested block.
		f.Kind, f.Key = FaultEmptyValue, quantity.Trim(text[:colon])
		p.parent, p.parentIndent = f.Span, indent
	case colon > 0 && !strings.ContainsAny(text[:colon], " \t"):
		f.Key = text[:colon]
		fixed := f.Key + ": " + quantity.Trim(text[colon+1:])
		f.Fix = &fixed
	}
	p.fault(f)
}

// valueFaults finds values that Flink reads otherwise than they look.
func (p *flatParser) valueFaults(entry Entry, hasHash bool, lineStart, lineStop, valueEnd int) {
	v, data := p.doc.View, p.doc.View.Data
	quote := entry.Value[0]
	quoted := quote == '"' || quote == '\''
	switch {
	case hasHash && data[valueEnd] == '#' && !(quoted && len(entry.Value) > 1 && entry.Value[len(entry.Value)-1] == quote):
		// "a: x#y": no blank before the hash, so the author meant it as part of the value.
		_, stop := trimmed(data, lineStart, lineStop)
		p.fault(Fault{Kind: FaultCutByHash, Span: v.Span(valueEnd, stop), Key: entry.Key, Detail: entry.Value})
	case hasHash && quoted && strings.IndexByte(entry.Value[1:], quote) < 0:
		_, stop := trimmed(data, lineStart, lineStop)
		p.fault(Fault{Kind: FaultCutByHash, Span: v.Span(valueEnd, stop), Key: entry.Key, Detail: entry.Value})
	case quoted && len(entry.Value) > 1 && entry.Value[len(entry.Value)-1] == quote:
		bare := entry.Value[1 : len(entry.Value)-1]
		p.fault(Fault{Kind: FaultQuotesKept, Span: entry.ValueSpan, Key: entry.Key, Detail: entry.Value, Fix: &bare})
	}
	for _, part := range []struct {
		text string
		span source.Span
	}{{entry.Key, entry.KeySpan}, {entry.Value, entry.ValueSpan}} {
		if i := strings.IndexFunc(part.text, invisible); i >= 0 && !strings.HasPrefix(part.text[i:], byteOrderMark) {
			p.fault(Fault{Kind: FaultInvisible, Span: part.span, Key: entry.Key})
		}
	}
}

// invisible tells characters that look like a blank or like nothing, but that Java's trim keeps.
func invisible(r rune) bool {
	switch r {
	case '\u00A0', '\u00AD', '\u200B', '\u200C', '\u200D', '\u2028', '\u2029', '\u2060', '\u3000', '\uFEFF':
		return true
	}
	return r >= '\u2000' && r <= '\u200A'
}

// isPlaceholder tells text that a template engine fills in before Flink reads it.
func isPlaceholder(s string) bool {
	return strings.Contains(s, "{{") && strings.Contains(s, "}}") || strings.Contains(s, "${") && strings.Contains(s, "}") ||
		strings.Contains(s, "{%") && strings.Contains(s, "%}")
}
