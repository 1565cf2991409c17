// Package conf reads Flink configuration: bytes become entries with spans, the faults of the file become data, layers are
// merged with provenance, and the effective configuration answers typed questions as one Flink version does.
//
// A Document is one text in one dialect. Reading never fails on account of the text: what Flink would skip, override or refuse is
// a Fault with its place. An error is returned only for inputs beyond the limits.
package conf

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flinkadvise/flinkadvise/schema/source"
)

// A Dialect is a grammar of Flink configuration.
type Dialect int

// The dialects.
const (
	// Flat is the line grammar of flink-conf.yaml (GlobalConfiguration.loadLegacyYAMLResource; up to Flink 1.20).
	Flat Dialect = iota + 1
	// YAML is the standard YAML of config.yaml (YamlParserUtils; Flink 1.19 and newer).
	YAML
	// Arguments are -D options and --set: key=value, always text.
	Arguments
)

// String is the dialect's name on the command line and in JSON.
func (d Dialect) String() string {
	switch d {
	case Flat:
		return "flat"
	case YAML:
		return "yaml"
	case Arguments:
		return "arguments"
	}
	return "unknown"
}

// Limits of an input. A Flink configuration file is a few KiB; what is larger than these is not one, and reading on would only
// serve an attacker.
const (
	MaxFileSize = 8 << 20
	MaxLines    = 200_000
	// MaxDepth is the deepest nesting of YAML that is read.
	MaxDepth = 64
)

// A Kind is the Java type that Flink's loader gives a value. In the flat dialect everything is Text.
type Kind int

// Kinds of values.
const (
	Text Kind = iota
	Int
	BigInt
	Double
	Bool
	Sequence
	Binary
)

// An Entry is one key with its value, where it stands.
type Entry struct {
	Key string
	// Value is the text that typed options parse: Java's toString of what the loader produced.
	Value string
	// Text is what a String option reads; it differs from Value where YAML typed the scalar ("1e3" reads as "1000.0").
	Text string
	// Raw is the value as written in the file, quotes included.
	Raw  string
	Kind Kind
	// Items are the elements of a Sequence as text.
	Items []string
	// KeySpan and ValueSpan point into the file that the user edits. For nested YAML the key's span is that of its last segment.
	KeySpan, ValueSpan source.Span
	// Layer names where the entry comes from: a path, "--set", "spec.taskManager.resource.memory".
	Layer string
	// Placeholder marks a value that is filled in later (a template's {{ … }} or ${ … }): it is present, and unknown.
	Placeholder bool
	// Nested marks an entry out of a nested block in the flat dialect: Flink reads it by this key, which its author did not mean.
	Nested bool
}

// A FaultKind says what is wrong with a place of a file. Each kind is one syntax/ rule.
type FaultKind string

// Faults of the flat dialect (Flink goes on with a warning in its log, or silently) and of YAML (Flink does not start).
const (
	// FaultNoSeparator: a line without ": " is skipped (colon missing, or no blank after it).
	FaultNoSeparator FaultKind = "no-separator"
	// FaultEmptyValue: key or value is empty; the flat dialect skips the line, YAML's null stops Flink.
	FaultEmptyValue FaultKind = "empty-value"
	// FaultDuplicateKey: the later of two entries wins (flat), or Flink stops (YAML).
	FaultDuplicateKey FaultKind = "duplicate-key"
	// FaultCutByHash: a "#" inside what looks like the value cuts it.
	FaultCutByHash FaultKind = "cut-by-hash"
	// FaultQuotesKept: the flat dialect keeps quotes as part of the value.
	FaultQuotesKept FaultKind = "quotes-kept"
	// FaultNestedInFlat: an indented block of nested YAML in the flat dialect yields wrong keys. It is reported once, at the heading;
	// Detail is the first key that was meant.
	FaultNestedInFlat FaultKind = "nested-in-flat"
	// FaultByteOrderMark: a BOM becomes part of the first key in the flat dialect.
	FaultByteOrderMark FaultKind = "byte-order-mark"
	// FaultEncoding: bytes that are not UTF-8.
	FaultEncoding FaultKind = "encoding"
	// FaultInvisible: a no-break space or another invisible character that Java's trim keeps.
	FaultInvisible FaultKind = "invisible-character"
	// FaultNotLoadable: Flink's YAML loader refuses the file.
	FaultNotLoadable FaultKind = "not-loadable"
	// FaultRetyped: YAML reads a scalar as a number and a String option gets other text than was written.
	FaultRetyped FaultKind = "retyped-scalar"
	// FaultMergeKey: a YAML merge key is not merged by Flink's loader.
	FaultMergeKey FaultKind = "merge-key"
	// FaultGluedLines: two settings on one line, as when a container appends to a file without a final line end. Span and Detail are the
	// second.
	FaultGluedLines FaultKind = "glued-lines"
	// FaultNotConfiguration: most lines are none of a configuration; the text is something else.
	FaultNotConfiguration FaultKind = "not-configuration"
	// FaultBlanksDeleted: the image's entrypoint (1.19 and newer) deletes all white space of a line of FLINK_PROPERTIES; Detail is the value
	// that is left.
	FaultBlanksDeleted FaultKind = "blanks-deleted"
	// FaultMalformed: a manifest, compose file or the like that no YAML reader takes, and so nothing starts from it.
	FaultMalformed FaultKind = "malformed-manifest"
	// FaultWrongFileName: Flink of this version does not read a file of this name.
	FaultWrongFileName FaultKind = "wrong-file-name"
)

// A Fault is something that Flink would skip, override or refuse, at its place.
type Fault struct {
	Kind FaultKind
	// Span is what to mark; Related is the place it has to do with (the first of two duplicates).
	Span    source.Span
	Related source.Span
	// Key is the option concerned, where there is one.
	Key string
	// Detail completes the message: the value that results, the loader's reason.
	Detail string
	// Fatal tells that Flink does not start.
	Fatal bool
	// Fix is a replacement of Span that mends the fault, where there is one; FixSafe tells that it keeps what Flink does today.
	Fix     *string
	FixSafe bool
}

// A Document is one text that was read in one dialect.
type Document struct {
	View    *source.View
	Dialect Dialect
	// Entries stand in file order; of two with one key the later wins.
	Entries []Entry
	Faults  []Fault
	// Templated tells that a template engine fills in parts of the text.
	Templated bool
	// Quoted tells that the values stand in a manifest's map of strings: whatever the dialect in which Flink reads them in the end, they are
	// written as YAML, new ones in quotes.
	Quoted bool
	// Margin is the indentation of the document's own keys, where a carrier knows it better than the first line tells; Closed tells that no
	// option can be added (a flow mapping, a command line).
	Margin *string
	Closed bool
}

// Indent is what precedes a new key on its line; ok is false when the document takes none.
func (d *Document) Indent() (indent string, ok bool) {
	switch {
	case d.Closed || d.Dialect != Flat && d.Dialect != YAML:
		return "", false
	case d.Margin != nil:
		return *d.Margin, true
	}
	for start := 0; start < len(d.View.Data); {
		end, next := lineEnd(d.View.Data, start)
		s, e := trimmed(d.View.Data, start, end)
		if s < e && d.View.Data[s] != '#' && string(d.View.Data[s:e]) != "---" {
			if d.Dialect == YAML && d.View.Data[s] == '{' {
				return "", false
			}
			at := d.View.Offset(s)
			line, _ := d.View.File.Position(at)
			_, from := d.View.File.Line(line)
			return string(d.View.File.Data[from:at]), true
		}
		start = next
	}
	return "", true
}

// Path is the path of the file that holds the document.
func (d *Document) Path() string { return d.View.File.Path }

// sortFaults puts the faults in the order of their places.
func (d *Document) sortFaults() {
	slices.SortStableFunc(d.Faults, func(a, b Fault) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
}

// CheckLimits refuses inputs that are not configuration files by size.
func CheckLimits(v *source.View) error {
	switch {
	case len(v.Data) > MaxFileSize:
		return fmt.Errorf("%s has %d bytes; a Flink configuration of more than %d is not read", v.File.Path, len(v.Data), MaxFileSize)
	case v.File.Lines() > MaxLines:
		return fmt.Errorf("%s has %d lines; a Flink configuration of more than %d is not read", v.File.Path, v.File.Lines(), MaxLines)
	}
	return nil
}
