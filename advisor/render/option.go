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
		if d, ok := option.Departed(key, v); ok {
			addDeparture(d, add)
		}
	case m.Via == option.Canonical:
		add("Flink "+v.Line().String(), "an option")
	case m.Via == option.ByScript:
		add("Flink "+v.Line().String(), "read by the start scripts or the container's entry point only")
	case m.Via == option.ByPrefix:
		add("Flink "+v.Line().String(), "an entry of the map %s", strings.TrimSuffix(m.Pattern, ".<key>"))
	case m.Via == option.ByFamily && m.Open:
		add("Flink "+v.Line().String(), "one of the free keys below %s", strings.TrimSuffix(m.Pattern, ".**"))
	case m.Via == option.ByFamily:
		add("Flink "+v.Line().String(), "an option with a free name, %s", m.Pattern)
	default:
		add("Flink "+v.Line().String(), "another name of %s", m.Option.Key)
	}
	switch {
	case known && m.Via == option.ByPrefix:
		add("value", "%s", kindNames[option.String]) // Flink keeps the values of maps as text
	case known && m.Option != nil:
		describeOption(m.Option, add)
		if limit, ok := option.LimitOf(m.Option.Key, v); ok {
			add("limit", "%s (%s)", limitWords(limit), limit.Class)
		}
	}
	if hasHistory {
		add("known", "%s", years(history))
		for _, r := range runsOf(history) {
			add(r.span(), "%s", r.text)
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
		for i, line := range wrap(strings.Join(by, ", "), maxExcerpt-len("1.10 to 1.20  ")) {
			name := ""
			if i == 0 {
				name = "rules"
			}
			rows = append(rows, []string{name, line})
		}
	}
	if err := table(&b, nil, rows, "ll"); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func limitWords(l option.Limit) string {
	var parts []string
	switch {
	case l.Min != "" && l.MinExclusive:
		parts = append(parts, "above "+l.Min)
	case l.Min != "":
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
	switch {
	case o.Class == "":
	case o.Field == "":
		add("read by", "%s", o.Class)
	default:
		add("declared in", "%s.%s (%s)", o.Class, o.Field, o.Module)
	}
}

// addDeparture says what became of a key that is gone.
func addDeparture(d option.Departure, add func(string, string, ...any)) {
	if d.Last.Known() {
		add("gone", "the last to read it was Flink %s", d.Last)
	} else {
		add("gone", "since before Flink %s", version.Oldest())
	}
	if len(d.By) > 0 {
		add("in its place", "%s", strings.Join(d.By, " or "))
	}
	if d.Note != "" {
		add("note", "%s", d.Note)
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

// A past is a run of lines in which one thing can be said of a key.
type past struct {
	from, to version.Version
	text     string
}

func (p past) span() string {
	if p.from == p.to {
		return p.from.String()
	}
	return p.from.String() + " to " + p.to.String()
}

// runsOf are the defaults of a key's own option, where they differ, and the options of which it is another name; neighbouring runs that say the same are one.
func runsOf(h option.KeyHistory) []past {
	typed := false
	for _, p := range h.Own {
		typed = typed || p.Option.Kind != h.Own[0].Option.Kind
	}
	var own, alias []past
	add := func(list []past, p option.Past, text string) []past {
		if n := len(list); n > 0 && list[n-1].text == text && follows(list[n-1].to, p.From) {
			list[n-1].to = p.To
			return list
		}
		return append(list, past{p.From, p.To, text})
	}
	for _, p := range h.Own {
		text := "default " + defaultOf(p.Option)
		if typed {
			kind, _, _ := strings.Cut(kindNames[p.Option.Kind], ":")
			text += " (" + kind + ")"
		}
		own = add(own, p, text)
	}
	for _, p := range h.Alias {
		alias = add(alias, p, "another name of "+p.Option.Key)
	}
	if len(own) == 1 && len(alias) == 0 {
		return nil // said already
	}
	all := slices.Concat(own, alias)
	slices.SortStableFunc(all, func(a, b past) int { return a.from.Compare(b.from) })
	return all
}

// follows tells whether b is the minor line after a.
func follows(a, b version.Version) bool {
	i, _ := a.Index()
	j, _ := b.Index()
	return j == i+1
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
