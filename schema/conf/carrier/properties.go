package carrier

import (
	"bytes"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// The official image's docker-entrypoint.sh puts the environment variable FLINK_PROPERTIES into the configuration.
const propertiesVariable = "FLINK_PROPERTIES"

// flinkProperties reads FLINK_PROPERTIES as the image of a version does. Up to 1.18 the text is appended to flink-conf.yaml. From 1.19 on it is taken
// line by line: all white space is deleted, the line is split at its first colon, and both parts become -Dkey=value. An unknown version is read
// as the older form, which finds less fault with it. literal tells that the text is a literal block, to which lines can be added.
func flinkProperties(view *source.View, v version.Version, literal, conditional bool) *conf.Document {
	if !v.Known() || v.Before(1, 19) {
		d, err := conf.Open(view, conf.Options{Dialect: conf.Flat, Conditional: conditional})
		if err != nil {
			return &conf.Document{View: view, Dialect: conf.Flat, Closed: true}
		}
		d.Closed = !literal
		return d
	}
	d := &conf.Document{View: view, Dialect: conf.Arguments}
	for start := 0; start < len(view.Data); {
		end := start
		for end < len(view.Data) && view.Data[end] != '\n' {
			end++
		}
		propertyLine(d, start, end)
		start = end + 1
	}
	return d
}

func propertyLine(d *conf.Document, start, end int) {
	v := d.View
	line := v.Data[start:end]
	trimmed := bytes.TrimSpace(line)
	if len(trimmed) == 0 {
		return
	}
	colon := bytes.IndexByte(line, ':')
	if trimmed[0] == '#' {
		return // becomes a key that begins with "#" and that nothing reads
	}
	if colon < 0 {
		at := start + bytes.Index(line, trimmed)
		if !conf.IsPlaceholder(string(trimmed)) {
			d.Faults = append(d.Faults, conf.Fault{Kind: conf.FaultNoSeparator, Span: v.Span(at, at+len(trimmed))})
		}
		return
	}
	key := strings.Join(strings.Fields(string(line[:colon])), "")
	ks, ke := trim(line, 0, colon)
	vs, ve := trim(line, colon+1, len(line))
	written := string(line[vs:ve])
	value := strings.Join(strings.Fields(written), "")
	e := conf.Entry{Key: key, Value: value, Text: value, Raw: written, KeySpan: v.Span(start+ks, start+ke), ValueSpan: v.Span(start+vs, start+ve),
		Placeholder: conf.IsPlaceholder(written)}
	switch {
	case value == "":
		d.Faults = append(d.Faults, conf.Fault{Kind: conf.FaultEmptyValue, Span: v.Span(start+ks, start+colon+1), Key: key})
	case value != written && !e.Placeholder && blanksMatter(key, written):
		d.Faults = append(d.Faults, conf.Fault{Kind: conf.FaultBlanksDeleted, Span: e.ValueSpan, Key: key, Detail: value})
	}
	d.Entries = append(d.Entries, e)
}

// blanksMatter tells whether a value means something else without its blanks: sizes and durations do not mind them, unless a comment follows.
func blanksMatter(key, value string) bool {
	if strings.Contains(value, " #") {
		return true
	}
	m, ok := option.Lookup(key, version.Newest())
	if !ok || m.Option == nil {
		return true
	}
	switch m.Option.Kind {
	case option.Memory, option.Duration, option.Map, option.List:
		return false
	}
	return true
}

func trim(line []byte, start, end int) (int, int) {
	for start < end && line[start] <= ' ' {
		start++
	}
	for end > start && line[end-1] <= ' ' {
		end--
	}
	return start, end
}

// shipped is the configuration file that lies in the official image, as far as it sets what FLINK_PROPERTIES may leave out. The values are those of
// flink-dist's own file.
func shipped(v version.Version) conf.Layer {
	layer := conf.Layer{Name: "the image's own configuration file", Dialect: conf.Flat}
	if v.Known() && v.AtLeast(1, 19) {
		layer.Dialect = conf.YAML
	}
	process := "1728m"
	if v.Known() && v.Line() == version.Of(1, 10) && v.Patch == 0 {
		process = "1568m"
	}
	for _, e := range [][2]string{
		{"jobmanager.memory.process.size", "1600m"}, {"taskmanager.memory.process.size", process}, {"taskmanager.numberOfTaskSlots", "1"}, {"parallelism.default", "1"},
	} {
		if v.Known() && v.Before(1, 11) && strings.HasPrefix(e[0], "jobmanager.memory") {
			e = [2]string{"jobmanager.heap.size", "1024m"}
		}
		layer.Entries = append(layer.Entries, conf.Entry{Key: e[0], Value: e[1], Text: e[1], Raw: e[1], Layer: layer.Name})
	}
	return layer
}
