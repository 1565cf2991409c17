package option

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed suspicious-unit.md
var suspiciousUnitDoc string

// SuspiciousUnit finds bare numbers that Flink reads as bytes or milliseconds and that were probably meant in something larger.
var SuspiciousUnit = &advisor.Rule{
	ID:         "option/suspicious-unit",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Likely,
	Doc:        suspiciousUnitDoc,
	Check:      suspiciousUnit,
}

// tinyShare is the share of the default below which a bare number is suspicious: what is meant in seconds and read as milliseconds, or meant in MiB and
// read as bytes, lies further below; what is set low on purpose seldom does.
const tinyShare = 100

// mostSeconds is the largest bare number that is taken for seconds: 10,000 s are nearly three hours. Larger ones are written by people who count in
// milliseconds.
const mostSeconds = 10_000

// noticeableSize is the least size that is taken for meant where an option has no default: no part of Flink's memory is smaller.
const noticeableSize = quantity.MiB

func suspiciousUnit(t *advisor.Target, r *advisor.Report) {
	for _, e := range entries(t) {
		m, ok := t.Conf.Lookup(e.Key)
		if !ok || m.Option == nil || m.Via == option.ByFamily || !bare(e.Value) {
			continue
		}
		switch m.Option.Kind {
		case option.Memory:
			suspiciousSize(t, r, e, m.Option)
		case option.Duration:
			suspiciousDuration(t, r, e, m.Option)
		}
	}
}

// bare tells a number other than zero without unit.
func bare(value string) bool {
	v := quantity.Trim(value)
	return v != "" && strings.Trim(v, "0123456789") == "" && strings.Trim(v, "0") != ""
}

func suspiciousSize(t *advisor.Target, r *advisor.Report, e *conf.Entry, o *option.Option) {
	size, err := quantity.ParseBytes(e.Value)
	limit := noticeableSize
	if def, defErr := quantity.ParseBytes(o.Default); o.HasDefault && defErr == nil && def != quantity.MaxBytes {
		limit = def / tinyShare
	}
	if err != nil || size >= limit {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%s is %s: a bare number is bytes", e.Key, size.Pretty()),
		Labels:  []advisor.Label{{Span: e.ValueSpan, Key: e.Key, Text: size.Pretty()}},
		Help:    fmt.Sprintf("write the unit; did you mean %sm?", quantity.Trim(e.Value)),
		Edits:   []advisor.Edit{advisor.Set(e.Key, quantity.Trim(e.Value)+"m", false)},
		Beyond:  float64(limit) / float64(size),
	})
}

func suspiciousDuration(t *advisor.Target, r *advisor.Report, e *conf.Entry, o *option.Option) {
	d, err := quantity.ParseDuration(e.Value, t.Version)
	def, defErr := quantity.ParseDuration(o.Default, t.Version)
	if err != nil || defErr != nil || !o.HasDefault || d.Seconds()*tinyShare >= def.Seconds() || d.Seconds()*1000 >= mostSeconds {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%s is %s: a bare number is milliseconds", e.Key, d.Format(t.Version)),
		Labels:  []advisor.Label{{Span: e.ValueSpan, Key: e.Key, Text: d.Format(t.Version)}},
		Notes:   []string{fmt.Sprintf("the default is %s", def.Format(t.Version))},
		Help:    fmt.Sprintf("write the unit; did you mean %s s?", quantity.Trim(e.Value)),
		Edits:   []advisor.Edit{advisor.Set(e.Key, quantity.Trim(e.Value)+" s", false)},
		Beyond:  def.Seconds() / tinyShare / d.Seconds(),
	})
}
