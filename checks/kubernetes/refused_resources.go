package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed refused-resources.md
var refusedResourcesDoc string

// RefusedResources finds requests above limits and amounts that are none.
var RefusedResources = &advisor.Rule{
	ID:         "kubernetes/refused-resources",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        refusedResourcesDoc,
	Check:      refusedResources,
}

func refusedResources(t *advisor.Target, r *advisor.Report) {
	m := either(t)
	if m == nil {
		return
	}
	for _, p := range processes(m) {
		if f := p.EphemeralStorage; f.Known {
			if _, err := carrier.KubernetesBytes(f.V); err != nil {
				r.Find(unusable(f, p.field+".resource.ephemeralStorage", err.Error()))
			}
		}
		if f := p.CPU; f.Known {
			if n, err := quantity.ParseDouble(f.V); err == nil && n <= 0 {
				r.Find(unusable(f, p.field+".resource.cpu", "no CPU at all"))
			}
		}
		for _, pair := range []struct {
			name           string
			request, limit carrier.Field
			amount         func(string) (float64, error)
		}{
			{"memory", p.Requests.Memory, p.Limits.Memory, memory},
			{"cpu", p.Requests.CPU, p.Limits.CPU, carrier.KubernetesAmount},
			{"ephemeral-storage", p.Requests.EphemeralStorage, p.Limits.EphemeralStorage, carrier.KubernetesAmount},
		} {
			request, ok := amount(r, pair.request, p.field+".resources.requests."+pair.name, pair.amount)
			limit, both := amount(r, pair.limit, p.field+".resources.limits."+pair.name, pair.amount)
			if ok && both && request > limit {
				r.Find(advisor.Finding{
					Message: fmt.Sprintf("the %s's %s request of %s is above its limit of %s", p.name, pair.name, pair.request.V, pair.limit.V),
					Labels: []advisor.Label{
						{Span: pair.request.Span, Key: p.field + ".resources.requests." + pair.name, Text: "above the limit"},
						{Span: pair.limit.Span, Key: p.field + ".resources.limits." + pair.name, Text: "the limit"},
					},
					Help: "raise the limit or lower the request",
				})
			}
		}
	}
}

// amount reads a quantity; ok is false for one that is missing, or that is reported as no amount.
func amount(r *advisor.Report, f carrier.Field, path string, read func(string) (float64, error)) (v float64, ok bool) {
	if !f.Known {
		return 0, false
	}
	v, err := read(f.V)
	switch {
	case err != nil:
		r.Find(unusable(f, path, err.Error()))
	case v <= 0:
		r.Find(unusable(f, path, "not positive"))
	default:
		return v, true
	}
	return 0, false
}

// memory reads a size as the operator does.
func memory(text string) (float64, error) {
	b, err := quantity.ParseBytes(carrier.OperatorMemory(text))
	return float64(b), err
}

func unusable(f carrier.Field, path, why string) advisor.Finding {
	return advisor.Finding{
		Message: fmt.Sprintf("the operator refuses %s: %s", path, why),
		Labels:  []advisor.Label{{Span: f.Span, Key: path, Text: "no usable amount"}},
		Help:    "write a positive amount",
	}
}
