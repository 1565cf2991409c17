package kubernetes

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed overridden-option.md
var overriddenOptionDoc string

// OverriddenOption finds options that the resource's own fields go over.
var OverriddenOption = &advisor.Rule{
	ID:         "kubernetes/overridden-option",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Reads:      []string{keyTarget, keyShutdown, keyJars},
	Doc:        overriddenOptionDoc,
	Check:      overriddenOption,
}

func overriddenOption(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil {
		return
	}
	for _, o := range t.Conf.Overridden() {
		if !strings.HasPrefix(o.By.Layer, "spec.") || !o.Entry.ValueSpan.Valid() || o.Entry.Placeholder || o.By.Placeholder || same(o.Entry.Value, o.By.Value) {
			continue
		}
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("%s has no effect: %s goes over it", o.Entry.Key, o.By.Layer),
			Labels:  []advisor.Label{{Span: o.Entry.ValueSpan, Key: o.Entry.Key, Text: "not read"}, {Span: o.By.ValueSpan, Key: o.By.Layer, Text: "this one counts"}},
			Help:    "remove it from flinkConfiguration, or change " + o.By.Layer,
			Edits:   []advisor.Edit{{Key: o.Entry.Key, Remove: true, Safe: true, Span: o.Entry.ValueSpan}},
		})
	}
	for _, f := range forced(m) {
		e := t.Conf.Entry(f.key)
		if e == nil || e.Placeholder || !e.ValueSpan.Valid() || same(e.Value, f.value) {
			continue
		}
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("%s has no effect: the operator sets it to %s", e.Key, f.value),
			Labels:  []advisor.Label{{Span: e.ValueSpan, Key: e.Key, Text: "not read"}},
			Help:    "remove it",
			Edits:   []advisor.Edit{advisor.Unset(e.Key, true)},
		})
	}
}

// A setting is an option that the operator sets whatever flinkConfiguration says (FlinkConfigBuilder.applyJobOrSessionSpec).
type setting struct{ key, value string }

func forced(m *carrier.Manifest) []setting {
	target := "kubernetes-session"
	var out []setting
	if m.Job != nil {
		target = "kubernetes-application"
		out = append(out, setting{keyShutdown, "false"})
		if m.Job.JarURI.Known && m.Mode.V != "standalone" {
			out = append(out, setting{keyJars, m.Job.JarURI.V})
		}
	}
	if m.Mode.V == "standalone" {
		target = "remote"
	}
	return append(out, setting{keyTarget, target})
}

// same tells whether two texts are the same to Flink: as sizes, as numbers, or as they stand.
func same(a, b string) bool {
	if x, err := quantity.ParseBytes(a); err == nil {
		y, err := quantity.ParseBytes(b)
		return err == nil && x == y
	}
	if x, err := quantity.ParseDouble(a); err == nil {
		y, err := quantity.ParseDouble(b)
		return err == nil && x == y
	}
	return quantity.Trim(a) == quantity.Trim(b)
}
