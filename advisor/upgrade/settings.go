package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
)

// settings reports what becomes of each entry.
func (a *analysis) settings() {
	stays := map[*fate]bool{}
	if a.document != nil && !a.Moves() {
		w := a.writer()
		w.edit()
		stays = w.stays
	}
	for i := range a.fates {
		f := &a.fates[i]
		if f.hidden != nil {
			continue
		}
		c := Change{Kind: f.kind, Key: f.entry.Key, Span: f.entry.KeySpan, Written: a.document != nil && !stays[f]}
		switch f.kind {
		case Renamed:
			c.Now = f.names()
			c.Weight = Tidy
			c.Message = fmt.Sprintf("%s is %s now; the old name still works", c.Key, list(f.names()))
			if f.departure.Key != "" {
				c.Weight = Breaks
				c.Message = fmt.Sprintf("%s is %s now; the old name does not work any more", c.Key, list(f.names()))
			}
			a.add(c)
			a.value(f)
		case Removed:
			a.removed(f, c)
		case Value:
			c.Weight = Breaks
			c.Message = fmt.Sprintf("Flink %s does not take %s: %s", a.To.Line(), a.printed(f.entry), f.becomes())
			if f.drop {
				c.Message = fmt.Sprintf("%s: %s", c.Key, f.reason)
			}
			a.add(c)
		case Hidden:
			c.Weight = Changes
			if a.Before.Conf.String(c.Key).Entry != f.entry || f.unread {
				c.Weight = Tidy // it had no effect before
			}
			c.Message = fmt.Sprintf("%s has no effect: %s", c.Key, strings.TrimPrefix(f.reason, hiddenBy))
			a.add(c)
		default:
			a.value(f)
		}
	}
}

// printed is an entry for a sentence; the values of sensitive options are left out.
func (a *analysis) printed(e *conf.Entry) string {
	if option.Sensitive(e.Key) {
		return "the value of " + e.Key
	}
	return e.Key + ": " + e.Text
}

// becomes says what is written in the place of an entry.
func (f *fate) becomes() string {
	out := make([]string, len(f.settings))
	for i, s := range f.settings {
		value := s.value
		if s.own {
			value = f.entry.Text
		}
		if option.Sensitive(s.key) {
			value = "(the same value)"
		}
		out[i] = s.key + ": " + value
	}
	return "now " + strings.Join(out, ", ")
}

func list(names []string) string { return strings.Join(names, " and ") }

func (a *analysis) removed(f *fate, c Change) {
	c.Weight = Breaks
	c.Message = fmt.Sprintf("Flink %s does not read %s", a.To.Line(), c.Key)
	switch {
	case f.unread:
		c.Weight = Tidy
		c.Message += fmt.Sprintf(", and %s does not either", a.From.Line())
	case f.departure.Fixed != "" && strings.EqualFold(f.entry.Value, f.departure.Fixed):
		c.Weight = Tidy
		c.Message += fmt.Sprintf(" any more; %s is what holds", f.departure.Fixed)
	case !f.departure.Last.Known() && f.departure.Key == "":
		c.Message = fmt.Sprintf("%s: %s", c.Key, f.reason)
	default:
		c.Message += " any more"
	}
	switch {
	case len(f.settings) > 0:
		c.Message += "; " + f.becomes()
	case f.departure.Note != "":
		c.Message += "; " + f.departure.Note
	}
	if f.drop && len(f.departure.By) > 0 {
		c.Help = "set " + strings.Join(f.departure.By, " or ")
	}
	a.add(c)
}

// value reports a value that the old version takes and the new one refuses.
func (a *analysis) value(f *fate) {
	if f.entry.Placeholder {
		return
	}
	for _, k := range f.names() {
		m, ok := option.Lookup(k, a.To)
		if !ok || m.Option == nil || m.Via == option.ByPrefix {
			continue
		}
		if was, ok := option.Lookup(f.entry.Key, a.From); ok && was.Option != nil && was.Via != option.ByPrefix && a.Before.Conf.Parse(f.entry, was.Option) != nil {
			continue // refused before
		}
		e := *f.entry
		e.Key = k
		if err := a.After.Conf.Parse(&e, m.Option); err != nil {
			what := err.Error()
			if option.Sensitive(k) {
				what = "it cannot be parsed"
			}
			a.add(Change{Kind: Refused, Weight: Breaks, Key: f.entry.Key, Span: f.entry.ValueSpan, Message: fmt.Sprintf("Flink %s refuses the value of %s: %s", a.To.Line(), k, what), Help: "write it as " + form(m.Option)})
		}
	}
}

// form says in what form a value is written.
func form(o *option.Option) string {
	switch o.Kind {
	case option.Enum:
		return "one of " + strings.Join(o.Values, ", ")
	case option.Duration:
		return "a duration, such as 10 s"
	case option.Memory:
		return "a memory size, such as 64 mb"
	case option.Boolean:
		return "true or false"
	case option.List:
		return "a list, its elements separated by ;"
	case option.Map:
		return "a map, key:value separated by commas"
	}
	return "a number"
}

// prefixes reports options whose name is the beginning of another's.
func (a *analysis) prefixes() {
	// Files are rewritten as nested YAML by the official images and, in the standard dialect, by the clients of Kubernetes and YARN, from 1.19 on.
	if a.dialect != conf.YAML || a.To.Before(1, 19) {
		return
	}
	var now []string
	for i := range a.fates {
		now = append(now, a.fates[i].names()...)
	}
	for _, e := range a.Before.Conf.Entries() {
		longer := func(k string) bool { return strings.HasPrefix(k, e.Key+".") }
		others := a.Before.Conf.Prefixed(e.Key + ".")
		if len(others) == 0 {
			continue
		}
		stays := slices.Contains(now, e.Key) && slices.ContainsFunc(now, longer)
		c := Change{
			Kind: Prefix, Weight: Breaks, Key: e.Key, Span: e.KeySpan, Written: a.document != nil && !stays,
			Message: fmt.Sprintf("%s is an option and the beginning of %s: nested YAML cannot hold both", e.Key, others[0].Key),
			Help:    "the official images, native Kubernetes and YARN rewrite the file as nested YAML, and one of the two is lost or Flink does not start",
		}
		if m, ok := option.Lookup(e.Key, a.To); ok && m.Option != nil && m.Option.Key != e.Key {
			c.Help = "use " + m.Option.Key + ": " + c.Help
		}
		a.add(c)
	}
}
