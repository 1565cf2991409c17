package conf

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Options say what is known about a text before it is read.
type Options struct {
	// Dialect is forced when it is not zero.
	Dialect Dialect
	// Version is the Flink that will read the text; it may be unknown.
	Version version.Version
	// Name is the name that Flink would find the text under, where that is not the path of its file: the key of a ConfigMap.
	Name string
	// Conditional tells that a template decides which lines there are: a key may well stand twice then.
	Conditional bool
	// FlatBeside tells that flink-conf.yaml lies in the same directory: Flink 1.19 and 1.20 read that one only.
	FlatBeside bool
}

// Open reads a text in the dialect that its name and version call for (see Detect). What Flink of that version would not look at has a
// FaultWrongFileName and is read all the same.
func Open(v *source.View, o Options) (*Document, error) {
	name := o.Name
	if name == "" {
		name = v.File.Path
	}
	dialect, why := Detect(name, v.Data, o.Version)
	if o.Dialect != 0 {
		dialect = o.Dialect
	}
	if o.FlatBeside && path.Base(name) == YAMLName && o.Version.AtLeast(1, 19) && o.Version.Before(2, 0) {
		why.Unread = fmt.Sprintf("Flink %s reads the %s beside it and nothing else", o.Version.Line(), FlatName)
	}
	var d *Document
	var err error
	switch dialect {
	case YAML:
		d, err = ParseYAML(v)
	case Flat:
		d, err = ParseFlat(v)
	default:
		return nil, fmt.Errorf("%s: the dialect %s is not one of a file", v.File.Path, dialect)
	}
	if err != nil {
		return nil, err
	}
	if o.Conditional {
		d.Faults = slices.DeleteFunc(d.Faults, func(f Fault) bool { return f.Kind == FaultDuplicateKey })
	}
	if why.Unread != "" {
		end := bytes.IndexAny(v.Data, "\r\n")
		if end < 0 {
			end = len(v.Data)
		}
		d.Faults = append([]Fault{{Kind: FaultWrongFileName, Span: v.Span(0, end), Detail: why.Unread}}, d.Faults...)
	}
	return d, nil
}

// Why says how a dialect was found.
type Why struct {
	// Reason completes "read as flat because …".
	Reason string
	// Unread tells why Flink of the version does not look at a file of this name; "" when it does, or when the name is none of Flink's.
	Unread string
}

// Names of Flink's configuration file (GlobalConfiguration).
const (
	// FlatName is the file up to Flink 1.20; where it exists, 1.19 and 1.20 read nothing else.
	FlatName = "flink-conf.yaml"
	// YAMLName is the file from Flink 1.19 on.
	YAMLName = "config.yaml"
)

// flatNames are names of flink-conf.yaml with what people add: a template's suffix, a version, ".bk". flink-configuration.yaml is none.
var flatNames = regexp.MustCompile(`(^|[^a-z])flink-conf([^a-z]|$)`)

// IsFlinkName tells a name of flink-conf.yaml.
func IsFlinkName(name string) bool { return flatNames.MatchString(strings.ToLower(name)) }

// Detect finds the dialect of a text. The name decides where it is one of Flink's, then the version, then the content.
func Detect(name string, data []byte, v version.Version) (Dialect, Why) {
	base := strings.ToLower(path.Base(name))
	switch {
	case IsFlinkName(base):
		why := Why{Reason: "the file is named flink-conf.yaml"}
		if v.Known() && v.AtLeast(2, 0) {
			why.Unread = fmt.Sprintf("Flink %s reads %s and nothing else", v.Line(), YAMLName)
		}
		return Flat, why
	case base == YAMLName || base == "config.yml":
		why := Why{Reason: "the file is named config.yaml"}
		switch {
		case v.Known() && v.Before(1, 19):
			why.Unread = fmt.Sprintf("Flink %s reads %s and nothing else", v.Line(), FlatName)
		case base != YAMLName:
			why.Unread = fmt.Sprintf("Flink reads %s; this name it does not know", YAMLName)
		}
		return YAML, why
	case v.Known() && v.AtLeast(2, 0):
		return YAML, Why{Reason: "Flink 2 reads standard YAML only"}
	case v.Known() && v.Before(1, 19):
		return Flat, Why{Reason: "Flink before 1.19 reads the flat dialect only"}
	case nested(data):
		return YAML, Why{Reason: "the text is nested"}
	}
	return Flat, Why{Reason: "every line is one key with its value"}
}

// nested tells whether a text is nested YAML: a line "key:" is followed by a line with more indentation, and the whole can be loaded.
func nested(data []byte) bool {
	if len(data) > MaxFileSize {
		return false
	}
	heading := -1
	for start := 0; start < len(data); {
		end, next := lineEnd(data, start)
		s, e := trimmed(data, start, end)
		indent := s - start
		start = next
		if s == e || data[s] == '#' {
			continue
		}
		if heading >= 0 && indent > heading {
			d, err := ParseYAML(source.NewFile("", data).Whole())
			return err == nil && !d.Fatal()
		}
		heading = -1
		if data[e-1] == ':' {
			heading = indent
		}
	}
	return false
}

// Fatal tells whether Flink does not start with the document.
func (d *Document) Fatal() bool {
	for _, f := range d.Faults {
		if f.Fatal {
			return true
		}
	}
	return false
}

// Layer is the document as a layer named after its file.
func (d *Document) Layer() Layer {
	return Layer{Name: d.Path(), Dialect: d.Dialect, Entries: d.Entries}
}

// ParseArguments reads settings as they stand on command lines: "key=value", "-Dkey=value", "-yDkey=value". The value is all that follows the first
// "=". A -D without "=" means true (ClusterConfigurationParserFactory); without -D it is an error, as is an empty key.
func ParseArguments(name string, args ...string) (Layer, error) {
	layer := Layer{Name: name, Dialect: Arguments}
	for _, arg := range args {
		e, ok := ParseArgument(arg)
		if !ok {
			return layer, fmt.Errorf("%s: %q is not KEY=VALUE", name, arg)
		}
		e.Layer = name
		layer.Entries = append(layer.Entries, e)
	}
	return layer, nil
}

// ParseArgument reads one setting as ParseArguments does; it has no place yet.
func ParseArgument(arg string) (Entry, bool) {
	text, dynamic := strings.CutPrefix(arg, "-D")
	if !dynamic {
		text, dynamic = strings.CutPrefix(arg, "-yD")
	}
	key, value, ok := strings.Cut(strings.TrimSpace(text), "=")
	if !ok {
		value = "true"
	}
	if key = strings.TrimSpace(key); key == "" || !ok && !dynamic {
		return Entry{}, false
	}
	return Entry{Key: key, Value: value, Text: value, Raw: value, Placeholder: IsPlaceholder(value)}, true
}
