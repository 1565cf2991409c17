package option

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/option"
)

//go:embed prefix-conflict.md
var prefixConflictDoc string

// PrefixConflict finds keys that are the beginning of other keys, where Flink writes its configuration back as nested YAML.
var PrefixConflict = &advisor.Rule{
	ID:         "option/prefix-conflict",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Facts:      []string{"deployment.target"},
	Doc:        prefixConflictDoc,
	Check:      prefixConflict,
}

func prefixConflict(t *advisor.Target, r *advisor.Report) {
	if t.VersionAssumed || !t.Conf.Standard || !writtenBack(t) {
		return
	}
	for _, e := range entries(t) {
		below := t.Conf.Prefixed(e.Key + ".")
		if len(below) == 0 {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("%s is the beginning of %s: written back as nested YAML, one of the two is lost", e.Key, below[0].Key),
			Labels:  []advisor.Label{label(e, "a value here"), label(below[0], "and more below it")},
			Notes:   []string{"official images, native Kubernetes and YARN write the configuration back as nested YAML before Flink starts"},
			Help:    "use another spelling of " + e.Key,
		}
		if m, ok := t.Conf.Lookup(e.Key); ok && m.Via != option.Canonical && m.Option != nil && free(t, m.Option.Key) {
			f.Help = "use its new name, " + m.Option.Key
			f.Edits = rename(e, m.Option.Key, true)
			if t.Version.AtLeast(2, 0) && t.Job.Deployment.Target.V == "kubernetes-operator" {
				f.Severity, f.Impact, f.Confidence = advisor.Error, advisor.WontStart, advisor.Certain
				f.Notes = append(f.Notes, `the operator refuses it: "Overlapping key prefixes detected"`)
			}
		}
		r.Find(f)
	}
}

func free(t *advisor.Target, key string) bool { return t.Conf.Entry(key) == nil }

// writtenBack tells whether Flink's configuration is written anew on its way to the process. Where nobody says how Flink runs it may be.
func writtenBack(t *advisor.Target) bool {
	target := t.Job.Deployment.Target
	return !target.Known || t.Deployment != budget.Standalone || slices.Contains([]string{"docker", "kubernetes-operator"}, target.V)
}
