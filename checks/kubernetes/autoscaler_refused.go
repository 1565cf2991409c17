package kubernetes

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed autoscaler-refused.md
var autoscalerRefusedDoc string

// AutoscalerRefused finds options of the autoscaler that are out of range.
var AutoscalerRefused = &advisor.Rule{
	ID:         "kubernetes/autoscaler-refused",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyAutoscaler, keyUtilization, keyUtilizationMax, keyUtilizationMin, keyWindow, keyReconcile},
	Doc:        autoscalerRefusedDoc,
	Check:      autoscalerRefused,
}

// A bound is the range of one of the autoscaler's numbers (AutoscalerValidator). Those with a feature are looked at when it is on.
type bound struct {
	key, feature string
	low, high    float64
	// newer tells that operators before 1.16 do not look.
	newer bool
}

const (
	keyUtilization    = "job.autoscaler.utilization.target"
	keyUtilizationMax = "job.autoscaler.utilization.max"
	keyUtilizationMin = "job.autoscaler.utilization.min"
	keyWindow         = "job.autoscaler.metrics.window"
	keyReconcile      = "kubernetes.operator.reconcile.interval"
)

var bounds = []bound{
	{key: "job.autoscaler.scale-down.max-factor", high: math.Inf(1)},
	{key: "job.autoscaler.scale-up.max-factor", high: math.Inf(1)},
	{key: keyUtilization, high: 1},
	{key: "job.autoscaler.target.utilization.boundary", high: math.Inf(1)},
	{key: "job.autoscaler.memory.gc-pressure.threshold", high: 1, newer: true},
	{key: "job.autoscaler.memory.heap-usage.threshold", high: 1, newer: true},
	{key: "job.autoscaler.observed-scalability.coefficient-min", feature: "job.autoscaler.observed-scalability.enabled", low: 0.01, high: 1, newer: true},
	{key: "job.autoscaler.scaling.effectiveness.threshold", feature: "job.autoscaler.scaling.effectiveness.detection.enabled", high: 1, newer: true},
	{key: "job.autoscaler.memory.tuning.overhead", feature: "job.autoscaler.memory.tuning.enabled", high: 1, newer: true},
}

func autoscalerRefused(t *advisor.Target, r *advisor.Report) {
	if either(t) == nil || !on(t, keyAutoscaler) {
		return
	}
	for _, b := range bounds {
		if b.feature == "" || on(t, b.feature) {
			outOfRange(t, r, b)
		}
	}
	if target := t.Conf.Double(keyUtilization); target.Has && target.V >= 0 && target.V <= 1 {
		outOfRange(t, r, bound{key: keyUtilizationMax, low: target.V, high: 1})
		outOfRange(t, r, bound{key: keyUtilizationMin, high: target.V})
	}
	window, interval := t.Conf.Duration(keyWindow), t.Conf.Duration(keyReconcile)
	if window.Set() && window.Has && interval.Has && window.V.Compare(interval.V) < 0 {
		r.Find(advisor.Finding{
			Message:    fmt.Sprintf("%s of %s is shorter than the operator's round of %s", window.Entry.Key, window.V.Pretty(), interval.V.Pretty()),
			Severity:   advisor.Warning,
			Impact:     advisor.NoEffect,
			Confidence: advisor.Likely,
			Labels:     t.Labels(keyWindow, "holds no measurement"),
			Notes:      []string{"the operator measures once a round, so that the window is empty most of the time; operator 1.16 refuses it"},
			Help:       "make the window several rounds long; the default is 15 min",
		})
	}
}

func outOfRange(t *advisor.Target, r *advisor.Report, b bound) {
	v := t.Conf.Double(b.key)
	if !v.Set() || !v.Has || v.V >= b.low && v.V <= b.high {
		return
	}
	limits := fmt.Sprintf("between %v and %v", b.low, b.high)
	if math.IsInf(b.high, 1) {
		limits = fmt.Sprintf("at least %v", b.low)
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("the operator refuses %s of %v: it must be %s", v.Entry.Key, v.V, limits),
		Labels:  t.Labels(b.key, "out of range"),
		Help:    "write a value " + limits,
	}
	if b.newer {
		f.Severity, f.Impact = advisor.Warning, advisor.WillFail
		f.Notes = []string{"operators before 1.16 let it through"}
	}
	r.Find(f)
}
