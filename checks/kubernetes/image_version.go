package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed image-version.md
var imageVersionDoc string

// ImageVersion finds images whose Flink is another one than flinkVersion says.
var ImageVersion = &advisor.Rule{
	ID:         "kubernetes/image-version",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Likely,
	Doc:        imageVersionDoc,
	Check:      imageVersion,
}

func imageVersion(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || !m.FlinkVersion.Known || !m.Image.Known {
		return
	}
	says, err := version.Parse(m.FlinkVersion.V)
	has, ok := carrier.ImageVersion(m.Image.V)
	if err != nil || !ok || says.Line() == has.Line() {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("flinkVersion says %s and the image has Flink %s", says.Line(), has),
		Labels: []advisor.Label{
			{Span: m.FlinkVersion.Span, Key: "spec.flinkVersion", Text: "what the operator goes by"}, {Span: m.Image.Span, Key: "spec.image", Text: "what runs"},
		},
		Notes: []string{"the operator writes the names of options, and flink-conf.yaml or config.yaml, for the version in flinkVersion"},
		Help:  "change both together",
	})
}
