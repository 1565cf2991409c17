package render

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// effectiveOption is one option of the effective configuration. Without a place it is a default.
type effectiveOption struct {
	// Key is the option's key in this version; WrittenAs is the name in the file where it is another one.
	Key       string `json:"key"`
	WrittenAs string `json:"writtenAs,omitempty"`
	// Value is the text that Flink reads; null where there is none.
	Value *string `json:"value"`
	// Bytes and Seconds are what the value means, for sizes and durations.
	Bytes   *int64   `json:"bytes,omitempty"`
	Seconds *float64 `json:"seconds,omitempty"`
	Origin  string   `json:"origin"`
	Layer   string   `json:"layer,omitempty"`
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"`
	// Default is the version's default; null where there is none.
	Default *string `json:"default"`
	// Became says what the value came to: derived sizes, clamps, what Flink does not read.
	Became []string `json:"became,omitempty"`
	// Hides are the places of values that this one overrides.
	Hides []string `json:"hides,omitempty"`

	means string
}

type effectiveTarget struct {
	Input   string            `json:"input"`
	Flink   jsonFlink         `json:"flink"`
	Options []effectiveOption `json:"options"`
}

// Effective writes every option that is set, and the defaults that the rules of the result and the budgets used, with what became of them.
func Effective(w io.Writer, results []*advisor.Result, colour bool) error {
	p := &text{colour: colour, red: newRedactor(results)}
	for i, res := range results {
		t := res.Target
		if i > 0 {
			p.printf("\n")
		}
		p.printf("%s\n", p.paint(bold, fmt.Sprintf("%s, Flink %s (%s)", printable(t.Name), t.Version, p.red.text(t.VersionFrom))))
		var set, defaults [][]string
		for _, o := range effectiveOptions(res, p.red) {
			value, def := orDash(o.Value), orDash(o.Default)
			key := printable(o.Key)
			if o.WrittenAs != "" {
				key += " (as " + printable(o.WrittenAs) + ")"
			}
			became := strings.Join(o.Became, "; ")
			if len(o.Hides) > 0 {
				became = strings.TrimPrefix(became+"; hides "+strings.Join(o.Hides, ", "), "; ")
			}
			if o.Origin == conf.Default.String() {
				defaults = append(defaults, []string{key, value, o.means, became})
				continue
			}
			set = append(set, []string{key, value, o.means, o.place(), def, became})
		}
		p.printf("\n%s\n", p.paint(bold, "set"))
		if err := p.table([]string{"option", "value", "means", "from", "default", "became"}, set, "llllll"); err != nil {
			return err
		}
		p.printf("\n%s\n", p.paint(bold, "not set, and used by rules or budgets"))
		if err := p.table([]string{"option", "default", "means", "became"}, defaults, "llll"); err != nil {
			return err
		}
	}
	_, err := w.Write(p.buf.Bytes())
	return err
}

// EffectiveJSON writes the same as JSON.
func EffectiveJSON(w io.Writer, results []*advisor.Result) error {
	red := newRedactor(results)
	out := struct {
		Version        int               `json:"version"`
		Configurations []effectiveTarget `json:"configurations"`
	}{Version: JSONVersion, Configurations: []effectiveTarget{}}
	for _, res := range results {
		t := res.Target
		out.Configurations = append(out.Configurations, effectiveTarget{
			Input: t.Name, Flink: jsonFlink{Version: t.Version.String(), From: t.VersionFrom}, Options: effectiveOptions(res, red),
		})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}

func orDash(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

// place is file:line, with the layer where that says something else.
func (o effectiveOption) place() string {
	switch {
	case o.Line == 0:
		return o.Layer
	case o.Layer == "" || o.Layer == o.File:
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	}
	return fmt.Sprintf("%s:%d, %s", o.File, o.Line, o.Layer)
}

// effectiveOptions lists the options by key: those that are set, then nothing twice, those that a rule reads or a budget was computed from.
func effectiveOptions(res *advisor.Result, red redactor) []effectiveOption {
	t := res.Target
	became := whatBecame(res)
	hides := map[string][]string{}
	for _, o := range t.Conf.Overridden() {
		hides[o.Entry.Key] = append(hides[o.Entry.Key], o.Entry.From())
	}
	seen := map[string]bool{}
	out := []effectiveOption{}
	for _, e := range t.Conf.Entries() {
		o := effectiveOption{Key: e.Key, Origin: conf.Given.String(), Layer: e.Layer, File: e.ValueSpan.Path(), Hides: hides[e.Key]}
		value := red.value(e.Key, e.Text)
		o.Value = &value
		if e.ValueSpan.Valid() {
			o.Line = e.ValueSpan.Line
		}
		o.Became = slices.Clone(became[e.Key])
		m, ok := option.Lookup(e.Key, t.Version)
		switch {
		case !ok:
			o.Became = append(o.Became, "not an option of Flink "+t.Version.Line().String())
		case m.Option != nil:
			if m.Via == option.ByDeprecated || m.Via == option.ByFallback {
				o.Key, o.WrittenAs = m.Option.Key, e.Key
				o.Became = append(o.Became, became[o.Key]...)
			}
			o.describe(t, m.Option, red)
			if e.Placeholder {
				o.Became = append(o.Became, "filled in later")
			} else if err := t.Conf.Parse(e, m.Option); err != nil {
				o.Became = append(o.Became, "refused")
			} else {
				o.interpret(t, e.Value, m.Option.Kind)
			}
			seen[m.Option.Key] = true
		}
		o.Became = slices.Compact(o.Became)
		out = append(out, o)
	}
	for _, key := range usedKeys(res) {
		d, ok := t.Conf.Option(key)
		if !ok || seen[d.Key] || !d.HasDefault && len(became[d.Key]) == 0 {
			continue
		}
		seen[d.Key] = true
		o := effectiveOption{Key: d.Key, Origin: conf.Default.String(), Became: became[d.Key]}
		o.describe(t, d, red)
		o.Value = o.Default
		if d.HasDefault {
			o.interpret(t, d.Default, d.Kind)
		}
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(a, b effectiveOption) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// describe fills in the version's default.
func (o *effectiveOption) describe(t *advisor.Target, d *option.Option, red redactor) {
	if d.HasDefault {
		def := red.text(d.Default)
		o.Default = &def
	}
}

// interpret says what a value means in bytes or seconds.
func (o *effectiveOption) interpret(t *advisor.Target, value string, kind option.Kind) {
	switch kind {
	case option.Memory:
		if b, err := quantity.ParseBytes(value); err == nil {
			n := int64(b)
			o.Bytes, o.means = &n, strconv.FormatInt(n, 10)+" bytes"
		}
	case option.Duration:
		if d, err := quantity.ParseDuration(value, t.Version); err == nil {
			s := d.Seconds()
			o.Seconds, o.means = &s, strconv.FormatFloat(s, 'f', -1, 64)+" s"
		}
	}
}

// usedKeys are the options that the rules read and those that the budgets are made of.
func usedKeys(res *advisor.Result) []string {
	var keys []string
	for _, r := range res.Ran {
		keys = append(keys, r.Reads...)
	}
	for _, p := range processParts(res.Target) {
		keys = append(keys, p.Key, p.ClampKey)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func processParts(t *advisor.Target) []budget.Part {
	tm, jm := t.TaskManager, t.JobManager
	return slices.Concat([]budget.Part{tm.ProcessSize, tm.FlinkSize}, tm.Parts(), []budget.Part{jm.ProcessSize, jm.FlinkSize}, jm.Parts())
}

// whatBecame says by key what a value came to: the part of memory that it makes, the limit that it is, what a rule of category option says of it.
func whatBecame(res *advisor.Result) map[string][]string {
	t := res.Target
	out := map[string][]string{}
	add := func(key, words string) {
		if key != "" && !slices.Contains(out[key], words) {
			out[key] = append(out[key], words)
		}
	}
	for _, p := range processParts(t) {
		if !p.Known {
			continue
		}
		if p.By != budget.Configured && p.By != budget.DefaultSize {
			add(t.Conf.Name(p.Key), fmt.Sprintf("%s %s (%s)", p.Name, p.Bytes.Pretty(), p.How()))
		}
		switch p.Clamp {
		case "min":
			add(t.Conf.Name(p.ClampKey), fmt.Sprintf("raises %s to %s", p.Name, p.Bytes.Pretty()))
		case "max":
			add(t.Conf.Name(p.ClampKey), fmt.Sprintf("cuts %s to %s", p.Name, p.Bytes.Pretty()))
		}
	}
	for _, f := range res.Findings {
		if f.Rule.ID != "option/no-effect" && f.Rule.ID != "option/two-names" {
			continue
		}
		_, why, _ := strings.Cut(f.Message, "no effect: ")
		for _, l := range f.Labels {
			if l.Text == "no effect" || l.Text == "not read" {
				add(l.Key, "no effect: "+why)
			}
		}
	}
	return out
}
