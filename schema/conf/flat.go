package conf

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// ParseFlat reads the line grammar of flink-conf.yaml, which did not change from Flink 1.10 to 1.20: cut the line at its first "#",
// trim it, split it at the first ": ", trim both parts; the last line with a key wins; lines that do not fit are skipped.
func ParseFlat(v *source.View) (*Document, error) {
	if err := CheckLimits(v); err != nil {
		return nil, err
	}
	d := &Document{View: v, Dialect: Flat}
	p := flatParser{doc: d, last: map[string]int{}}
	p.actions = actions(v.Data)
	d.Templated, p.conditional = len(p.actions) > 0, len(p.actions) > 0 && conditionals.Match(v.Data)
	for start := 0; start < len(v.Data); {
		end, next := lineEnd(v.Data, start)
		p.line(start, end)
		start = next
	}
	p.endBlock()
	d.notConfiguration()
	d.sortFaults()
	return d, nil
}

// maxStrayLines is the number of lines without separator from which on a text with few entries is taken for something else: notes, a script.
// In 119 public files no configuration had more than three.
const maxStrayLines = 10

// notConfiguration replaces the complaints about single lines by one when most lines are none of a configuration.
func (d *Document) notConfiguration() {
	stray := 0
	for _, f := range d.Faults {
		if f.Kind == FaultNoSeparator {
			stray++
		}
	}
	if stray < maxStrayLines || stray < 2*len(d.Entries) {
		return
	}
	d.Faults = []Fault{{Kind: FaultNotConfiguration, Span: d.View.Span(0, min(1, len(d.View.Data)))}}
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
	// block is the heading that may open a nested block; its lines are those that follow with more indentation.
	block block
	// actions are the places of template actions; conditional tells that they decide which lines there are.
	actions     [][]int
	conditional bool
}

// A block is a line "key:" (or "key: |"), which opens a nested block when indented lines follow, and is an empty value otherwise.
type block struct {
	heading source.Span
	key     string
	indent  int
	// scalar tells the heading of a block scalar, which is an entry of its own.
	scalar bool
	// path are the headings within the block, with their indentation.
	path []heading
	// lines counts the lines of the block; meant is the first key that its author had in mind, first the key that Flink reads.
	lines        int
	meant, first string
}

type heading struct {
	key    string
	indent int
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
	if p.onlyTemplate(start, end) {
		return // what it prints is not known
	}
	hash := bytes.IndexByte(data[start:end], '#')
	if hash >= 0 {
		end = start + hash
	}
	start, end = trimmed(data, start, end)
	if hash >= 0 {
		p.swallowed(lineStart+hash, lineStop)
	}
	if start == end {
		return
	}
	text := string(data[start:end])
	indent := start - lineStart
	if !utf8.Valid(data[start:end]) {
		p.fault(Fault{Kind: FaultEncoding, Span: v.Span(start, end)})
	}
	sep := bytes.Index(data[start:end], []byte(": "))
	ks, ke, vs, ve := start, start, end, end
	if sep >= 0 {
		ks, ke = trimmed(data, start, start+sep)
		vs, ve = trimmed(data, start+sep+2, end)
	}
	nested := p.inBlock(text, string(data[ks:ke]), indent)
	if sep < 0 {
		p.unseparated(start, end, indent, nested)
		return
	}
	if ks == ke || vs == ve {
		if !nested {
			p.fault(Fault{Kind: FaultEmptyValue, Span: v.Span(start, end), Key: string(data[ks:ke])})
		}
		return
	}
	entry := Entry{
		Key: string(data[ks:ke]), Value: string(data[vs:ve]), Raw: string(data[vs:ve]),
		KeySpan: v.Span(ks, ke), ValueSpan: v.Span(vs, ve), Nested: nested, Layer: v.File.Path,
	}
	entry.Text = entry.Value
	entry.Placeholder = IsPlaceholder(entry.Value)
	if d := p.doc; d.Templated && IsPlaceholder(entry.Key) {
		return
	}
	if ks == 0 && strings.HasPrefix(entry.Key, byteOrderMark) {
		empty := ""
		p.fault(Fault{Kind: FaultByteOrderMark, Span: v.Span(ks, ks+len(byteOrderMark)), Key: strings.TrimPrefix(entry.Key, byteOrderMark), Fix: &empty})
	}
	if !nested {
		p.valueFaults(entry, hash >= 0, lineStart, lineStop, ks, vs, ve)
		if before, ok := p.last[entry.Key]; ok && !p.conditional {
			p.fault(Fault{Kind: FaultDuplicateKey, Span: entry.KeySpan, Related: p.doc.Entries[before].KeySpan, Key: entry.Key, Detail: entry.Value})
		}
		p.last[entry.Key] = len(p.doc.Entries)
	}
	p.doc.Entries = append(p.doc.Entries, entry)
	if blockScalar(entry.Value) && !nested {
		p.block = block{heading: v.Span(ks, ve), key: entry.Key, indent: indent, scalar: true}
	}
}

// onlyTemplate tells a line that holds nothing but template actions, or a part of one.
func (p *flatParser) onlyTemplate(start, end int) bool {
	for len(p.actions) > 0 && p.actions[0][1] <= start {
		p.actions = p.actions[1:]
	}
	if len(p.actions) == 0 || p.actions[0][0] >= end {
		return false
	}
	data := p.doc.View.Data
	for _, a := range p.actions {
		if a[0] >= end {
			break
		}
		if len(bytes.TrimSpace(data[start:max(a[0], start)])) > 0 {
			return false
		}
		start = min(a[1], end)
	}
	return len(bytes.TrimSpace(data[start:end])) == 0
}

// blockScalar tells a value that is the header of a block scalar of YAML ("|", ">-").
func blockScalar(value string) bool {
	return len(value) <= 3 && (value[0] == '|' || value[0] == '>') && strings.Trim(value[1:], "+-123456789") == ""
}

// inBlock tells whether a line belongs to the nested block of the last heading, and ends the block otherwise. A line that is a setting of
// its own in spite of its indentation does not belong to it.
func (p *flatParser) inBlock(text, key string, indent int) bool {
	b := &p.block
	if !b.heading.Valid() {
		return false
	}
	item := !b.scalar && indent == b.indent && strings.HasPrefix(text, "- ")
	if indent <= b.indent && !item || !b.scalar && strings.Contains(key, ".") && knownKey(key) {
		p.endBlock()
		return false
	}
	b.lines++
	for len(b.path) > 0 && b.path[len(b.path)-1].indent >= indent {
		b.path = b.path[:len(b.path)-1]
	}
	if key != "" && b.first == "" && !item && !b.scalar {
		parts := []string{b.key}
		for _, h := range b.path {
			parts = append(parts, h.key)
		}
		b.first, b.meant = key, strings.Join(append(parts, key), ".")
	}
	if name, ok := strings.CutSuffix(text, ":"); ok {
		b.path = append(b.path, heading{quantity.Trim(name), indent})
	}
	return true
}

// endBlock reports the heading that was open: a nested block once, or an empty value.
func (p *flatParser) endBlock() {
	b := p.block
	p.block = block{}
	switch {
	case !b.heading.Valid():
	case b.lines > 0:
		f := Fault{Kind: FaultNestedInFlat, Span: b.heading, Key: b.key, Detail: b.meant}
		p.fault(f)
	case !b.scalar:
		p.fault(Fault{Kind: FaultEmptyValue, Span: b.heading, Key: b.key})
	}
}

// knownKey tells whether some Flink that we know reads the key.
func knownKey(key string) bool {
	_, ok := anyVersion(key)
	return ok
}

// anyVersion looks a key up in the newest version that knows it.
func anyVersion(key string) (option.Match, bool) {
	for i := len(version.Minors) - 1; i >= 0; i-- {
		if m, ok := option.Lookup(key, version.Minors[i]); ok {
			return m, true
		}
	}
	return option.Match{}, false
}

// unseparated handles a line without ": ", which Flink skips with a warning.
func (p *flatParser) unseparated(start, end, indent int, nested bool) {
	v, data := p.doc.View, p.doc.View.Data
	text := string(data[start:end])
	if nested || text == "---" || text == "..." {
		return // a document mark is skipped, and nobody expects otherwise
	}
	f := Fault{Kind: FaultNoSeparator, Span: v.Span(start, end)}
	if colon := len(text) - 1; colon == strings.IndexByte(text, ':') {
		// "key:" is an empty value, unless it opens a nested block.
		p.block = block{heading: f.Span, key: quantity.Trim(text[:colon]), indent: indent}
		return
	}
	if key, value, ok := meantEntry(text); ok {
		fixed := key + ": " + value
		f.Key, f.Fix = key, &fixed
	}
	p.fault(f)
}

// meantEntry splits a line that lacks ": " where its author will have meant it: at a colon without blank, a full-width colon, a tab or an
// equals sign, if what stands before looks like a key.
func meantEntry(text string) (key, value string, ok bool) {
	for _, sep := range []string{":", "：", "=", "\t"} {
		key, value, ok = strings.Cut(text, sep)
		key, value = quantity.Trim(key), quantity.Trim(value)
		if ok && key != "" && value != "" && !strings.ContainsAny(key, " \t'\"") && !strings.HasPrefix(value, "//") && (strings.Contains(key, ".") || knownKey(key)) {
			return key, value, true
		}
	}
	return "", "", false
}

// valueFaults finds values that Flink reads otherwise than they look.
func (p *flatParser) valueFaults(entry Entry, hasHash bool, lineStart, lineStop, keyStart, valueStart, valueEnd int) {
	v, data := p.doc.View, p.doc.View.Data
	quote := entry.Value[0]
	quoted := quote == '"' || quote == '\''
	closed := quoted && len(entry.Value) > 1 && strings.IndexByte(entry.Value[1:], quote) == len(entry.Value)-2
	_, stop := trimmed(data, lineStart, lineStop)
	cut := Fault{Kind: FaultCutByHash, Span: v.Span(valueEnd, stop), Key: entry.Key, Detail: entry.Value}
	switch {
	case hasHash && data[valueEnd] == '#' && valueEnd+1 < stop && data[valueEnd+1] > ' ' && data[valueEnd+1] != '#' && !closed:
		// "a: x#y": no blank on either side of the hash, so the author meant it as part of the value.
		p.fault(cut)
	case hasHash && quoted && strings.IndexByte(entry.Value[1:], quote) < 0:
		p.fault(cut)
	case closed && keepsQuotes(entry):
		bare := entry.Value[1 : len(entry.Value)-1]
		p.fault(Fault{Kind: FaultQuotesKept, Span: entry.ValueSpan, Key: entry.Key, Detail: entry.Value, Fix: &bare})
	}
	if i := glued(entry.Value); i > 0 {
		p.fault(Fault{Kind: FaultGluedLines, Span: v.Span(valueStart+i, valueEnd), Key: entry.Key, Detail: entry.Value[i:]})
	}
	for _, part := range []struct {
		text string
		at   int
	}{{entry.Key, keyStart}, {entry.Value, valueStart}} {
		i := strings.IndexFunc(part.text, invisible)
		if i < 0 || part.at == 0 && strings.HasPrefix(part.text, byteOrderMark) {
			continue
		}
		_, size := utf8.DecodeRuneInString(part.text[i:])
		p.fault(Fault{Kind: FaultInvisible, Span: v.Span(part.at+i, part.at+i+size), Key: entry.Key})
	}
}

// keepsQuotes tells whether Flink gives the quotes to whoever reads the option. List and map options take quotes off later; so do the start
// scripts with double quotes around JVM options. Who reads a key that no Flink knows is not known.
func keepsQuotes(entry Entry) bool {
	m, ok := anyVersion(entry.Key)
	if !ok || m.Option == nil || strings.HasPrefix(entry.Key, "env.") {
		return false
	}
	if m.Via == option.ByPrefix {
		return true // an entry of a map is taken as it is
	}
	return m.Option.Kind != option.List && m.Option.Kind != option.Map
}

// glued is the offset in a value at which another setting begins that stood on a line of its own once: containers append settings to a
// file without a final line end. 0 for none.
func glued(value string) int {
	sep := strings.LastIndex(value, ": ")
	if sep < 0 {
		return 0
	}
	begin := strings.LastIndexAny(value[:sep], " /:") + 1
	for i := begin; i < sep; i++ {
		if i > 0 && strings.Contains(value[i:sep], ".") {
			if m, ok := anyVersion(value[i:sep]); ok && m.Via != option.ByFamily {
				return i
			}
		}
	}
	return 0
}

// swallowed finds a setting that was appended to a comment because the file had no final line end.
func (p *flatParser) swallowed(hash, stop int) {
	comment := p.doc.View.Data[hash:stop]
	for _, key := range appendedKeys {
		i := bytes.Index(comment, []byte(key+": "))
		if i > 1 && comment[i-1] > ' ' && comment[i-1] != '#' && comment[i-1] != '.' {
			p.fault(Fault{Kind: FaultGluedLines, Span: p.doc.View.Span(hash+i, stop), Key: key, Detail: string(comment[i:])})
			return
		}
	}
}

// appendedKeys are what the official image's entrypoint appends to flink-conf.yaml up to Flink 1.18.
var appendedKeys = []string{"jobmanager.rpc.address", "blob.server.port", "query.server.port", "taskmanager.numberOfTaskSlots"}

// invisible tells characters that look like a blank or like nothing, but that Java's trim keeps.
func invisible(r rune) bool {
	switch r {
	case '\u00A0', '\u00AD', '\u200B', '\u200C', '\u200D', '\u2028', '\u2029', '\u2060', '\u3000', '\uFEFF':
		return true
	}
	return r >= '\u2000' && r <= '\u200A'
}
