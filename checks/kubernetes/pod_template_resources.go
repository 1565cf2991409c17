package kubernetes

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed pod-template-resources.md
var podTemplateResourcesDoc string

// PodTemplateResources finds memory and CPU in pod templates that Flink overwrites.
var PodTemplateResources = &advisor.Rule{
	ID:         "kubernetes/pod-template-resources",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        podTemplateResourcesDoc,
	Check:      podTemplateResources,
}

func podTemplateResources(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil {
		return
	}
	for _, p := range podTemplates(m) {
		c := p.template.MainContainer()
		if c == nil {
			continue
		}
		for _, f := range []struct {
			path  string
			field carrier.Field
		}{
			{"requests.memory", c.Requests.Memory}, {"requests.cpu", c.Requests.CPU}, {"limits.memory", c.Limits.Memory}, {"limits.cpu", c.Limits.CPU},
		} {
			if !f.field.Known || asThere(m, p.field, f.path, f.field.V) {
				continue
			}
			r.Find(advisor.Finding{
				Message: fmt.Sprintf("resources.%s of the pod template has no effect: Flink writes its own", f.path),
				Labels:  []advisor.Label{{Span: f.field.Span, Key: p.field + ".resources." + f.path, Text: "overwritten"}},
				Notes:   []string{"requests come from spec.…resource, limits are those times kubernetes.….limit-factor, which is 1 by default"},
				Help:    "set it in spec.jobManager.resource and spec.taskManager.resource",
			})
		}
	}
}

// asThere tells that the spec gives every process the template is for the same amount, so that nothing is lost.
func asThere(m *carrier.Manifest, field, path, amount string) bool {
	for _, p := range processes(m) {
		if field != "spec.podTemplate" && field != p.field+".podTemplate" {
			continue
		}
		mine := p.Memory.V
		if strings.HasSuffix(path, ".cpu") {
			mine = p.CPU.V
		}
		a, errA := carrier.KubernetesAmount(carrier.OperatorMemory(mine))
		b, errB := carrier.KubernetesAmount(carrier.OperatorMemory(amount))
		if strings.HasSuffix(path, ".cpu") {
			a, errA = carrier.KubernetesAmount(mine)
			b, errB = carrier.KubernetesAmount(amount)
		} else if bytes, err := quantity.ParseBytes(carrier.OperatorMemory(mine)); err == nil {
			wanted, err := quantity.ParseBytes(carrier.OperatorMemory(amount))
			a, b, errA, errB = float64(bytes), float64(wanted), nil, err
		}
		if errA != nil || errB != nil || a != b {
			return false
		}
	}
	return true
}
