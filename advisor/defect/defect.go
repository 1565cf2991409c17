// Package defect holds the known defects of Flink, of its Kubernetes operator and of its Kafka connector: which releases have them,
// under which configuration they are met, which release mends them and what helps until then.
//
// The data is one text, defects.txt. A defect is data alone: no entry has code of its own. That a release is affected and a condition holds
// means that the defect may be met, never that it was.
package defect

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Product is what has the defect; releases are those of the product.
type Product int

// The products.
const (
	Flink Product = iota
	Operator
	KafkaConnector
)

var productNames = []string{Flink: "flink", Operator: "operator", KafkaConnector: "kafka-connector"}

// String is the product's name in the data and in JSON.
func (p Product) String() string { return productNames[p] }

// A Severity is how bad it is to meet the defect.
type Severity int

// Severities, worst first.
const (
	// Critical: data is lost or corrupted, the job cannot be restored, or a hole is exploited.
	Critical Severity = iota
	// High: the job or a process is down, hangs or leaks until it dies.
	High
	// Medium: worse service, or a setting without effect.
	Medium
	// Low: a nuisance.
	Low
)

var severityNames = []string{Critical: "critical", High: "high", Medium: "medium", Low: "low"}

// String is the severity's name in the data and in JSON.
func (s Severity) String() string { return severityNames[s] }

// A Certainty is how sure the range of affected releases is.
type Certainty int

// Certainties, surest first.
const (
	// Seen: both ends were seen in source, tags or announcements.
	Seen Certainty = iota
	// Inferred: the mending release was seen; the first affected one is inferred, for instance from the release that brought the feature.
	Inferred
)

var certaintyNames = []string{Seen: "seen", Inferred: "inferred"}

// String is the certainty's name in the data and in JSON.
func (c Certainty) String() string { return certaintyNames[c] }

// Areas are the legal values of Defect.Area, in the order in which the data lists them.
var Areas = []string{
	"unaligned", "network", "debloating", "shuffle", "checkpoint", "rocksdb", "state", "changelog", "file-merging", "forst",
	"high-availability", "scheduler", "deployment", "memory", "file-system", "watermark", "sink", "kafka", "sql", "python", "security",
	"rest", "configuration", "operator",
}

// Impacts are the legal values of Defect.Impact: what the user meets, as findings name it.
var Impacts = []string{"wont-start", "data-loss", "will-fail", "no-effect", "unstable", "slow", "wasteful", "hygiene"}

// A Defect is one entry of the data.
type Defect struct {
	// ID is the issue in Flink's tracker, a CVE, or another project's issue; one id has several entries where it hit several products.
	ID      string
	Product Product
	Area    string
	// Introduced and Fixed are the first releases of each line with and without the defect; see reached.
	Introduced, Fixed []version.Version
	// Summary says what happens to the user. Like Workaround and Price it is part of a message: lower case, no full stop.
	Summary  string
	Severity Severity
	Impact   string
	// Certainty is that of the range of releases.
	Certainty Certainty
	// When is the condition as written.
	When string
	// Workaround helps without another release, in words; "" where nothing is known. Price is what it costs. Edits are the part of it that
	// can be done in the configuration.
	Workaround, Price string
	Edits             []Edit
	// Signatures are the traces in a log; any one of them is enough.
	Signatures []Signature
	// Sources are where this was read: commits of apache/flink, release announcements, notes.
	Sources string
	// Note is what else there is to know, or "".
	Note string

	condition func() (expr, error)
}

// An Edit changes one key of the configuration.
type Edit struct {
	// Key is the key by today's name; versions that call it otherwise take their own.
	Key string
	// Value is the new value; Unset removes the key instead.
	Value string
	Unset bool
}

// A Signature is a trace of a defect in a log: a message, frames of a stack, or a message above such frames. What is there must match.
type Signature struct {
	// Message is text of a log line or of an exception's first line; "*" stands for any text in between.
	Message string
	// Frames are neighbouring frames, the called one first, as Class.method, or Class alone for any of its methods. The class has no
	// package; nested classes are written Outer$Inner.
	Frames []string
}

// Kind is "message", "frames", or "both" for a message above frames.
func (s Signature) Kind() string {
	switch {
	case len(s.Frames) == 0:
		return "message"
	case s.Message == "":
		return "frames"
	}
	return "both"
}

// All lists every defect in the order of the data: by area, the worse first. Callers must not change them.
//
// The text is decoded on the first call. A fault in it is a fault of this package, which its tests exclude; All is then empty.
func All() []*Defect { return load().defects }

// ByID lists the entries with this id: one for each product that the defect hit.
func ByID(id string) []*Defect {
	var out []*Defect
	for _, d := range All() {
		if strings.EqualFold(d.ID, id) {
			out = append(out, d)
		}
	}
	return out
}

var load = sync.OnceValue(func() catalog {
	c, err := decode(defectsText)
	if err != nil {
		return catalog{macros: func() (map[string]expr, error) { return nil, err }}
	}
	return c
})

// Eval evaluates the condition, whatever the release.
func (d *Defect) Eval(c *Context) Verdict {
	return d.eval(&scope{Context: c})
}

func (d *Defect) eval(s *scope) Verdict {
	x, err := d.condition()
	if err != nil {
		return Verdict{}
	}
	return x.eval(s)
}

// Condition is the condition for people: names of conditions are replaced by their words. It is "" where every job can meet the defect.
func (d *Defect) Condition() string {
	if d.ByVersionAlone() {
		return ""
	}
	words := load().words
	var b strings.Builder
	p := &parser{text: d.When}
	last, literal := 0, false
	for p.next(); p.token != ""; p.next() {
		// A constant such as BATCH may be spelt like a name.
		w, named := words[p.token]
		if named && !literal {
			b.WriteString(d.When[last:p.at-len(p.token)] + w)
			last = p.at
		}
		literal = strings.IndexByte("=!<>[,", p.token[0]) >= 0
	}
	b.WriteString(d.When[last:])
	return strings.ReplaceAll(b.String(), `"`, "")
}

// ByVersionAlone tells whether every job and configuration of an affected release can meet the defect.
func (d *Defect) ByVersionAlone() bool { return d.When == "always" }

// Decidable tells whether options and facts can show that the condition holds. Where they cannot, a circumstance that only the owner of the
// job knows is left.
func (d *Defect) Decidable() bool {
	x, err := d.condition()
	return err == nil && can(x, True)
}

// can tells whether x can take the value v while circumstances stay unknown.
func can(x expr, v Truth) bool {
	switch x := x.(type) {
	case always:
		return v == True
	case circumstance:
		return false
	case negation:
		return can(x.x, True-v)
	case conjunction:
		return canCombine(x, v, True)
	case disjunction:
		return canCombine(x, v, False)
	case some:
		return can(x.x, v)
	}
	return true
}

// canCombine: a conjunction is true when all parts are and false when one is; a disjunction the other way round.
func canCombine(parts []expr, v, needsAll Truth) bool {
	able := func(x expr) bool { return can(x, v) }
	if v == needsAll {
		return !slices.ContainsFunc(parts, func(x expr) bool { return !able(x) })
	}
	return slices.ContainsFunc(parts, able)
}

// A Hit is a defect of the release at hand whose condition is not known to be false.
type Hit struct {
	*Defect
	// Affected is Yes, or Some where the patch level is not known and not all releases of the line have the defect.
	Affected Affected
	Verdict  Verdict
}

// Find lists the defects that can be met: those of the releases in c whose condition is true or unknown. The order is severity, then what
// holds before what is unknown, sure releases before possible ones, sure ranges before inferred ones, then that of the data.
func Find(c *Context) []Hit {
	var hits []Hit
	s := &scope{Context: c, read: map[string]value{}}
	for _, d := range All() {
		affected := d.Affects(c.releaseOf(d.Product))
		if affected == No {
			continue
		}
		if v := d.eval(s); v.Truth != False {
			hits = append(hits, Hit{d, affected, v})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(
			cmp.Compare(a.Severity, b.Severity), cmp.Compare(b.Verdict.Truth, a.Verdict.Truth),
			cmp.Compare(b.Affected, a.Affected), cmp.Compare(a.Certainty, b.Certainty),
		)
	})
	return hits
}
