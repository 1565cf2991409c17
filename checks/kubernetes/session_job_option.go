package kubernetes

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed session-job-option.md
var sessionJobOptionDoc string

// SessionJobOption finds options of the cluster in session jobs.
var SessionJobOption = &advisor.Rule{
	ID:         "kubernetes/session-job-option",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        sessionJobOptionDoc,
	Check:      sessionJobOption,
}

// clusterPrefixes begin options that processes read when they start. A session job comes to a cluster that runs.
var clusterPrefixes = []string{"taskmanager.", "jobmanager.", "kubernetes.jobmanager.", "kubernetes.taskmanager.", "kubernetes.pod-template", "high-availability", "env.java.", "metrics.reporter."}

func sessionJobOption(t *advisor.Target, r *advisor.Report) {
	m := sessionJob(t)
	if m == nil || m.Configuration == nil {
		return
	}
	for i := range m.Configuration.Entries {
		e := &m.Configuration.Entries[i]
		if !slices.ContainsFunc(clusterPrefixes, func(p string) bool { return strings.HasPrefix(e.Key, p) }) {
			continue
		}
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("%s has no effect in a session job: the cluster read it when it started", e.Key),
			Labels:  []advisor.Label{{Span: e.KeySpan, Key: e.Key, Text: "an option of the cluster"}},
			Help:    "set it in the FlinkDeployment of the session cluster",
			Edits:   []advisor.Edit{advisor.Unset(e.Key, true)},
		})
	}
}
