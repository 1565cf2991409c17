// Package yamltree reads YAML into a tree in which every node knows its bytes, and goes on after a fault.
//
// The scanner is go.yaml.in/yaml/v3: the YAML organisation's own, kept alive, and its nodes carry line, column and style. Only where a
// node begins is known from it; where it ends is found here. Scalars stay as they were written: which type a text has is a question of
// the reader's schema, and Flink's differs from that of this package's library.
package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// A Kind is the kind of a node.
type Kind int

// Kinds of nodes.
const (
	Scalar Kind = iota + 1
	Mapping
	Sequence
	// Alias stands for another node; Target is that node.
	Alias
)

// A Style is how a scalar is written.
type Style int

// Styles of scalars.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
)

// A Node is a value with its place.
type Node struct {
	Kind  Kind
	Style Style
	// Flow tells a mapping or sequence in braces or brackets.
	Flow bool
	// Tag is the explicit tag in its short form ("!!str"), or "".
	Tag string
	// Value is the content of a scalar, quotes and escapes resolved.
	Value string
	// Start and End are the bytes of a scalar as written, quotes included, tags and anchors not; for other kinds both are where the node
	// begins.
	Start, End int
	Pairs      []Pair
	Items      []*Node
	Anchor     string
	Target     *Node
	// Masked tells that the scalar holds a part that a template engine fills in.
	Masked bool
	// read and text are the content and the whole text as the library read them, templates masked.
	read string
	text []byte
}

// A Pair is an entry of a mapping.
type Pair struct{ Key, Value *Node }

// Resolve follows an alias.
func (n *Node) Resolve() *Node {
	if n != nil && n.Kind == Alias {
		return n.Target
	}
	return n
}

// Get is the value of the first key with this text in a mapping, or nil.
func (n *Node) Get(key string) *Node {
	if n = n.Resolve(); n == nil || n.Kind != Mapping {
		return nil
	}
	for _, p := range n.Pairs {
		if k := p.Key.Resolve(); k.Kind == Scalar && k.Value == key {
			return p.Value.Resolve()
		}
	}
	return nil
}

// At follows keys downwards.
func (n *Node) At(keys ...string) *Node {
	for _, k := range keys {
		n = n.Get(k)
	}
	return n.Resolve()
}

// Text is the value of a scalar; "" for anything else.
func (n *Node) Text() string {
	if n = n.Resolve(); n == nil || n.Kind != Scalar {
		return ""
	}
	return n.Value
}

// A Problem is a place that a YAML reader refuses.
type Problem struct {
	// Start and End are the bytes to mark.
	Start, End int
	// Line is the line, without its line end, that could not be read.
	LineStart, LineEnd int
	Message            string
}

// A Document is one document of a stream.
type Document struct {
	// Root is nil for an empty document.
	Root *Node
	// Start is where the root begins.
	Start int
}

// A Stream is what could be read of a text.
type Stream struct {
	Docs []Document
	// Problems are the places that were left out to read the rest; a stream without any is well formed.
	Problems []Problem
	// Strict are places that the library takes and snakeyaml-engine refuses: tabs between tokens, and \' in double quotes.
	Strict []Problem
	// Blocks are the offsets of block scalars whose first line is indented less than it has to be, but not as much as the key before it:
	// empty ones in nested mappings. The library takes them and snakeyaml-engine refuses them.
	Blocks []int
	// Templated tells that the text holds parts that a template engine fills in.
	Templated bool
	// Conditional tells that such parts decide which lines there are.
	Conditional bool
}

// ErrTooDeep is the refusal of a text that nests deeper than asked for.
var ErrTooDeep = errors.New("nested too deeply")

// Parse reads a text. What cannot be read is left out, line by line, and reported. It fails only on nesting beyond maxDepth.
func Parse(data []byte, maxDepth int) (*Stream, error) {
	s := &Stream{}
	text, masks := mask(data, s)
	t := &tree{data: data, text: text, masks: masks, maxDepth: maxDepth}
	docs, err := t.parse(0, len(text))
	if errors.Is(err, ErrTooDeep) {
		return nil, err
	}
	if err == nil {
		s.Docs = docs
	} else if err := t.recoverFrom(s, err); err != nil {
		return nil, err
	}
	s.Strict, s.Blocks = t.strict, t.blocks
	return s, nil
}

// tree is one reading of a text.
type tree struct {
	// data is the text as given; text is what the library reads: of equal length, with templates and foreign line separators masked.
	data, text []byte
	masks      []maskRange
	maxDepth   int
	strict     []Problem
	// blocks are the offsets of block scalars that snakeyaml-engine refuses.
	blocks []int
}

// parse reads the bytes [from, to).
func (t *tree) parse(from, to int) (docs []Document, err error) {
	defer func() {
		// The library turns its own failures into errors; what is left are its defects, which must not become ours.
		if r := recover(); r != nil {
			docs, err = nil, fmt.Errorf("yaml: %v", r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(t.text[from:to]))
	c := converter{tree: t, base: from, text: t.text[from:to], nodes: map[*yaml.Node]*Node{}}
	for {
		var doc yaml.Node
		if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
			return docs, nil
		} else if err != nil {
			return docs, err
		}
		d := Document{Start: c.offset(doc.Line, doc.Column)}
		if len(doc.Content) > 0 {
			root, err := c.convert(doc.Content[0], 0, -1)
			if err != nil {
				return nil, err
			}
			// The library gives an empty document a null without text; that is no node.
			if root.Kind != Scalar || root.End > root.Start || root.Tag != "" {
				d.Root, d.Start = root, root.Start
			}
		}
		docs = append(docs, d)
	}
}

// converter turns the library's nodes into ours.
type converter struct {
	*tree
	base int
	text []byte
	// line and at are the last line looked up and the offset of its first byte: nodes come nearly in order.
	line, at int
	nodes    map[*yaml.Node]*Node
}

// offset is the place in data of a line and column of the library, both from 1; columns count code points.
func (c *converter) offset(line, column int) int {
	if line < 1 {
		return c.base
	}
	if c.line == 0 || line < c.line {
		c.line, c.at = 1, 0
		if bytes.HasPrefix(c.text, []byte(byteOrderMark)) {
			c.at = len(byteOrderMark) // not counted as a column
		}
	}
	for c.line < line && c.at < len(c.text) {
		c.at = nextLine(c.text, lineEnd(c.text, c.at))
		c.line++
	}
	i := c.at
	for n := 1; n < column && i < len(c.text); n++ {
		_, size := utf8.DecodeRune(c.text[i:])
		i += size
	}
	return c.base + i
}

const byteOrderMark = "\uFEFF"

// convert turns one node; indent is the column of the block collection that holds it, or -1.
func (c *converter) convert(y *yaml.Node, depth, indent int) (*Node, error) {
	if depth > c.maxDepth {
		return nil, ErrTooDeep
	}
	n := &Node{Start: c.offset(y.Line, y.Column), Anchor: y.Anchor}
	c.nodes[y] = n
	n.End = n.Start
	if y.Style&yaml.TaggedStyle != 0 {
		n.Tag = y.Tag
	}
	switch y.Kind {
	case yaml.ScalarNode:
		n.Kind, n.Value, n.read, n.text = Scalar, y.Value, y.Value, c.tree.text
		n.Style = style(y.Style)
		if n.Tag == "" && bytes.HasPrefix(c.data[n.Start:], []byte("!")) {
			n.Tag = "!" // the non-specific tag, which the library drops
		}
		c.locate(n)
		if (n.Style == Literal || n.Style == Folded) && !c.blockIndented(n.Start, indent) {
			c.blocks = append(c.blocks, n.Start)
		}
	case yaml.MappingNode:
		n.Kind, n.Flow = Mapping, y.Style&yaml.FlowStyle != 0
		n.Pairs = make([]Pair, 0, len(y.Content)/2)
		if !n.Flow && len(y.Content) > 0 {
			indent = c.column(y)
		}
		for i := 0; i+1 < len(y.Content); i += 2 {
			if n.Flow {
				c.tabBefore(c.offset(y.Content[i].Line, y.Content[i].Column))
			}
			k, err := c.convert(y.Content[i], depth+1, indent)
			if err != nil {
				return nil, err
			}
			v, err := c.convert(y.Content[i+1], depth+1, indent)
			if err != nil {
				return nil, err
			}
			c.tabAfter(k.End, ':')
			n.Pairs = append(n.Pairs, Pair{k, v})
		}
	case yaml.SequenceNode:
		n.Kind, n.Flow = Sequence, y.Style&yaml.FlowStyle != 0
		n.Items = make([]*Node, 0, len(y.Content))
		if !n.Flow {
			indent = c.column(y)
		}
		for _, child := range y.Content {
			c.tabBefore(c.offset(child.Line, child.Column))
			item, err := c.convert(child, depth+1, indent)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
	case yaml.AliasNode:
		n.Kind, n.Value = Alias, y.Value
		n.End = min(n.Start+1+len(y.Value), len(c.data))
		// The target stands before its alias; a target that is still being read holds its own alias.
		n.Target = c.nodes[y.Alias]
	}
	return n, nil
}

// column is the column, from 0, of a block collection: where its first key or dash begins.
func (c *converter) column(y *yaml.Node) int {
	if y.Kind == yaml.MappingNode && y.Content[0].Line > y.Line {
		return y.Content[0].Column - 1 // the mapping itself begins at its tag or anchor
	}
	return y.Column - 1
}

// blockIndented tells whether snakeyaml-engine takes the first line below the header of a block scalar at i (ScannerImpl.scanBlockScalar):
// it is indented deeper than the collection that holds the scalar and not less than a blank line before it, or else exactly as deep
// as that collection, which ends an empty scalar.
func (c *converter) blockIndented(i, indent int) bool {
	text := c.tree.text
	least, given := max(indent+1, 1), 0
	for i < len(text) && text[i] != '|' && text[i] != '>' {
		i++
	}
	for i++; i < len(text) && !isBlank(text[i]) && !isBreak(text[i]); i++ {
		if '1' <= text[i] && text[i] <= '9' {
			given = int(text[i] - '0')
		}
	}
	block := least
	if given > 0 {
		block = least + given - 1
	}
	if i = lineEnd(text, i); i >= len(text) {
		return true // the text ends on the header's line
	}
	for i = nextLine(text, i); ; i = nextLine(text, i) {
		column := 0
		for i < len(text) && text[i] == ' ' && (given == 0 || column < block) {
			i, column = i+1, column+1
		}
		if given == 0 {
			block = max(block, column)
		}
		if i >= len(text) || !isBreak(text[i]) {
			return column >= block || column == indent
		}
	}
}

// What snakeyaml-engine says of the places that are noted in Stream.Strict, in our words.
const (
	messageTab    = "a tab cannot stand between a key and its value, nor around a quoted value"
	messageEscape = `\' is no escape of YAML's; a single quote needs none in double quotes`
)

func (t *tree) refuse(at, length int, message string) {
	t.strict = append(t.strict, Problem{Start: at, End: at + length, Message: message})
}

// tabAfter notes a tab between a key's colon and its value: the library skips it, snakeyaml-engine does not.
func (c *converter) tabAfter(i int, indicator byte) {
	for i < len(c.text)+c.base && isBlank(c.data[i]) {
		i++
	}
	if i >= len(c.data) || c.data[i] != indicator {
		return
	}
	for i++; i < len(c.data) && isBlank(c.data[i]); i++ {
		if c.data[i] == '\t' {
			c.refuse(i, 1, messageTab)
			return
		}
	}
}

// tabBefore notes a tab between a dash, comma or bracket and what begins at i.
func (c *converter) tabBefore(i int) {
	for i--; i >= 0 && isBlank(c.data[i]); i-- {
		if c.data[i] == '\t' {
			c.refuse(i, 1, messageTab)
			return
		}
	}
}

func style(s yaml.Style) Style {
	switch {
	case s&yaml.SingleQuotedStyle != 0:
		return SingleQuoted
	case s&yaml.DoubleQuotedStyle != 0:
		return DoubleQuoted
	case s&yaml.LiteralStyle != 0:
		return Literal
	case s&yaml.FoldedStyle != 0:
		return Folded
	}
	return Plain
}

// locate finds the bytes of a scalar: it skips the tag and the anchor before it and finds its end.
func (c *converter) locate(n *Node) {
	i := n.Start
	for i < len(c.data) {
		switch {
		case isBlank(c.data[i]):
			i++
			continue
		case isBreak(c.data[i]) && i > n.Start:
			i++ // properties may stand on a line of their own
			continue
		case c.data[i] == '#' && i > n.Start && (isBlank(c.data[i-1]) || isBreak(c.data[i-1])) && n.Style != Plain:
			i = lineEnd(c.data, i)
			continue
		case c.data[i] == '&', c.data[i] == '!':
			for i < len(c.data) && !isBlank(c.data[i]) && !isBreak(c.data[i]) {
				i++
			}
			continue
		}
		break
	}
	switch n.Style {
	case SingleQuoted:
		n.Start, n.End = i, quotedEnd(c.data, i, '\'')
	case DoubleQuoted:
		n.Start, n.End = i, quotedEnd(c.data, i, '"')
	case Plain:
		if n.Value == "" {
			return
		}
		n.Start, n.End = i, min(i+len(n.Value), len(c.data))
		if !bytes.HasPrefix(c.tree.text[i:], []byte(n.Value)) { // folded over several lines
			n.End = lastOffset(n.Value, align(c.tree.text, n), i) + 1
		}
	case Literal, Folded:
		n.Start = i
		n.End = lastOffset(n.Value, align(c.tree.text, n), lineEnd(c.data, i)-1) + 1
	}
	n.End = min(n.End, len(c.data))
	if n.Masked = c.masked(n.Start, n.End); n.Masked {
		n.Value = unmask(c.data, c.tree.text, n)
	}
	n.Value = restoreBreaks(n.Value)
	if n.Style == DoubleQuoted {
		for i := n.Start; i+1 < n.End; i++ {
			if c.data[i] != '\\' {
				continue
			}
			if i++; c.data[i] == '\'' {
				c.refuse(i-1, 2, messageEscape)
			}
		}
	}
	if n.Style == SingleQuoted || n.Style == DoubleQuoted {
		for i := n.End; i < len(c.data) && isBlank(c.data[i]); i++ {
			if c.data[i] == '\t' {
				c.refuse(i, 1, messageTab)
				break
			}
		}
	}
}

// quotedEnd is the offset after the closing quote of a quoted scalar that begins at i.
func quotedEnd(data []byte, i int, quote byte) int {
	for i++; i < len(data); i++ {
		switch {
		case data[i] == '\\' && quote == '"':
			i++
		case data[i] == quote && quote == '\'' && i+1 < len(data) && data[i+1] == quote:
			i++
		case data[i] == quote:
			return i + 1
		}
	}
	return len(data)
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }
func isBreak(b byte) bool { return b == '\n' || b == '\r' }

func lineStart(data []byte, i int) int {
	for i > 0 && !isBreak(data[i-1]) {
		i--
	}
	return i
}

func lineEnd(data []byte, i int) int {
	for i < len(data) && !isBreak(data[i]) {
		i++
	}
	return i
}

// nextLine is the offset after the line end that begins at i.
func nextLine(data []byte, i int) int {
	if i < len(data) && data[i] == '\r' {
		i++
		if i < len(data) && data[i] == '\n' {
			i++
		}
		return i
	}
	return min(i+1, len(data))
}

// message is the library's complaint without its name and line.
func message(err error) string {
	m := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(m, "line "); ok {
		if _, text, ok := strings.Cut(rest, ": "); ok {
			return text
		}
	}
	return m
}
