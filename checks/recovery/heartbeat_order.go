package recovery

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed heartbeat-order.md
var heartbeatOrderDoc string

// HeartbeatOrder finds heartbeats that are sent less often than they are missed.
var HeartbeatOrder = &advisor.Rule{
	ID:         "recovery/heartbeat-order",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyHeartbeat, keyHeartbeatMax},
	Doc:        heartbeatOrderDoc,
	Check:      heartbeatOrder,
}

// missedBeats is how many heartbeats should fit into the timeout: with fewer, one lost message is a lost process. Flink's defaults leave five.
const missedBeats = 2

func heartbeatOrder(t *advisor.Target, r *advisor.Report) {
	interval, timeout := t.Conf.Duration(keyHeartbeat), t.Conf.Duration(keyHeartbeatMax)
	if !interval.Has || !timeout.Has || !interval.Set() && !timeout.Set() {
		return
	}
	f := advisor.Finding{
		Labels: t.Labels(keyHeartbeatMax, "timeout", keyHeartbeat, "interval"),
		Terms: []budget.Term{
			advisor.OptionTerm("heartbeat interval", interval, interval.V.Seconds(), budget.Seconds),
			advisor.OptionTerm("heartbeat timeout", timeout, timeout.V.Seconds(), budget.Seconds),
		},
		Help: "leave both at Flink's defaults (10 s and 50 s), or keep the timeout at three intervals at least",
	}
	switch {
	case interval.V.IsZero():
		f.Message = "the heartbeat interval is 0, and no process starts with that"
	case interval.V.Compare(timeout.V) > 0:
		f.Message = fmt.Sprintf("heartbeats are sent every %s and missed after %s: no process starts with that", interval.V.Pretty(), timeout.V.Pretty())
		f.Notes = []string{unitNote(timeout.V.Seconds())}
	case timeout.V.Seconds() < missedBeats*interval.V.Seconds():
		f.Severity, f.Impact, f.Confidence = advisor.Warning, advisor.Unstable, advisor.Likely
		f.Message = fmt.Sprintf("heartbeats are sent every %s and missed after %s: one late message counts as a lost process", interval.V.Pretty(), timeout.V.Pretty())
	default:
		return
	}
	if len(f.Notes) > 0 && f.Notes[0] == "" {
		f.Notes = nil
	}
	r.Find(f)
}

// unitNote explains a timeout below a second: the number was thought to be seconds.
func unitNote(seconds float64) string {
	if seconds >= 1 {
		return ""
	}
	return "a number without a unit is milliseconds"
}
