package option

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
)

//go:embed renamed.md
var renamedDoc string

// Renamed finds deprecated spellings, one finding for each document.
var Renamed = &advisor.Rule{
	ID:         "option/renamed",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Hygiene,
	Confidence: advisor.Certain,
	Doc:        renamedDoc,
	Check:      renamed,
}

func renamed(t *advisor.Target, r *advisor.Report) {
	if t.VersionAssumed {
		return // the new names may not exist yet in the version that really runs
	}
	var f advisor.Finding
	count := 0
	for _, e := range entries(t) {
		name, ok := newName(t, e)
		if !ok {
			continue
		}
		count++
		f.Labels = append(f.Labels, label(e, "now "+name))
		f.Edits = append(f.Edits, rename(e, name, true)...)
	}
	switch count {
	case 0:
		return
	case 1:
		f.Message = fmt.Sprintf("%s is an old name of an option", f.Labels[0].Key)
	default:
		f.Message = fmt.Sprintf("%d options have old names, which Flink %s still reads", count, t.Version.Line())
	}
	f.Notes = []string{"each old name is a warning in Flink's log"}
	f.Help = "use the new names"
	r.Find(f)
}

// newName is the option's own key where e is a deprecated spelling of it alone, and the new spelling is free.
func newName(t *advisor.Target, e *conf.Entry) (string, bool) {
	m, ok := t.Conf.Lookup(e.Key)
	if !ok || m.Via != option.ByDeprecated || len(m.Others) > 0 || t.Conf.Entry(m.Option.Key) != nil {
		return "", false
	}
	return m.Option.Key, true
}
