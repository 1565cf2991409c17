package option

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
)

//go:embed overridden.md
var overriddenDoc string

// Overridden finds values that another layer (a manifest's own field, --set) hides behind a different one.
var Overridden = &advisor.Rule{
	ID:         "option/overridden",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        overriddenDoc,
	Check:      overridden,
}

func overridden(t *advisor.Target, r *advisor.Report) {
	for _, o := range t.Conf.Overridden() {
		e, by := o.Entry, o.By
		if e.Layer == by.Layer || e.Placeholder || by.Placeholder || equal(t, e, by) || !written(t, e) {
			continue // within one layer it is a duplicate, which syntax/duplicate-key reports
		}
		if !writtenDown(e) || strings.HasPrefix(e.Layer, "operator configuration") {
			continue // a default is there to be overridden
		}
		if strings.HasPrefix(by.Layer, "spec.") {
			continue // kubernetes/overridden-option knows which field it is and what to do
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("this value of %s has no effect: %s goes before it", e.Key, by.Layer),
			Labels:  []advisor.Label{{Span: e.ValueSpan, Key: e.Key, Text: "hidden"}},
			Help:    "keep one of the two",
		}
		if by.ValueSpan.Valid() {
			f.Labels = append(f.Labels, advisor.Label{Span: by.ValueSpan, Key: by.Key, Text: "this one counts"})
		}
		r.Find(f)
	}
}

// written tells whether an entry stands in a configuration as it is. What a carrier derives from its own fields, such as the operator's defaults, is meant
// to be overridden.
func written(t *advisor.Target, e *conf.Entry) bool {
	return slices.ContainsFunc(t.Documents, func(d *conf.Document) bool {
		return slices.ContainsFunc(d.Entries, func(n conf.Entry) bool { return n.Key == e.Key && n.ValueSpan == e.ValueSpan })
	})
}

// writtenDown tells an option that somebody wrote from one that a carrier derives out of another field ("upgradeMode: last-state").
func writtenDown(e *conf.Entry) bool {
	key := strings.Trim(e.KeySpan.Text(), "\"'")
	return key != "" && strings.HasSuffix(e.Key, key)
}

// equal tells whether Flink reads the same value out of two entries of one key.
func equal(t *advisor.Target, a, b *conf.Entry) bool {
	kind := option.String
	if m, ok := option.Lookup(a.Key, t.Version); ok && m.Option != nil {
		kind = m.Option.Kind
	}
	return same(t, a.Value, b.Value, kind)
}
