package kubernetes

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed memory-unreadable.md
var memoryUnreadableDoc string

// MemoryUnreadable finds sizes of processes that the operator cannot read.
var MemoryUnreadable = &advisor.Rule{
	ID:         "kubernetes/memory-unreadable",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        memoryUnreadableDoc,
	Check:      memoryUnreadable,
}

func memoryUnreadable(t *advisor.Target, r *advisor.Report) {
	m := either(t)
	if m == nil {
		return
	}
	for _, p := range processes(m) {
		f := p.Memory
		if !f.Known || f.V == "" {
			continue
		}
		if _, err := quantity.ParseBytes(carrier.OperatorMemory(f.V)); err != nil {
			finding := advisor.Finding{
				Message: fmt.Sprintf("the operator cannot read %s as the %s's memory", f.V, p.name),
				Labels:  []advisor.Label{{Span: f.Span, Key: p.field + ".resource.memory", Text: "not a size"}},
				Help:    "write a whole number with a unit, such as 2048m or 2Gi",
			}
			if b, err := carrier.KubernetesBytes(kubernetesText(f.V)); err == nil && b > 0 && b%quantity.MiB == 0 {
				finding.Notes = []string{"fractions reach Flink as a decimal number of bytes, which it refuses"}
				finding.Help = "write " + b.Config()
				finding.Edits = []advisor.Edit{{Span: f.Span, New: b.Config(), Safe: true}}
			}
			r.Find(finding)
		}
	}
}

// kubernetesText is a size in the spelling of Kubernetes where Flink's small units stand: "1.5g" is meant as 1.5Gi.
func kubernetesText(text string) string {
	s := strings.TrimSpace(text)
	for _, unit := range []string{"Ki", "Mi", "Gi", "Ti"} {
		small := strings.ToLower(unit[:1])
		if digits, ok := strings.CutSuffix(strings.TrimSuffix(strings.ToLower(s), "b"), small); ok {
			return strings.TrimSpace(digits) + unit
		}
	}
	return s
}
