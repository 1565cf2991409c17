package advisor

import (
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Target is one configuration with all that is known about it. Rules read it and never change it.
type Target struct {
	// Name is the input as the user named it.
	Name string
	// Documents are the texts that the configuration came from, in layer order.
	Documents []*conf.Document
	Conf      *conf.Effective
	// Job is never nil.
	Job *job.Facts
	// Version is the Flink version that everything was computed for. VersionFrom says where it is from; when nothing names one it is
	// the newest known line and VersionAssumed is true.
	Version        version.Version
	VersionFrom    string
	VersionAssumed bool
	Deployment     budget.Deployment
	// AllowKeys are prefixes of keys that are the project's own; Thresholds are what the project set of rules' thresholds.
	AllowKeys  []string
	Thresholds Thresholds
	// Carried is what carried the configuration: never nil, a file of its own where nothing else is known.
	Carried *carrier.Carried
	*budget.Budgets
}

// TargetInput is what a Target is made of.
type TargetInput struct {
	Name      string
	Documents []*conf.Document
	// Layers are merged over each other; usually one per document, then what a manifest says, then --set.
	Layers []conf.Layer
	Job    *job.Facts
	// Version may be unknown: the newest line is assumed then.
	Version     version.Version
	VersionFrom string
	Deployment  budget.Deployment
	AllowKeys   []string
	Thresholds  Thresholds
	// Carried may be nil: a file of its own.
	Carried *carrier.Carried
}

// Partial tells that the configuration is known to be a part only, or that a template fills in more: what it lacks may well be set elsewhere.
func (t *Target) Partial() bool { return t.Carried.Fragment || t.Carried.Templated }

// NewTarget merges the layers and computes all budgets.
func NewTarget(in TargetInput) (*Target, error) {
	t := &Target{
		Name: in.Name, Documents: in.Documents, Job: in.Job,
		Version: in.Version, VersionFrom: in.VersionFrom, Deployment: in.Deployment, Carried: in.Carried, AllowKeys: in.AllowKeys, Thresholds: in.Thresholds,
	}
	if t.Carried == nil {
		t.Carried = &carrier.Carried{Kind: carrier.File, Facts: job.Default()}
	}
	if t.Job == nil {
		t.Job = &job.Facts{}
	}
	if !t.Version.Known() {
		t.Version, t.VersionFrom = assumeVersion(in.Documents)
		t.VersionAssumed = true
	}
	var err error
	if t.Conf, err = conf.Merge(t.Version, in.Layers...); err != nil {
		return nil, err
	}
	t.Budgets = budget.Compute(t.BudgetInput())
	return t, nil
}

// BudgetInput is what the target's budgets were computed from, for rules that ask what another size would give.
func (t *Target) BudgetInput() budget.Input {
	return budget.Input{Conf: t.Conf, Job: t.Job, Deployment: t.Deployment}
}

// lastFlat is the newest Flink that reads flink-conf.yaml.
var lastFlat = version.Of(1, 20)

// assumeVersion is the newest line that would read the documents.
func assumeVersion(docs []*conf.Document) (version.Version, string) {
	for _, d := range docs {
		if d.Dialect == conf.Flat {
			return lastFlat, "assumed: the newest that reads flink-conf.yaml; --flink-version or `flink:` in the job file says better"
		}
	}
	return version.Newest(), "assumed: the newest that flinkadvise knows; --flink-version or `flink:` in the job file says better"
}

// Allows tells whether a key is the project's own.
func (t *Target) Allows(key string) bool {
	return slices.ContainsFunc(t.AllowKeys, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// Label marks where an option is set, under whichever of its names. An option that is not set has no place of its own: Anchor
// finds the place that creates the need.
func (t *Target) Label(key, text string) (Label, bool) {
	v := t.Conf.String(key)
	if !v.Set() {
		if e := t.Conf.Entry(key); e != nil && e.ValueSpan.Valid() {
			return Label{Span: e.ValueSpan, Key: e.Key, Text: text}, true
		}
		return Label{Key: v.Key, Text: text}, false
	}
	return Label{Span: v.Span(), Key: v.Entry.Key, Text: text}, v.Span().Valid()
}

// Skipped tells that a line which means the option stands in a document and Flink does not read it: what the option's absence would tell is not to be
// relied on, since whoever mends the line brings it back.
func (t *Target) Skipped(key string) bool {
	return slices.ContainsFunc(t.Documents, func(d *conf.Document) bool {
		return slices.ContainsFunc(d.Faults, func(f conf.Fault) bool {
			return (f.Kind == conf.FaultNoSeparator || f.Kind == conf.FaultEmptyValue) && f.Key != "" && t.Conf.Name(f.Key) == t.Conf.Name(key)
		})
	})
}

// Labels marks those of the options that are set in a file, the first of them being the primary label. Pairs are key, text, key, text …
func (t *Target) Labels(pairs ...string) []Label {
	var out []Label
	for i := 0; i+1 < len(pairs); i += 2 {
		if l, ok := t.Label(pairs[i], pairs[i+1]); ok {
			out = append(out, l)
		}
	}
	return out
}

// FactLabel marks where a job fact was given.
func FactLabel[T any](f job.Fact[T], path, text string) (Label, bool) {
	return Label{Span: f.Span, Key: path, Text: text}, f.Known && f.Span.Valid()
}

// Anchor marks the first of the options that is set in a file, or else the head of the first document: for findings about something that is
// not there.
func (t *Target) Anchor(text string, keys ...string) Label {
	for _, k := range keys {
		if l, ok := t.Label(k, text); ok {
			return l
		}
	}
	return Label{Span: t.head(), Text: text}
}

// head is the first entry's key, or the beginning of the first document.
func (t *Target) head() source.Span {
	for _, d := range t.Documents {
		if len(d.Entries) > 0 {
			return d.Entries[0].KeySpan
		}
	}
	if len(t.Documents) > 0 {
		return t.Documents[0].View.Span(0, 0)
	}
	return t.Carried.Span
}
