package option

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed out-of-range.md
var outOfRangeDoc string

// OutOfRange finds values that the option's type takes and the class that reads them refuses.
var OutOfRange = &advisor.Rule{
	ID:         "option/out-of-range",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WillFail,
	Confidence: advisor.Certain,
	Doc:        outOfRangeDoc,
	Check:      outOfRange,
}

// rangeOwners are options whose range another rule reports with what it means: memory/does-not-fit and checkpoint/below-minimum.
var rangeOwners = []string{"taskmanager.memory.", "jobmanager.memory.", "taskmanager.numberOfTaskSlots", "execution.checkpointing."}

// readWhen are the conditions under which Flink reads the options below a prefix at all, and so can refuse them.
var readWhen = []struct{ prefix, condition string }{
	{"state.backend.rocksdb.", "RDB"},
	{"restart-strategy.fixed-delay.", "restart-strategy.type in [fixed-delay, fixeddelay]"},
	{"restart-strategy.failure-rate.", "restart-strategy.type in [failure-rate, failurerate]"},
	{"restart-strategy.exponential-delay.", "restart-strategy.type in [exponential-delay, exponentialdelay]"},
	{"slow-task-detector.", "execution.batch.speculative.enabled == true"},
	{"job.autoscaler.", "job.autoscaler.enabled == true"},
}

func outOfRange(t *advisor.Target, r *advisor.Report) {
	for _, e := range entries(t) {
		m, ok := option.Lookup(e.Key, t.Version)
		if !ok || m.Option == nil || e.Placeholder || hasPrefix(m.Option.Key, rangeOwners) {
			continue
		}
		limit, ok := option.LimitOf(e.Key, t.Version)
		if !ok {
			continue
		}
		value, ok := number(t, e.Value, m.Option.Kind)
		if !ok || e.Value == limit.Unset && limit.Unset != "" || within(t, value, limit, m.Option.Kind) || !isRead(t, m.Option.Key) {
			continue
		}
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("%s is %s, and Flink takes %s", e.Key, strings.TrimSpace(e.Value), rangeWords(limit)),
			Labels:  []advisor.Label{{Span: e.ValueSpan, Key: e.Key, Text: "refused"}},
			Notes:   []string{"refused by " + limit.Class},
			Help:    "write a value of the range",
		})
	}
}

func hasPrefix(key string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(key, p) {
			return true
		}
	}
	return false
}

func isRead(t *advisor.Target, key string) bool {
	for _, x := range readWhen {
		if !strings.HasPrefix(key, x.prefix) {
			continue
		}
		c, err := defect.ParseCondition(x.condition)
		return err == nil && defect.NewEvaluator(&defect.Context{Flink: t.Version, Conf: t.Conf, Job: t.Job}).Eval(c).Truth == defect.True
	}
	return true
}

// number is a value in the base unit of its kind: bytes, seconds, or as it is.
func number(t *advisor.Target, text string, kind option.Kind) (float64, bool) {
	switch kind {
	case option.Memory:
		b, err := quantity.ParseBytes(text)
		return float64(b), err == nil
	case option.Duration:
		d, err := quantity.ParseDuration(text, t.Version)
		return d.Seconds(), err == nil
	case option.Int, option.Long, option.Float, option.Double:
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		return n, err == nil
	}
	return 0, false
}

func within(t *advisor.Target, value float64, l option.Limit, kind option.Kind) bool {
	if low, ok := number(t, l.Min, kind); ok && (value < low || l.MinExclusive && value == low) {
		return false
	}
	if high, ok := number(t, l.Max, kind); ok && (value > high || l.MaxExclusive && value == high) {
		return false
	}
	return true
}

// rangeWords say what a range takes.
func rangeWords(l option.Limit) string {
	low := "at least " + l.Min
	if l.MinExclusive {
		low = "more than " + l.Min
	}
	switch {
	case l.Max == "":
		return low
	case l.MaxExclusive:
		return low + " and less than " + l.Max
	}
	return low + " and at most " + l.Max
}
