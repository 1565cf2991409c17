package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed autoscaler-unsupported.md
var autoscalerUnsupportedDoc string

// AutoscalerUnsupported finds the autoscaler on Flink versions that lack what it measures by.
var AutoscalerUnsupported = &advisor.Rule{
	ID:         "kubernetes/autoscaler-unsupported",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Reads:      []string{keyAutoscaler},
	Doc:        autoscalerUnsupportedDoc,
	Check:      autoscalerUnsupported,
}

// firstScalable is the first Flink whose jobs the autoscaler can rescale (parallelism overrides, FLIP-291).
var firstScalable = version.Of(1, 17)

func autoscalerUnsupported(t *advisor.Target, r *advisor.Report) {
	if deployment(t) == nil || !on(t, keyAutoscaler) || t.VersionAssumed || !t.Version.Before(firstScalable.Major, firstScalable.Minor) {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("the autoscaler cannot rescale jobs of Flink %s", t.Version.Line()),
		Labels:  t.Labels(keyAutoscaler, "on"),
		Notes:   []string{"parallelism of single vertices can be set from outside since Flink 1.17"},
		Help:    "upgrade to Flink 1.17 or newer, or switch it off",
	})
}
