package conf

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/flinkadvise/flinkadvise/schema/conf/internal/yamltree"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Limits of Flink's YAML loader and of what aliases may unfold to.
const (
	// maxAliases is snakeyaml-engine's default limit of aliases to mappings and lists.
	maxAliases = 50
	// maxEntries bounds what aliases of aliases unfold to; the largest real files have a few hundred entries.
	maxEntries = 100_000
)

// ParseYAML reads config.yaml as Flink 1.19 and newer do (YamlParserUtils: snakeyaml-engine 2.6 with the core schema; then
// GlobalConfiguration.flatten): nested keys are joined with dots, lists become one-line flow text, other scalars keep their type.
//
// A text that Flink's loader refuses has Fatal faults; what stands outside the lines at fault is read all the same. An error is returned
// only for inputs beyond the limits.
func ParseYAML(v *source.View) (*Document, error) {
	if err := CheckLimits(v); err != nil {
		return nil, err
	}
	d := &Document{View: v, Dialect: YAML}
	if i := invalidUTF8(v.Data); i >= 0 {
		d.Faults = append(d.Faults, Fault{Kind: FaultEncoding, Span: v.Span(i, i+1), Detail: "the text is not UTF-8", Fatal: true})
		return d, nil
	}
	stream, err := yamltree.Parse(v.Data, MaxDepth)
	if errors.Is(err, yamltree.ErrTooDeep) {
		return nil, fmt.Errorf("%s nests deeper than %d levels, which no Flink configuration does", v.File.Path, MaxDepth)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", v.File.Path, err)
	}
	d.Templated = stream.Templated
	f := flattener{doc: d, stream: stream, last: map[string]int{}}
	f.problems()
	for i, sub := range stream.Docs {
		if i > 0 && !stream.Templated {
			f.fatal(sub.Start, sub.Start+1, "a second document begins here; Flink reads a single one")
		}
		f.root(sub)
	}
	f.emptyValues()
	d.sortFaults()
	return d, nil
}

// invalidUTF8 is the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// flattener turns a tree into entries.
type flattener struct {
	doc    *Document
	stream *yamltree.Stream
	// last is the index of the last entry of each key.
	last    map[string]int
	aliases int
	// open are the nodes that are being read, to find those that contain themselves.
	open []*yamltree.Node
	// empty are the null values; they stop Flink unless a later value of the same key hides them.
	empty []Fault
}

// emptyValues reports the null values that nothing hides.
func (f *flattener) emptyValues() {
	for _, x := range f.empty {
		if i, ok := f.last[x.Key]; ok && f.doc.Entries[i].KeySpan.Start > x.Span.Start {
			continue
		}
		if !f.lostBelow(x.Span.End) {
			f.fault(x)
		}
	}
}

// lostBelow tells whether the next thing after a key is a line that could not be read: the value is lost rather than empty.
func (f *flattener) lostBelow(end int) bool {
	for _, p := range f.stream.Problems {
		at := f.doc.View.Span(p.LineStart, p.LineStart).Start
		if at >= end && len(bytes.Trim(f.doc.View.File.Data[end:at], ": \t\r\n")) == 0 {
			return true
		}
	}
	return false
}

func (f *flattener) fault(x Fault) { f.doc.Faults = append(f.doc.Faults, x) }

func (f *flattener) fatal(start, end int, detail string) {
	f.fault(Fault{Kind: FaultNotLoadable, Span: f.doc.View.Span(start, end), Detail: detail, Fatal: true})
}

// problems reports the places that the scanner refused. In a text with templates they may well be gone once it is rendered.
func (f *flattener) problems() {
	if f.stream.Templated {
		return
	}
	for _, p := range f.stream.Problems {
		f.fatal(p.Start, p.End, p.Message)
		f.salvage(p)
	}
	for _, p := range f.stream.Strict {
		f.fatal(p.Start, p.End, p.Message)
	}
	for _, i := range f.stream.Blocks {
		f.fatal(i, i+1, "the block text has no line that is indented deeper than its key")
	}
}

// salvage reads a top-level line that the YAML scanner refused by the rule of the flat dialect, which is what its author meant:
// "metrics.reporter.x.filter.includes: *:*:*".
func (f *flattener) salvage(p yamltree.Problem) {
	v := f.doc.View
	line := v.Data[p.LineStart:p.LineEnd]
	sep := bytes.Index(line, []byte(": "))
	if sep <= 0 || line[0] <= ' ' || line[0] == '"' || line[0] == '\'' || line[0] == '-' || line[0] == '{' || line[0] == '[' {
		return
	}
	ks, ke := trimmed(v.Data, p.LineStart, p.LineStart+sep)
	end := p.LineEnd
	if i := bytes.Index(line, []byte(" #")); i >= 0 {
		end = p.LineStart + i
	}
	vs, ve := trimmed(v.Data, p.LineStart+sep+2, end)
	if ks == ke || vs >= ve || bytes.ContainsAny(v.Data[ks:ke], " \t") {
		return
	}
	text := string(v.Data[vs:ve])
	f.add(Entry{Key: string(v.Data[ks:ke]), Value: text, Text: text, Raw: text, KeySpan: v.Span(ks, ke), ValueSpan: v.Span(vs, ve),
		Placeholder: IsPlaceholder(text)})
}

// root reads one document, which must be a mapping or empty.
func (f *flattener) root(sub yamltree.Document) {
	root := sub.Root.Resolve()
	switch {
	case root == nil:
	case root.Kind == yamltree.Mapping:
		f.mapping("", root)
	case f.stream.Templated:
	case root.Kind == yamltree.Scalar && root.IsNull():
		// null is an empty configuration
	default:
		f.fatal(root.Start, max(root.End, root.Start+1), "the top level is not a mapping of keys to values (is a blank missing after a colon?)")
	}
}

func (f *flattener) mapping(prefix string, n *yamltree.Node) {
	for _, open := range f.open {
		if open == n {
			f.fatal(n.Start, n.Start+1, "the value contains itself through an alias")
			return
		}
	}
	f.open = append(f.open, n)
	defer func() { f.open = f.open[:len(f.open)-1] }()
	seen := make(map[string]*yamltree.Node, len(n.Pairs))
	for _, p := range n.Pairs {
		if len(f.doc.Entries) >= maxEntries {
			return
		}
		key, ok := f.key(p.Key)
		if !ok {
			continue
		}
		if first := seen[key]; first == nil {
			seen[key] = p.Key
		} else if !f.stream.Conditional {
			f.fault(Fault{Kind: FaultDuplicateKey, Span: f.span(p.Key), Related: f.span(first), Key: prefix + key, Fatal: true,
				Detail: "the key stands twice in one mapping"})
		}
		if key == "<<" {
			f.fault(Fault{Kind: FaultMergeKey, Span: f.span(p.Key), Key: prefix + key})
		}
		f.value(prefix+key, p.Key, p.Value)
	}
}

// key is the text of a mapping's key. Flink casts each to a String.
func (f *flattener) key(n *yamltree.Node) (string, bool) {
	k := n.Resolve()
	if k == nil || k.Kind != yamltree.Scalar {
		f.fatal(n.Start, max(n.End, n.Start+1), "a key is a mapping or a list")
		return "", false
	}
	if k.Masked {
		return "", false // a template makes the key: not known
	}
	t, bad := typed(k)
	switch {
	case bad != "":
		f.fatal(n.Start, n.End, bad)
	case t.null:
		return "null", true // Java's text of the null key
	case t.kind != Text:
		f.fatal(n.Start, max(n.End, n.Start+1), fmt.Sprintf("the key %q is not a text; quote it", k.Value))
	default:
		return k.Value, true
	}
	return "", false
}

func (f *flattener) span(n *yamltree.Node) source.Span {
	return f.doc.View.Span(n.Start, max(n.End, n.Start))
}

func (f *flattener) value(key string, k, n *yamltree.Node) {
	r := n.Resolve()
	if n.Kind == yamltree.Alias && r != nil && r.Kind != yamltree.Scalar {
		if f.aliases++; f.aliases == maxAliases+1 {
			f.fatal(n.Start, n.End, fmt.Sprintf("more than %d aliases of mappings and lists", maxAliases))
		}
		if f.aliases > maxAliases {
			return
		}
	}
	switch {
	case r == nil:
		f.fatal(n.Start, n.End, "the value contains itself through an alias")
	case r.Kind == yamltree.Mapping:
		if bad := badTag(r, "!!map"); bad != "" {
			f.fatal(r.Start, r.Start+1, bad)
		}
		f.mapping(key+".", r)
	case r.Kind == yamltree.Sequence:
		f.sequence(key, k, n, r)
	default:
		f.scalar(key, k, n, r)
	}
}

func (f *flattener) sequence(key string, k, n, r *yamltree.Node) {
	if bad := badTag(r, "!!seq"); bad != "" {
		f.fatal(r.Start, r.Start+1, bad)
	}
	d := dumper{}
	text := d.node(r, 0)
	if d.bad != nil {
		f.fatal(d.bad.Start, max(d.bad.End, d.bad.Start+1), d.reason)
	}
	start, end := extent(r)
	if r.Flow {
		end = closing(f.doc.View.Data, start, end)
	}
	if n.Kind == yamltree.Alias {
		start, end = n.Start, n.End
	}
	e := Entry{Key: key, Value: text, Text: text, Kind: Sequence, KeySpan: f.span(k), ValueSpan: f.doc.View.Span(start, end),
		Raw: string(f.doc.View.Data[start:end])}
	if d.bad == nil { // else Flink does not get that far
		e.Items = listItems(r, text)
	}
	e.Placeholder = IsPlaceholder(e.Raw)
	f.add(e)
}

// extent is the range of bytes of a node with all that is in it.
func extent(n *yamltree.Node) (start, end int) {
	start, end = n.Start, n.End
	for _, item := range n.Items {
		_, e := extent(item)
		end = max(end, e)
	}
	for _, p := range n.Pairs {
		_, k := extent(p.Key)
		_, v := extent(p.Value)
		end = max(end, k, v)
	}
	return start, end
}

// closing is the offset after the bracket that closes the flow list at start, searched from the end of its last element.
func closing(data []byte, start, end int) int {
	depth := 1
	if end == start {
		end++
	}
	for i := end; i < len(data); i++ {
		switch data[i] {
		case '#':
			if i > 0 && (data[i-1] == ' ' || data[i-1] == '\t' || data[i-1] == '\n') {
				if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
					i += n
				}
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				// A flow mapping as last element closes before the list does.
				if data[i] == '}' && data[start] == '[' {
					depth = 1
					continue
				}
				return i + 1
			}
		}
	}
	return max(end, start)
}

func (f *flattener) scalar(key string, k, n, r *yamltree.Node) {
	e := Entry{Key: key, Raw: f.span(n).Text(), KeySpan: f.span(k), ValueSpan: f.span(n)}
	if n.Start >= n.End {
		e.Raw = ""
	}
	if r.Masked {
		e.Value, e.Text, e.Placeholder = r.Value, r.Value, true
		f.add(e)
		return
	}
	t, bad := typed(r)
	switch {
	case bad != "":
		f.fatal(n.Start, n.End, bad)
		return
	case t.null:
		span := e.ValueSpan
		if n.End <= n.Start {
			span = e.KeySpan // an empty value has no place of its own
		}
		f.empty = append(f.empty, Fault{Kind: FaultEmptyValue, Span: span, Key: key, Fatal: true, Detail: e.Raw})
		return
	}
	e.Kind, e.Value, e.Text = t.kind, t.value, t.text
	e.Placeholder = IsPlaceholder(e.Value)
	f.add(e)
	if t.text != r.Value && (t.kind == Int || t.kind == BigInt || t.kind == Double) && readAsText(key) {
		quoted := "'" + e.Raw + "'"
		f.fault(Fault{Kind: FaultRetyped, Span: e.ValueSpan, Key: key, Detail: t.text, Fix: &quoted})
	}
}

// readAsText tells whether some Flink reads the option as text, so that the way a number is written matters.
func readAsText(key string) bool {
	m, ok := option.Lookup(key, version.Newest())
	if !ok || m.Option == nil {
		return false
	}
	switch m.Option.Kind {
	case option.String, option.Enum:
		return true
	case option.Map:
		return m.Via == option.ByPrefix
	}
	return false
}

func (f *flattener) add(e Entry) {
	e.Layer = f.doc.Path()
	if before, ok := f.last[e.Key]; ok && !f.stream.Conditional {
		first := f.doc.Entries[before].KeySpan
		if !f.reported(e.KeySpan) {
			f.fault(Fault{Kind: FaultDuplicateKey, Span: e.KeySpan, Related: first, Key: e.Key, Detail: e.Value})
		}
	}
	f.last[e.Key] = len(f.doc.Entries)
	f.doc.Entries = append(f.doc.Entries, e)
}

// reported tells whether the key at this place is a duplicate in its own mapping, which has been told already.
func (f *flattener) reported(key source.Span) bool {
	for i := len(f.doc.Faults) - 1; i >= 0; i-- {
		if x := &f.doc.Faults[i]; x.Kind == FaultDuplicateKey && x.Span.Start <= key.Start && x.Fatal {
			return x.Span.Start == key.Start || x.Key != "" && len(x.Key) < len(f.doc.Entries[f.last[x.Key]].Key)
		}
	}
	return false
}

// itemText is an element of a list as a String option reads it; mappings and lists in one-line flow form.
func itemText(n *yamltree.Node) string {
	r := n.Resolve()
	if r == nil {
		return ""
	}
	if r.Kind != yamltree.Scalar {
		return (&dumper{}).node(r, 0)
	}
	if r.Masked {
		return r.Value
	}
	t, _ := typed(r)
	if t.null {
		return "null"
	}
	return t.text
}

// listItems are the elements that a list option reads. An empty element makes Flink fall back to its own list form of the dumped text, which
// it then takes for one element.
func listItems(n *yamltree.Node, dumped string) []string {
	items := make([]string, 0, len(n.Items))
	if hasNull(n) {
		items, _ = quantity.SplitList(dumped)
		return items
	}
	for _, item := range n.Items {
		items = append(items, itemText(item))
	}
	return items
}

func hasNull(n *yamltree.Node) bool {
	for _, item := range n.Items {
		if r := item.Resolve(); r != nil && r.IsNull() {
			return true
		}
	}
	return false
}

// parseYAMLList reads text as a YAML list of scalars; ok is false when it is none.
func parseYAMLList(text string) (items []string, ok bool) {
	root := parseValue(text)
	if root == nil || root.Kind != yamltree.Sequence {
		return nil, false
	}
	if hasNull(root) {
		return nil, false
	}
	for _, item := range root.Items {
		items = append(items, itemText(item))
	}
	return items, true
}

// parseYAMLMap reads text as a YAML map of scalars; ok is false when it is none.
func parseYAMLMap(text string) (pairs []quantity.Pair, ok bool) {
	root := parseValue(text)
	if root == nil || root.Kind != yamltree.Mapping {
		return nil, false
	}
	at := map[string]int{}
	for _, p := range root.Pairs {
		k := p.Key.Resolve()
		if k == nil || k.Kind != yamltree.Scalar {
			return nil, false
		}
		if r := p.Value.Resolve(); k.IsNull() || r != nil && r.IsNull() {
			return nil, false // a Java map to text has neither
		}
		key := itemText(k)
		if _, twice := at[key]; twice {
			return nil, false
		}
		at[key] = len(pairs)
		pairs = append(pairs, quantity.Pair{Key: key, Value: itemText(p.Value)})
	}
	return pairs, true
}

// parseValue reads the text of one value as a YAML document without faults.
func parseValue(text string) *yamltree.Node {
	if !utf8.ValidString(text) {
		return nil
	}
	s, err := yamltree.Parse([]byte(text), MaxDepth)
	if err != nil || len(s.Problems) > 0 || len(s.Docs) != 1 {
		return nil
	}
	return s.Docs[0].Root.Resolve()
}

// badTag is the complaint about a tag that the loader does not know for this kind of node.
func badTag(n *yamltree.Node, known string) string {
	if n.Tag == "" || n.Tag == known {
		return ""
	}
	return fmt.Sprintf("the tag %s has no meaning to Flink's loader", cmp.Or(n.Tag, "!"))
}
