// Package advisor is the engine: a Target that knows everything about one configuration, Rules that look at it, Findings, their ranking,
// and the plan that their edits make together.
package advisor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// A Severity says what a gate should make of a finding. The zero Severity means the rule's own.
type Severity int

// Severities, from low to high.
const (
	Advice Severity = iota + 1
	Warning
	Error
)

var severityNames = []string{"", "advice", "warning", "error"}

// String is the name on the command line and in reports.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads a severity's name.
func ParseSeverity(name string) (Severity, error) { return parseName[Severity](name, severityNames) }

// An Impact says what happens to the user who does nothing. The zero Impact means the rule's own.
type Impact int

// Impacts in rank order, the worst first.
const (
	WontStart Impact = iota + 1
	DataLoss
	WillFail
	NoEffect
	Unstable
	Slow
	Wasteful
	Hygiene
)

var impactNames = []string{"", "wont-start", "data-loss", "will-fail", "no-effect", "unstable", "slow", "wasteful", "hygiene"}

// String is the name in reports.
func (i Impact) String() string { return impactNames[i] }

// A Confidence says how sure a finding is. The zero Confidence means the rule's own.
type Confidence int

// Confidences, the surest first.
const (
	Certain Confidence = iota + 1
	Likely
	Possible
)

var confidenceNames = []string{"", "certain", "likely", "possible"}

// String is the name on the command line and in reports.
func (c Confidence) String() string { return confidenceNames[c] }

// ParseConfidence reads a confidence's name.
func ParseConfidence(name string) (Confidence, error) {
	return parseName[Confidence](name, confidenceNames)
}

func parseName[T ~int](name string, names []string) (T, error) {
	for i, n := range names {
		if i > 0 && n == name {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("%q is not one of %s", name, strings.Join(names[1:], ", "))
}

// A Label points at source, with a few words.
type Label struct {
	Span source.Span
	// Key is the option that stands there.
	Key  string
	Text string
}

// An Edit is one change of a configuration. Rules name an option and its new value (Set, Unset); Resolve finds the place. Faults of
// syntax replace a span as it is.
type Edit struct {
	Key string
	// Old is the value replaced, "" when the option is added.
	Old string
	// New is the new value, or the new text of Span for an edit without key.
	New    string
	Remove bool
	// Safe edits keep what the running job does today; others change behaviour or need a decision.
	Safe bool
	// Span is what is replaced: a value, whole lines for a removal, an empty span for an insertion. Without place the edit cannot be made in a file. A rule
	// gives it for text that is no option's value, and for a removal that means one entry of several: then it is the entry's value.
	Span source.Span
	// text is what goes there.
	text string
}

// Set is the edit that gives key the value; the caller says whether it is safe.
func Set(key, value string, safe bool) Edit { return Edit{Key: key, New: value, Safe: safe} }

// Unset is the edit that removes key.
func Unset(key string, safe bool) Edit { return Edit{Key: key, Remove: true, Safe: safe} }

// A Finding is what one rule says about one target.
type Finding struct {
	// Rule is set by Run.
	Rule *Rule
	// Target is the target's name; set by Run.
	Target     string
	Severity   Severity
	Impact     Impact
	Confidence Confidence
	// Subject tells findings of one rule about one place apart, such as the id of a defect; most rules leave it empty.
	Subject string
	// Message stands alone: lower case, no full stop, numbers with units.
	Message string
	// Labels point at source; the first is the primary one.
	Labels []Label
	// Terms are the numbers behind the message, each with its origin.
	Terms []budget.Term
	// Notes are facts; Help is what to do, in the imperative.
	Notes []string
	Help  string
	Edits []Edit
	// Beyond is how far past the limit the matter is, as a ratio above 1; 0 where there is no limit. Saves is what the advice saves,
	// in bytes or seconds. Both only rank findings of the same weight.
	Beyond, Saves float64
	// CausedBy names rules whose finding explains this one: if one of them fired at the same severity or above, this one is folded under it.
	CausedBy []string

	// FollowOns are findings that this one explains; set by Run.
	FollowOns []*Finding
	// Rank counts from 1 over a whole report; set by Rank.
	Rank int
	// Suppressed says why the finding does not count; nil when it does.
	Suppressed *Suppression
}

// A Suppression is the reason for which a finding does not count.
type Suppression struct {
	// Kind is inline, settings or baseline.
	Kind   string
	Reason string
	Span   source.Span
}

// Primary is the first label, or the zero Label.
func (f *Finding) Primary() Label {
	if len(f.Labels) == 0 {
		return Label{}
	}
	return f.Labels[0]
}

// Fingerprint identifies the finding across line changes: rule, file, option, the value as written and the subject. The value of a sensitive option takes no part: a
// short secret could be guessed back from its hash.
func (f *Finding) Fingerprint() string {
	p := f.Primary()
	value := p.Span.Text()
	if option.Sensitive(p.Key) {
		value = ""
	}
	parts := []string{f.Rule.ID, p.Span.Path(), p.Key, value}
	if f.Subject != "" {
		parts = append(parts, f.Subject)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
