package sql

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed idle-timeout-short.md
var idleTimeoutShortDoc string

// IdleTimeoutShort finds sources that are taken for idle at the first pause.
var IdleTimeoutShort = &advisor.Rule{
	ID:         "sql/idle-timeout-short",
	Since:      "0.1",
	Preview:    true,
	Severity:   advisor.Warning,
	Impact:     advisor.DataLoss,
	Confidence: advisor.Possible,
	Reads:      []string{keyIdle},
	Doc:        idleTimeoutShortDoc,
	Check:      idleTimeoutShort,
}

// shortIdle is an idle timeout, in seconds, that an ordinary pause exceeds: a fetch from Kafka, a garbage collection or a moment of back pressure takes as long.
const shortIdle = 1

func idleTimeoutShort(t *advisor.Target, r *advisor.Report) {
	v := t.Conf.Duration(keyIdle)
	if !v.Set() || !v.Has || v.V.IsZero() || v.V.Seconds() >= shortIdle || t.Version.Before(1, 15) {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("a source that pauses for %s counts as idle, and what it sends afterwards may be late and dropped", v.V.Pretty()),
		Labels:  t.Labels(keyIdle, "short"),
		Terms:   []budget.Term{advisor.OptionTerm("idle timeout", v, v.V.Seconds(), budget.Seconds)},
		Notes:   []string{"event time goes on without idle inputs; windows that fire meanwhile drop their later records without an error"},
		Help:    "use some seconds, longer than a pause of the garbage collector and than the usual gap between records",
		Beyond:  shortIdle / v.V.Seconds(),
	}
	if t.Version.Before(2, 0) {
		f.Notes = append(f.Notes, "before Flink 2.0 an input that is held back by back pressure counts as idle too (FLINK-35886)")
	}
	r.Find(f)
}
