package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed savepoint-directory-missing.md
var savepointDirectoryMissingDoc string

// SavepointDirectoryMissing finds savepoints that the operator is asked for and that have no directory.
var SavepointDirectoryMissing = &advisor.Rule{
	ID:         "kubernetes/savepoint-directory-missing",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Likely,
	Reads:      []string{keySavepointDir, keyPeriodic, keyMaxCheckpointAge},
	Doc:        savepointDirectoryMissingDoc,
	Check:      savepointDirectoryMissing,
}

func savepointDirectoryMissing(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || m.Job == nil || t.Carried.Templated || !empty(t, keySavepointDir) {
		return
	}
	var labels []advisor.Label
	add := func(l advisor.Label) { labels = append(labels, l) }
	if mode := m.Job.UpgradeMode; mode.V == "savepoint" {
		add(advisor.Label{Span: mode.Span, Key: "spec.job.upgradeMode", Text: "an upgrade takes a savepoint"})
	}
	if nonce := m.Job.SavepointTriggerNonce; nonce.Known {
		add(advisor.Label{Span: nonce.Span, Key: "spec.job.savepointTriggerNonce", Text: "asks for a savepoint"})
	}
	if !empty(t, keyPeriodic) {
		labels = append(labels, t.Labels(keyPeriodic, "asks for savepoints")...)
	}
	if !empty(t, keyMaxCheckpointAge) {
		labels = append(labels, t.Labels(keyMaxCheckpointAge, "takes a savepoint when the checkpoint is older")...)
	}
	if len(labels) == 0 {
		return
	}
	name := t.Conf.Name(keySavepointDir)
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("savepoints need %s, and the operator refuses the resource without", name),
		Labels:  labels,
		Notes:   []string{"the operator's own configuration may set it for every cluster"},
		Help:    fmt.Sprintf("set %s to a path that survives the cluster, such as s3://bucket/savepoints", name),
	})
}
