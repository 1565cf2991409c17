package defect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Truth is the value of a condition.
type Truth int

// The three values.
const (
	False Truth = iota
	Unknown
	True
)

// String is the value's name.
func (t Truth) String() string { return [...]string{"false", "unknown", "true"}[t] }

// A Context is what conditions are evaluated over. Conf and Job may be nil.
type Context struct {
	// Flink, Operator and KafkaConnector are the releases at hand; the zero Version is unknown and matches no defect.
	Flink, Operator, KafkaConnector version.Version
	// From is the release that the state or the checkpoint comes from, where an upgrade is looked at.
	From version.Version
	Conf *conf.Effective
	Job  *job.Facts
}

// A Reason is one option or fact that decided a condition.
type Reason struct {
	// Name is the option's key in this version, or the fact's path in job.yaml.
	Name string
	// Value is the value as read.
	Value string
	// From names the origin: "flink-conf.yaml:12", "default of Flink 1.13", "job.yaml:3". Span is its place, if it has one.
	From string
	Span source.Span
	// Entry is the configuration entry; nil for facts and defaults.
	Entry *conf.Entry
	// Default tells that the value is Flink's own, because nothing sets the option.
	Default bool
}

// A Verdict is the result of a condition.
type Verdict struct {
	Truth Truth
	// Facts are the facts that would decide an unknown condition, sorted: paths in job.yaml, "upgrade.from", and keys whose value is
	// still a placeholder.
	Facts []string
	// Circumstances are what would decide it besides, in words, in the order of the condition.
	Circumstances []string
	// Reasons are the options and facts that speak for the condition (against it, when it is false).
	Reasons []Reason
}

// scope is what names mean at a place of a condition.
type scope struct {
	*Context
	// read holds the options that were looked up: conditions ask for the same few again and again.
	read map[string]value
	// fields are the fields of the element that a predicate looks at; nil outside of predicates.
	fields map[string]value
}

// A value is what a name stands for: an operand, unless it is unknown or absent.
type value struct {
	operand operand
	state   state
	reason  Reason
	// missing names what would make it known.
	missing string
	kind    option.Kind
}

type state int

const (
	absent state = iota
	unknown
	known
)

// An operand is one side of a comparison: a number in its base unit (bytes, seconds), or text.
type operand struct {
	text    string
	number  float64
	numeric bool
}

func (always) eval(*scope) Verdict { return Verdict{Truth: True} }

func (c circumstance) eval(*scope) Verdict {
	return Verdict{Truth: Unknown, Circumstances: []string{string(c)}}
}

func (n negation) eval(s *scope) Verdict {
	v := n.x.eval(s)
	v.Truth = True - v.Truth
	return v
}

func (c conjunction) eval(s *scope) Verdict { return combine(c, s, False) }

func (d disjunction) eval(s *scope) Verdict { return combine(d, s, True) }

// combine joins parts of which one with the value decisive settles the matter: false in a conjunction, true in a disjunction.
func combine(parts []expr, s *scope, decisive Truth) Verdict {
	out := Verdict{Truth: True - decisive}
	for _, x := range parts {
		v := x.eval(s)
		if v.Truth == decisive {
			return v
		}
		if decisive == True && v.Truth == Unknown && out.Truth == False {
			// What failed explains nothing while another part may hold.
			out.Reasons = nil
		}
		if decisive == True && v.Truth == False && out.Truth == Unknown {
			continue
		}
		if v.Truth == Unknown {
			out.Truth = Unknown
		}
		out.Facts = append(out.Facts, v.Facts...)
		out.Circumstances = append(out.Circumstances, v.Circumstances...)
		out.Reasons = append(out.Reasons, v.Reasons...)
	}
	slices.Sort(out.Facts)
	out.Facts = slices.Compact(out.Facts)
	return out
}

func (p presence) eval(s *scope) Verdict {
	if s.Conf == nil {
		return Verdict{}
	}
	var reasons []Reason
	add := func(e *conf.Entry) {
		if p.how == "bare" && !isBare(e) || p.how == "quoted" && !isQuoted(e) {
			return
		}
		reasons = append(reasons, reasonOf(e, e.Key))
	}
	if strings.Contains(p.pattern, "*") {
		for _, e := range s.Conf.Prefixed(p.pattern[:strings.IndexByte(p.pattern, '*')]) {
			if matches(p.pattern, e.Key) {
				add(e)
			}
		}
	} else if v := s.Conf.String(p.pattern); v.Set() {
		add(v.Entry)
	} else if e := s.Conf.Entry(p.pattern); e != nil {
		// Keys that the catalogue does not have in this version, such as those of other tools in the same file.
		add(e)
	}
	if len(reasons) == 0 {
		return Verdict{}
	}
	return Verdict{Truth: True, Reasons: reasons}
}

// isBare tells whether YAML made the value a number or a boolean; the flat dialect knows text alone.
func isBare(e *conf.Entry) bool {
	switch e.Kind {
	case conf.Int, conf.BigInt, conf.Double, conf.Bool:
		return true
	}
	return false
}

func isQuoted(e *conf.Entry) bool {
	return len(e.Raw) > 1 && (e.Raw[0] == '"' || e.Raw[0] == '\'') && e.Raw[len(e.Raw)-1] == e.Raw[0]
}

// matches tells whether a key follows a pattern, segment by segment. What both begin with is compared at once: nearly all keys differ there, and each is held
// against hundreds of patterns.
func matches(pattern, key string) bool {
	i := 0
	for i < len(pattern) && i < len(key) && pattern[i] == key[i] && pattern[i] != '*' {
		i++
	}
	if i == len(pattern) || pattern[i] != '*' {
		return i == len(pattern) && i == len(key)
	}
	segment := strings.LastIndexByte(pattern[:i], '.') + 1
	return matchesFrom(pattern[segment:], key[segment:])
}

func matchesFrom(pattern, key string) bool {
	for {
		p, restP, moreP := strings.Cut(pattern, ".")
		if p == "**" {
			return key != ""
		}
		k, restK, moreK := strings.Cut(key, ".")
		if p != k && (p != "*" || k == "") || moreP != moreK {
			return false
		}
		if !moreP {
			return true
		}
		pattern, key = restP, restK
	}
}

func (c comparison) eval(s *scope) Verdict {
	v := s.lookup(c.name)
	switch v.state {
	case absent:
		return Verdict{Truth: truthOf(c.operator == "!=")}
	case unknown:
		return Verdict{Truth: Unknown, Facts: []string{v.missing}}
	}
	holds := false
	for _, text := range c.literals {
		literal, err := operandOf(text, v.kind)
		if err == nil && compare(v.operand, c.operator, literal) {
			holds = true
		}
	}
	return Verdict{Truth: truthOf(holds), Reasons: []Reason{v.reason}}
}

func truthOf(b bool) Truth {
	if b {
		return True
	}
	return False
}

func compare(a operand, operator string, b operand) bool {
	switch operator {
	case "startsWith":
		return len(a.text) >= len(b.text) && strings.EqualFold(a.text[:len(b.text)], b.text)
	case "==", "in":
		return equal(a, b)
	case "!=":
		return !equal(a, b)
	}
	if !a.numeric || !b.numeric {
		return false
	}
	switch c := cmp.Compare(a.number, b.number); operator {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	default:
		return c >= 0
	}
}

func equal(a, b operand) bool {
	if a.numeric && b.numeric {
		return a.number == b.number
	}
	return strings.EqualFold(a.text, b.text)
}

// releaseKind is the kind of facts that name a release, next to those of options.
const releaseKind option.Kind = -1

// operandOf reads a literal as a value of the kind. Durations are read as the newest Flink reads them.
func operandOf(text string, kind option.Kind) (operand, error) {
	switch kind {
	case option.Boolean:
		b, err := quantity.ParseBool(text)
		return operand{text: strconv.FormatBool(b)}, err
	case option.Int, option.Long, option.Float, option.Double:
		n, err := strconv.ParseFloat(text, 64)
		return operand{text: text, number: n, numeric: true}, err
	case option.Memory:
		b, err := quantity.ParseBytes(text)
		return operand{text: text, number: float64(b), numeric: true}, err
	case option.Duration:
		d, err := quantity.ParseDuration(text, version.Newest())
		return operand{text: text, number: d.Seconds(), numeric: true}, err
	case releaseKind:
		v, err := version.Parse(text)
		return releaseOperand(v), err
	}
	return operand{text: text}, nil
}

// releaseOperand orders releases as numbers: no part of a Flink version reaches ten thousand.
func releaseOperand(v version.Version) operand {
	const base = 10_000
	return operand{text: v.String(), number: float64((v.Major*base+v.Minor)*base + max(v.Patch, 0)), numeric: true}
}

// lookup finds what a name stands for: a field of the element at hand, a fact, or else an option.
func (s *scope) lookup(name string) value {
	if s.fields != nil {
		return s.fields[name]
	}
	for i := range factList {
		if f := &factList[i]; f.name == name {
			return f.read(s.Context)
		}
	}
	v, ok := s.read[name]
	if !ok {
		v = s.option(name)
		if s.read != nil {
			s.read[name] = v
		}
	}
	return v
}

func (s *scope) option(key string) value {
	if s.Conf == nil {
		return value{}
	}
	o, ok := s.Conf.Option(key)
	if !ok {
		return value{}
	}
	v := value{kind: o.Kind}
	switch o.Kind {
	case option.Boolean:
		r := s.Conf.Bool(key)
		v.fill(operand{text: strconv.FormatBool(r.V)}, r.Has, r.Entry, r.Key, r.From())
	case option.Int:
		r := s.Conf.Int(key)
		v.fill(operand{number: float64(r.V), numeric: true, text: strconv.Itoa(int(r.V))}, r.Has, r.Entry, r.Key, r.From())
	case option.Long:
		r := s.Conf.Long(key)
		v.fill(operand{number: float64(r.V), numeric: true, text: strconv.FormatInt(r.V, 10)}, r.Has, r.Entry, r.Key, r.From())
	case option.Float, option.Double:
		r := s.Conf.Double(key)
		v.fill(operand{number: r.V, numeric: true, text: quantity.FormatDouble(r.V)}, r.Has, r.Entry, r.Key, r.From())
	case option.Memory:
		r := s.Conf.Memory(key)
		v.fill(operand{number: float64(r.V), numeric: true, text: r.V.String()}, r.Has, r.Entry, r.Key, r.From())
	case option.Duration:
		r := s.Conf.Duration(key)
		v.fill(operand{number: r.V.Seconds(), numeric: true, text: r.V.Pretty()}, r.Has, r.Entry, r.Key, r.From())
	case option.Enum:
		r := s.Conf.Enum(key)
		v.fill(operand{text: r.V}, r.Has, r.Entry, r.Key, r.From())
	default:
		r := s.Conf.String(key)
		v.fill(operand{text: r.V}, r.Has, r.Entry, r.Key, r.From())
	}
	return v
}

// fill makes v the value of an option that was read.
func (v *value) fill(o operand, has bool, entry *conf.Entry, key, from string) {
	switch {
	case has:
		v.state, v.operand = known, o
		v.reason = Reason{Name: key, Value: o.text, From: from, Entry: entry, Default: entry == nil}
		if entry != nil {
			v.reason = reasonOf(entry, key)
		}
	case entry != nil && entry.Placeholder:
		v.state, v.missing = unknown, key
	}
}

func reasonOf(e *conf.Entry, key string) Reason {
	return Reason{Name: key, Value: e.Text, From: e.From(), Span: e.ValueSpan, Entry: e}
}

func (q some) eval(s *scope) Verdict {
	for i := range collectionList {
		if c := &collectionList[i]; c.name == q.collection {
			return q.over(s, c)
		}
	}
	return Verdict{}
}

func (q some) over(s *scope, c *collection) Verdict {
	var elements []map[string]value
	if s.Job != nil {
		elements = c.elements(s.Job)
	}
	if len(elements) == 0 {
		// Every job has sources and sinks: a list without any was not written down, it is not empty.
		return Verdict{Truth: Unknown, Facts: []string{c.path}}
	}
	var out Verdict
	for _, fields := range elements {
		v := q.x.eval(&scope{Context: s.Context, fields: fields})
		if v.Truth > out.Truth || v.Truth == False && out.Truth == False {
			out = v
		}
		if out.Truth == True {
			break
		}
	}
	return out
}
