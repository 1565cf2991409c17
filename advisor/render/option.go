package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// kindNames say in what form a value is written.
var kindNames = map[option.Kind]string{
	option.String: "text", option.Boolean: "true or false", option.Int: "whole number, 32 bit", option.Long: "whole number, 64 bit",
	option.Float: "number, 32 bit", option.Double: "number, 64 bit", option.Memory: "memory size: a bare number is bytes, units are b, k, m, g, t",
	option.Duration: "duration: a bare number is milliseconds, units are ms, s, min, h, d", option.Enum: "one of a few constants",
	option.List: "list, separated by ;", option.Map: "map: key:value, separated by commas",
}

// Option writes what is known of an option: kind, values, default and names by version, limits, the rules that read it, and our note. v chooses the
// version to speak of; unknown is the newest.
func Option(w io.Writer, key string, v version.Version, rules []*advisor.Rule) error {
	if !v.Known() {
		v = version.Newest()
	}
	var b bytes.Buffer
	history, hasHistory := option.History(key)
	m, known := option.Lookup(key, v)
	fmt.Fprintf(&b, "%s\n\n", key)
	if note := option.Note(key); note != "" {
		for _, line := range wrap(note, maxExcerpt) {
			fmt.Fprintf(&b, "%s\n", line)
		}
		b.WriteByte('\n')
	}
	var rows [][]string
	add := func(name, format string, args ...any) {
		rows = append(rows, []string{name, fmt.Sprintf(format, args...)})
	}
	switch {
	case !known:
		add("Flink "+v.Line().String(), "does not read it")
	case m.Via == option.Canonical:
		add("Flink "+v.Line().String(), "an option")
	case m.Via == option.ByScript:
		add("Flink "+v.Line().String(), "read by the start scripts or the container's entry point only")
	case m.Via == option.ByFamily || m.Via == option.ByPrefix:
		add("Flink "+v.Line().String(), "a key of %s", m.Pattern)
	default:
		add("Flink "+v.Line().String(), "another name of %s", m.Option.Key)
	}
	if known && m.Option != nil {
		describeOption(m.Option, add)
		if limit, ok := option.LimitOf(m.Option.Key, v); ok {
			add("limit", "%s (%s)", limitWords(limit), limit.Class)
		}
	}
	if hasHistory {
		add("known", "%s", years(history))
		for _, p := range history.Own {
			if len(history.Own) > 1 && p.Option != nil {
				add(run(p), "default %s", defaultOf(p.Option))
			}
		}
		for _, p := range history.Alias {
			if p.Option != nil {
				add(run(p), "another name of %s", p.Option.Key)
			}
		}
	}
	readers := []string{key}
	if known && m.Option != nil {
		readers = append(readers, m.Option.Key)
		readers = append(readers, m.Option.Deprecated...)
	}
	var by []string
	for _, r := range rules {
		if slices.ContainsFunc(r.Reads, func(k string) bool { return slices.Contains(readers, k) }) {
			by = append(by, r.ID)
		}
	}
	if len(by) > 0 {
		add("rules", "%s", strings.Join(by, ", "))
	}
	if err := table(&b, nil, rows, "ll"); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func limitWords(l option.Limit) string {
	var parts []string
	if l.Min != "" {
		parts = append(parts, "at least "+l.Min)
	}
	switch {
	case l.Max != "" && l.MaxExclusive:
		parts = append(parts, "below "+l.Max)
	case l.Max != "":
		parts = append(parts, "at most "+l.Max)
	}
	if l.PowerOfTwo {
		parts = append(parts, "a power of two")
	}
	if l.Unset != "" {
		parts = append(parts, "or "+l.Unset+" for not set")
	}
	return strings.Join(parts, ", ")
}

func describeOption(o *option.Option, add func(string, string, ...any)) {
	add("value", "%s", kindNames[o.Kind])
	if len(o.Values) > 0 {
		add("constants", "%s", strings.Join(o.Values, ", "))
	}
	add("default", "%s", defaultOf(o))
	if names := slices.Concat(o.Fallback, o.Deprecated); len(names) > 0 {
		add("other names", "%s", strings.Join(names, ", "))
	}
	if o.Class != "" {
		add("declared in", "%s.%s (%s)", o.Class, o.Field, o.Module)
	}
}

func defaultOf(o *option.Option) string {
	switch {
	case o.MachineDefault:
		return "taken from the machine"
	case !o.HasDefault:
		return "none"
	case o.Default == "":
		return "empty"
	}
	if size, err := quantity.ParseBytes(o.Default); o.Kind == option.Memory && err == nil {
		return size.Pretty()
	}
	return o.Default
}

func run(p option.Past) string {
	if p.From == p.To {
		return p.From.String()
	}
	return p.From.String() + " to " + p.To.String()
}

func years(h option.KeyHistory) string {
	since, until := h.Since(), h.Until()
	switch {
	case since == version.Oldest() && until == version.Newest():
		return fmt.Sprintf("in every version from %s to %s", since, until)
	case until == version.Newest():
		return fmt.Sprintf("from %s on", since)
	case since == version.Oldest():
		return fmt.Sprintf("up to %s", until)
	}
	return fmt.Sprintf("from %s to %s", since, until)
}
