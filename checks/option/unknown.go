package option

import (
	_ "embed"
	"fmt"
	"strings"

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

// crowd is how many unknown keys with one beginning are told in one finding: so many are no slip but another program's settings.
const crowd = 3

func unknown(t *advisor.Target, r *advisor.Report) {
	strangers := map[string][]advisor.Finding{}
	var order []string
	for _, e := range entries(t) {
		if read(t, e.Key) || systemProperty(e.Key) {
			continue
		}
		if _, ok := option.Departed(e.Key, t.Version); ok {
			continue
		}
		f := unknownKey(t, e)
		if f.Confidence == advisor.Certain { // a typo, or an option of a later version
			r.Find(f)
			continue
		}
		first, _, _ := strings.Cut(e.Key, ".")
		if strangers[first] == nil {
			order = append(order, first)
		}
		strangers[first] = append(strangers[first], f)
	}
	for _, first := range order {
		group := strangers[first]
		if len(group) < crowd {
			for _, f := range group {
				r.Find(f)
			}
			continue
		}
		f := group[0]
		f.Message = fmt.Sprintf("Flink %s does not know %d keys that begin with %s", t.Version.Line(), len(group), first)
		f.Help = fmt.Sprintf("remove them, or name %s. under allow-keys in the settings if your own code reads them", first)
		for _, other := range group[1:] {
			f.Labels = append(f.Labels, other.Labels...)
		}
		r.Find(f)
	}
}

// systemProperty tells Java system properties that stand among -D arguments of scripts and are none of Flink's options.
func systemProperty(key string) bool {
	for _, p := range []string{"log.file", "log4j.configuration", "logback.configurationFile", "java.", "sun.", "user.", "file.encoding"} {
		if strings.HasPrefix(key, p) {
			return true
		}
	}
	return false
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
