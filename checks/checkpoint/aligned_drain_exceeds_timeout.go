package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed aligned-drain-exceeds-timeout.md
var alignedDrainExceedsTimeoutDoc string

// AlignedDrainExceedsTimeout finds aligned barriers that cannot pass full buffers within the timeout.
var AlignedDrainExceedsTimeout = &advisor.Rule{
	ID:         "checkpoint/aligned-drain-exceeds-timeout",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Likely,
	Reads:      []string{keyTimeout, keyUnaligned, keyDebloat},
	Facts:      append([]string{"job.edges.rate"}, inFlightFacts...),
	Doc:        alignedDrainExceedsTimeoutDoc,
	Check:      alignedDrainExceedsTimeout,
}

func alignedDrainExceedsTimeout(t *advisor.Target, r *advisor.Report) {
	c := t.Checkpoint
	limit, seconds, ok := timeout(t)
	if !c.Enabled || c.Unaligned || !ok {
		return
	}
	if !c.AlignedDrain.Known {
		r.NotAssessed(c.AlignedDrain.Needs...)
		return
	}
	if c.AlignedDrain.V <= fullTimeout*seconds {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("under back pressure a barrier waits %s behind full buffers, and the checkpoint expires after %s", inSeconds(c.AlignedDrain.V), limit.V.Pretty()),
		Labels:  []advisor.Label{timeoutLabel(t)},
		Terms:   c.AlignedDrain.Terms,
		Beyond:  c.AlignedDrain.V / seconds,
		Help:    "switch unaligned checkpoints on with an aligned timeout, or raise the timeout",
	}
	if c.AlignedDrain.V <= seconds {
		f.Severity = advisor.Advice
		f.Message = fmt.Sprintf("under back pressure a barrier waits %s behind full buffers, more than half of the timeout of %s", inSeconds(c.AlignedDrain.V), limit.V.Pretty())
	}
	if c.AlignedDrainBreakEven.Known {
		f.Notes = append(f.Notes, fmt.Sprintf("it passes in time while every subtask takes %s", perSecond(c.AlignedDrainBreakEven.V)))
	}
	if t.Version.AtLeast(1, 14) && !c.Debloat {
		f.Help = "switch buffer debloating on (" + keyDebloat + "): the wait is then about a second for each exchange"
		f.Edits = []advisor.Edit{advisor.Set(keyDebloat, "true", false)}
	}
	r.Find(f)
}
