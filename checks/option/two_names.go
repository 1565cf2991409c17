package option

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/option"
)

//go:embed two-names.md
var twoNamesDoc string

// TwoNames finds options that are set under two of their names with different values.
var TwoNames = &advisor.Rule{
	ID:         "option/two-names",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        twoNamesDoc,
	Check:      twoNames,
}

func twoNames(t *advisor.Target, r *advisor.Report) {
	for _, e := range entries(t) {
		m, ok := t.Conf.Lookup(e.Key)
		if !ok || m.Via != option.ByDeprecated || len(m.Others) > 0 {
			continue // a fallback is an option of its own, which may well differ
		}
		wins := t.Conf.String(m.Option.Key).Entry
		if wins == nil || wins.Key == e.Key || wins.Value == e.Value {
			continue
		}
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("%s has no effect: %s is the same option and goes before it", e.Key, wins.Key),
			Labels: []advisor.Label{
				{Span: e.ValueSpan, Key: e.Key, Text: "not read"}, {Span: wins.ValueSpan, Key: wins.Key, Text: "this one counts"},
			},
			Help:  "remove one of the two",
			Edits: []advisor.Edit{advisor.Unset(e.Key, true)},
		})
	}
}
