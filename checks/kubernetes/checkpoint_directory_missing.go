package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed checkpoint-directory-missing.md
var checkpointDirectoryMissingDoc string

// CheckpointDirectoryMissing finds jobs that keep their state over an upgrade and name no checkpoint directory.
var CheckpointDirectoryMissing = &advisor.Rule{
	ID:         "kubernetes/checkpoint-directory-missing",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Likely,
	Reads:      []string{keyCheckpointDir},
	Doc:        checkpointDirectoryMissingDoc,
	Check:      checkpointDirectoryMissing,
}

func checkpointDirectoryMissing(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || m.Job == nil || t.Carried.Templated || !empty(t, keyCheckpointDir) {
		return
	}
	mode := m.Job.UpgradeMode
	if mode.V != "last-state" && mode.V != "savepoint" {
		return
	}
	name := t.Conf.Name(keyCheckpointDir)
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("upgradeMode %s needs %s, and the operator refuses the resource without", mode.V, name),
		Labels:  []advisor.Label{{Span: mode.Span, Key: "spec.job.upgradeMode", Text: "keeps the state"}},
		Notes:   []string{"the operator's own configuration may set it for every cluster"},
		Help:    fmt.Sprintf("set %s to a path that survives the pods, such as s3://bucket/checkpoints", name),
	})
}
