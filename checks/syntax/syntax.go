// Package syntax has the rules for what the loader finds: text that Flink would skip, override, cut or refuse.
//
// The loader (schema/conf) finds the faults and knows their places; a rule here gives one kind of fault its sentence.
package syntax

import (
	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

// each reports every fault of a kind, in the order of the documents.
func each(kind conf.FaultKind, finding func(*advisor.Target, conf.Fault) advisor.Finding) func(*advisor.Target, *advisor.Report) {
	return func(t *advisor.Target, r *advisor.Report) {
		for _, d := range t.Documents {
			for _, f := range d.Faults {
				if f.Kind != kind {
					continue
				}
				found := finding(t, f)
				if f.Fix != nil {
					found.Edits = append(found.Edits, advisor.Edit{Span: f.Span, New: *f.Fix, Safe: f.FixSafe})
				}
				r.Find(found)
			}
		}
	}
}
