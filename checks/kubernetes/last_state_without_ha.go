package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed last-state-without-ha.md
var lastStateWithoutHADoc string

// LastStateWithoutHA finds last-state upgrades without the metadata that they start from.
var LastStateWithoutHA = &advisor.Rule{
	ID:         "kubernetes/last-state-without-ha",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.WillFail,
	Confidence: advisor.Likely,
	Reads:      []string{keyHA, keyHADir, keyJobCancel},
	Doc:        lastStateWithoutHADoc,
	Check:      lastStateWithoutHA,
}

func lastStateWithoutHA(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || m.Job == nil || t.Carried.Templated || m.Job.UpgradeMode.V != "last-state" || !haOff(t) {
		return
	}
	cancels := on(t, keyJobCancel)
	f := advisor.Finding{
		Message: "upgradeMode last-state without high availability: a job that does not run cannot be upgraded",
		Labels:  []advisor.Label{{Span: m.Job.UpgradeMode.Span, Key: "spec.job.upgradeMode", Text: "the last state is kept by high availability"}},
		Notes: []string{
			"operators up to 1.9 refuse the resource; newer ones cancel the running job and start from its last checkpoint, which they ask the job for",
			"the operator's own configuration may switch high availability on for every cluster",
		},
		Help: fmt.Sprintf("set %s: kubernetes and %s", t.Conf.Name(keyHA), keyHADir),
	}
	f.Labels = append(f.Labels, t.Labels(keyHA, "off")...)
	if cancels {
		f.Severity = advisor.Advice
	}
	r.Find(f)
}
