package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed refused-feature.md
var refusedFeatureDoc string

// RefusedFeature finds features of the operator that are switched on without what they need.
var RefusedFeature = &advisor.Rule{
	ID:         "kubernetes/refused-feature",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Likely,
	Reads:      []string{keyRollback, keyHealthCheck, keyRecovery, keyHA, keyHADir},
	Doc:        refusedFeatureDoc,
	Check:      refusedFeature,
}

func refusedFeature(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || t.Carried.Templated {
		return
	}
	if on(t, keyRollback) && haOff(t) {
		f := advisor.Finding{
			Message: "the operator refuses rollback without high availability",
			Labels:  t.Labels(keyRollback, "on", keyHA, "off"),
			Help:    fmt.Sprintf("set %s: kubernetes and %s, or leave rollback off", t.Conf.Name(keyHA), keyHADir),
		}
		r.Find(f)
	}
	if recovery := t.Conf.Bool(keyRecovery); on(t, keyHealthCheck) && recovery.Has && !recovery.V {
		r.Find(advisor.Finding{
			Message:    "the operator refuses health checks without recovery of the JobManager's deployment",
			Confidence: advisor.Certain,
			Labels:     t.Labels(keyHealthCheck, "on", keyRecovery, "off"),
			Help:       "remove " + keyRecovery + ", which is on by default, or leave health checks off",
			Edits:      []advisor.Edit{advisor.Unset(keyRecovery, false)},
		})
	}
}
