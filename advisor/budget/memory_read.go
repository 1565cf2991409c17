package budget

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A memory walks through Flink's derivation of one process (ProcessMemoryUtils) in Flink's own order, so that the first refusal is
// Flink's. Unlike Flink it goes on after a refusal as far as the numbers at hand allow: a Part that is not Known makes what is
// computed from it unknown, without a further word.
type memory struct {
	conf    *conf.Effective
	version version.Version
	// prefix is "taskmanager.memory." or "jobmanager.memory."; process names the process in messages.
	prefix, process string
	// replaced are totals that legacy options or a what-if question put in the place of the configuration's; an unknown Part
	// without an origin stands for "not set".
	replaced map[string]Part
	refusals []Refusal
	// told are the keys that a refusal to read was given for: Flink would stop there, we say it once.
	told map[string]bool
}

func newMemory(in Input, prefix, process string) *memory {
	m := &memory{conf: in.Conf, version: in.Conf.Version, prefix: prefix, process: process,
		replaced: map[string]Part{}, told: map[string]bool{}}
	if !m.version.Known() {
		m.version = version.Newest()
	}
	return m
}

// Names of the parts.
const (
	processSize = "process size"
	flinkSize   = "Flink size"
)

// failed is the beginning of what Flink says for refusals that its memory utilities detect. The wrapper came with FLINK-20171.
func (m *memory) failed(text string) string {
	wrapped := m.version.AtLeastPatch(1, 11, 3)
	if m.process == "JobManager" {
		wrapped = wrapped && m.version.Before(2, 0)
	}
	if wrapped {
		return m.process + " memory configuration failed: " + text
	}
	return text
}

func (m *memory) refuse(r Refusal) { m.refusals = append(m.refusals, r) }

// contains is Flink's Configuration.contains.
func (m *memory) contains(key string) bool {
	if p, ok := m.replaced[key]; ok {
		return p.Origin == conf.Given
	}
	return m.conf.Memory(key).Set()
}

// size reads a size option. What Flink refuses to read is refused once (F2).
func (m *memory) size(name, key string) Part {
	if p, ok := m.replaced[key]; ok {
		p.Name = name
		return p
	}
	v := m.conf.Memory(key)
	p := Part{Name: name, Bytes: v.V, Known: v.Has, Origin: v.Origin(), By: Configured, From: v.From(), Span: v.Span(), Key: v.Key}
	if !v.Set() {
		p.By = DefaultSize
		// FLINK-16406: the catalogue knows minor lines only, and 1.10.1 raised this default.
		if p.Known && key == "taskmanager.memory.jvm-metaspace.size" && m.version.Major == 1 && m.version.Minor == 10 && m.version.Patch == 0 {
			p.Bytes, p.From = 96*quantity.MiB, "default of Flink 1.10.0"
		}
	}
	if v.Err != nil && !m.told[v.Key] {
		m.told[v.Key] = true
		m.refuse(Refusal{
			ID: "F2", Keys: []string{v.Key}, Spans: spans(p.Span),
			Message: fmt.Sprintf("%s cannot be read: %v", v.Key, v.Err),
			Flink:   m.failed("Cannot read memory size from config option '" + v.Key + "'."),
		})
	}
	return p
}

// unreadable refuses an option that Flink's typed look-up cannot parse (F14), once.
func (m *memory) unreadable(key string, span source.Span, text string, err error) {
	if m.told[key] {
		return
	}
	m.told[key] = true
	m.refuse(Refusal{
		ID: "F14", Keys: []string{key}, Spans: spans(span),
		Message: fmt.Sprintf("%s cannot be read: %v", key, err),
		Flink:   fmt.Sprintf("Could not parse value '%s' for key '%s'.", text, key),
	})
}

// number reads an option that is not a size; known is false for what is refused, absent or not filled in yet.
func number[T any](m *memory, v conf.Value[T]) (n T, known bool) {
	if v.Err != nil {
		text := ""
		if v.Entry != nil {
			text = v.Entry.Value
		}
		m.unreadable(v.Key, v.Span(), text, v.Err)
	}
	return v.V, v.Has
}

// A bounds is Flink's RangeFraction: a fraction with its minimum and maximum.
type bounds struct {
	min, max Part
	// f is the float32 fraction, widened; text is how it is printed, with its place when it is given.
	f     float64
	text  string
	key   string
	span  source.Span
	valid bool
}

// bounds reads the range option whose keys begin with prefix, in Flink's order, and refuses a range that makes no sense (F4).
func (m *memory) bounds(prefix string) bounds {
	b := bounds{
		min: m.size("minimum", prefix+".min"),
		max: m.size("maximum", prefix+".max"),
	}
	m.fraction(&b, prefix+".fraction")
	return b
}

// managedBounds is the fraction of managed memory, which has neither minimum nor maximum.
func (m *memory) managedBounds() bounds {
	b := bounds{min: Part{Known: true}, max: Part{Known: true, Bytes: quantity.MaxBytes}}
	m.fraction(&b, m.prefix+"managed.fraction")
	return b
}

func (m *memory) fraction(b *bounds, key string) {
	v := m.conf.Fraction(key)
	f, known := number(m, v)
	b.f, b.key, b.span = float64(f), v.Key, v.Span()
	b.text = strings.TrimSuffix(quantity.FormatFloat(f), ".0")
	if v.Set() {
		b.text += " (" + v.From() + ")"
	}
	sizes := b.min.Known && b.max.Known
	inverted := sizes && b.min.Bytes > b.max.Bytes
	outside := known && !(b.f >= 0 && b.f < 1)
	b.valid = sizes && known && !inverted && !outside
	if !inverted && !outside || m.told[key+" range"] {
		return
	}
	m.told[key+" range"] = true
	r := Refusal{ID: "F4", Flink: m.failed("Inconsistently configured Key: '" + v.Key + "'")}
	var problems []string
	if inverted {
		r.Keys, r.Spans = append(r.Keys, b.min.Key, b.max.Key), spans(b.min.Span, b.max.Span)
		r.Terms = append(r.Terms, b.min.term(b.min.Key), b.max.term(b.max.Key))
		problems = append(problems, fmt.Sprintf("%s (%s) is above %s (%s)", b.min.Key, b.min.Bytes.Pretty(), b.max.Key, b.max.Bytes.Pretty()))
	}
	if outside {
		r.Keys, r.Spans = append(r.Keys, v.Key), append(r.Spans, spans(v.Span())...)
		r.Terms = append(r.Terms, Term{Name: v.Key, Value: b.f, Unit: Fraction, Origin: v.Origin(), From: v.From(), Span: v.Span()})
		problems = append(problems, fmt.Sprintf("%s is %s; a fraction must be at least 0 and below 1", v.Key, strings.TrimSuffix(quantity.FormatFloat(f), ".0")))
	}
	r.Message = strings.Join(problems, ", and ")
	m.refuse(r)
}

// share is RangeFraction's withFraction (of base) or, where base is what the other parts come to, withInverseFraction.
func (m *memory) share(name string, base Part, b bounds, inverse bool, of string) Part {
	p := Part{Name: name, By: Share, From: b.text + " of " + of, Span: b.span, Key: b.key}
	if !base.Known || !b.valid {
		return p
	}
	f := b.f
	if inverse {
		f = b.f / (1 - b.f)
	}
	relative, err := base.Bytes.Multiply(f)
	if err != nil {
		m.overflow(name, b.key, b.span)
		return p
	}
	p.Bytes, p.Known = relative, true
	switch {
	case relative > b.max.Bytes:
		p.Bytes, p.Clamp, p.ClampKey, p.ClampFrom = b.max.Bytes, "max", b.max.Key, b.max.From
	case relative < b.min.Bytes:
		p.Bytes, p.Clamp, p.ClampKey, p.ClampFrom = b.min.Bytes, "min", b.min.Key, b.min.From
	}
	return p
}

// overflow refuses a size that Flink's arithmetic cannot hold (F15), once: what follows from it is too large as well.
func (m *memory) overflow(name, key string, place source.Span) {
	if m.told["overflow"] {
		return
	}
	m.told["overflow"] = true
	m.refuse(Refusal{
		ID: "F15", Keys: []string{key}, Spans: spans(place),
		Message: fmt.Sprintf("%s comes to more than 2^63-1 bytes", name),
		Flink:   "long overflow",
	})
}

// add sums parts. The sum is known when all parts are; atLeast is the sum of those that are known.
func (m *memory) add(name string, parts ...Part) (sum Part, atLeast quantity.Bytes) {
	sum = Part{Name: name, By: Sum, Known: true, From: "sum of its parts"}
	for _, p := range parts {
		if !p.Known {
			sum.Known = false
			continue
		}
		next, err := atLeast.Add(p.Bytes)
		if errors.Is(err, quantity.ErrOverflow) {
			m.overflow("the sum of "+join(parts), p.Key, p.Span)
			return Part{Name: name}, math.MaxInt64
		}
		atLeast = next
	}
	sum.Bytes = atLeast
	return sum, atLeast
}

// remainder is what parts leave of total; the caller has made sure that they fit.
func remainder(name, key string, total Part, used Part) Part {
	p := Part{Name: name, By: Remainder, Key: key, From: "what is left of " + total.Name}
	if total.Known && used.Known && used.Bytes <= total.Bytes {
		p.Bytes, p.Known = total.Bytes-used.Bytes, true
	}
	return p
}

// term is the part as a term of a sum.
func (p Part) term(name string) Term {
	return Term{Name: name, Value: float64(p.Bytes), Unit: Bytes, Origin: p.Origin, From: p.How(), Span: p.Span}
}

// terms are the parts that are known, as terms.
func terms(parts ...Part) []Term {
	var out []Term
	for _, p := range parts {
		if p.Known {
			out = append(out, p.term(p.Name))
		}
	}
	return out
}

// given are the options among parts that are set, and where.
func given(parts ...Part) (keys []string, places []source.Span) {
	for _, p := range parts {
		if p.Origin == conf.Given || p.Span.Valid() {
			keys = append(keys, p.Key)
			places = append(places, spans(p.Span)...)
		}
	}
	return keys, places
}

// spans drops what has no place.
func spans(all ...source.Span) []source.Span {
	var out []source.Span
	for _, s := range all {
		if s.Valid() {
			out = append(out, s)
		}
	}
	return out
}

// join lists the parts that have a size: "framework heap 128 MiB, task heap 1 GiB and managed memory 2 GiB".
func join(parts []Part) string {
	var known []string
	for _, p := range parts {
		if p.Known && p.Bytes > 0 {
			known = append(known, p.Name+" "+p.Bytes.Pretty())
		}
	}
	if n := len(known); n > 1 {
		return strings.Join(known[:n-1], ", ") + " and " + known[n-1]
	}
	return strings.Join(known, "")
}
