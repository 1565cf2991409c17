package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// meaning is what an option of the kind makes of an entry, in a form that equals for equal values however they are written. Text that the kind refuses stands
// for itself.
func meaning(e *conf.Entry, o *option.Option, v version.Version, d conf.Dialect) string {
	if o == nil {
		return e.Text
	}
	text := func(s string, err error) string {
		if err != nil {
			return "refused: " + e.Text
		}
		return s
	}
	switch o.Kind {
	case option.Boolean:
		b, err := quantity.ParseBool(e.Value)
		return text(fmt.Sprint(b), err)
	case option.Int, option.Long:
		n, err := quantity.ParseLong(e.Value)
		return text(fmt.Sprint(n), err)
	case option.Float, option.Double:
		f, err := quantity.ParseDouble(e.Value)
		return text(fmt.Sprint(f), err)
	case option.Memory:
		b, err := quantity.ParseBytes(e.Value)
		return text(fmt.Sprint(int64(b)), err)
	case option.Duration:
		t, err := quantity.ParseDuration(e.Value, v)
		return text(fmt.Sprint(t.Sec, t.Nanos), err)
	case option.Enum:
		c, ok := quantity.MatchEnum(e.Value, o.Values)
		if !ok {
			return "refused: " + e.Text
		}
		return c
	case option.List, option.Map:
		if e.Key == o.Key || slices.Contains(o.Fallback, e.Key) || slices.Contains(o.Deprecated, e.Key) {
			return structured(e, o.Kind, v, d)
		}
	}
	return e.Text
}

// Options of Flink's that every version reads as a list and as a map, to ask the configuration how it splits a text.
const (
	anyList = "pipeline.jars"
	anyMap  = "pipeline.global-job-parameters"
)

// structured splits a list or a map as a configuration in this dialect does.
func structured(e *conf.Entry, kind option.Kind, v version.Version, d conf.Dialect) string {
	c := *e
	c.Key = anyList
	if kind == option.Map {
		c.Key = anyMap
	}
	eff, err := conf.Merge(v, conf.Layer{Dialect: d, Entries: []conf.Entry{c}})
	if err != nil {
		return e.Text
	}
	var parts []string
	if kind == option.List {
		l := eff.List(anyList)
		parts, err = l.V, l.Err
	} else {
		m := eff.Map(anyMap)
		for _, p := range m.V {
			parts = append(parts, p.Key+"\x01"+p.Value)
		}
		err = m.Err
		slices.Sort(parts)
	}
	if err != nil {
		return "refused: " + e.Text
	}
	return strings.Join(parts, "\x00")
}

// textEntry is an entry with a text for value, as an argument gives it.
func textEntry(key, value string) *conf.Entry {
	return &conf.Entry{Key: key, Value: value, Text: value, Raw: value, Placeholder: conf.IsPlaceholder(value)}
}
