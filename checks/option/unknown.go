package option

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed unknown.md
var unknownDoc string

// Unknown finds keys that no part of Flink reads.
var Unknown = &advisor.Rule{
	ID:         "option/unknown",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Doc:        unknownDoc,
	Check:      unknown,
}

func unknown(t *advisor.Target, r *advisor.Report) {
	for _, e := range entries(t) {
		if read(t, e.Key) {
			continue
		}
		if _, ok := option.Departed(e.Key, t.Version); !ok {
			r.Find(unknownKey(t, e))
		}
	}
}

func unknownKey(t *advisor.Target, e *conf.Entry) advisor.Finding {
	f := advisor.Finding{
		Message: fmt.Sprintf("Flink %s does not know %s", t.Version.Line(), e.Key),
		Labels:  []advisor.Label{label(e, "not read")},
		Help:    "remove it, or name its prefix under allow-keys in the settings if your own code reads it",
	}
	if first, ok := comes(t, e.Key); ok {
		f.Confidence = advisor.Certain
		f.Message = fmt.Sprintf("Flink %s does not know %s yet: it is an option from %s on", t.Version.Line(), e.Key, first)
		f.Help = "remove it, or upgrade"
		return f
	}
	near := option.Nearest(e.Key, t.Version, 1)
	if len(near) == 0 {
		return f
	}
	f.Confidence = advisor.Certain
	f.Help = fmt.Sprintf("did you mean %s?", near[0].Key)
	if m, ok := option.Lookup(near[0].Key, t.Version); ok && m.Option != nil && !t.Conf.String(m.Option.Key).Set() && t.Conf.Parse(e, m.Option) == nil {
		f.Edits = rename(e, near[0].Key, false) // not where it is set already, or would refuse the value
	}
	return f
}

// comes tells whether a newer Flink reads the key, and the first line that does.
func comes(t *advisor.Target, key string) (version.Version, bool) {
	for _, v := range version.Minors {
		if v.Compare(t.Version.Line()) <= 0 {
			continue
		}
		if _, ok := option.Lookup(key, v); ok {
			return v, true
		}
	}
	return version.Version{}, false
}
