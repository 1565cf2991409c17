package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed timeout-too-short.md
var timeoutTooShortDoc string

// TimeoutTooShort compares the time to persist a checkpoint with the timeout, or turns the sum around where facts are missing.
var TimeoutTooShort = &advisor.Rule{
	ID:         "checkpoint/timeout-too-short",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Likely,
	Reads:      []string{keyTimeout, keyTolerable, keyUnaligned, keyIncremental},
	Facts:      durationFacts,
	Thresholds: []advisor.Threshold{
		{Name: "short-timeout", Unit: budget.Seconds, Default: shortTimeout, Why: "half of Flink's default; nothing is gained by less, because a checkpoint that expires is thrown away whole"},
	},
	Doc:   timeoutTooShortDoc,
	Check: timeoutTooShort,
}

func timeoutTooShort(t *advisor.Target, r *advisor.Report) {
	c := t.Checkpoint
	limit, seconds, ok := timeout(t)
	if !c.Enabled || !ok {
		return
	}
	f := advisor.Finding{Labels: []advisor.Label{timeoutLabel(t)}}
	half, halfKnown := c.Persist(0.5)
	switch {
	case c.DurationLeast.Known && c.DurationLeast.V > seconds:
		f.Severity, f.Impact = advisor.Error, advisor.WillFail
		f.Message = fmt.Sprintf("a checkpoint takes %s to write its state alone, and expires after %s", inSeconds(c.DurationLeast.V), limit.V.Pretty())
		f.Beyond = c.DurationLeast.V / seconds
	case halfKnown && half > seconds:
		f.Impact = advisor.WillFail
		f.Message = fmt.Sprintf("under back pressure a checkpoint takes %s to write, and expires after %s", inSeconds(half), limit.V.Pretty())
		f.Notes = []string{"that is with half of the buffers full; unaligned checkpoints write what is in them"}
		f.Beyond = half / seconds
	case c.Duration.Known && c.Duration.V > fullTimeout*seconds:
		f.Message = fmt.Sprintf("a checkpoint may take %s to write, which leaves little of its timeout of %s", inSeconds(c.Duration.V), limit.V.Pretty())
		f.Beyond = c.Duration.V / (fullTimeout * seconds)
	case c.Duration.Known:
		return
	default:
		r.NotAssessed(c.Duration.Needs...)
		failures, known := tolerable(t)
		if !limit.Set() || seconds >= r.Threshold("short-timeout") {
			return
		}
		f.Message = fmt.Sprintf("a checkpoint expires after %s; Flink's default is 10 minutes", limit.V.Pretty())
		f.Confidence, f.Severity = advisor.Possible, advisor.Advice
		f.Beyond = r.Threshold("short-timeout") / seconds
		f.Notes = append(turnedAround(t), "a short timeout seldom helps: a checkpoint that expires is thrown away whole, and the next one has more to do")
		f.Help = "go back to the default of 10 minutes, and look for the reason of slow checkpoints: back pressure first, then the storage"
		f.Edits = []advisor.Edit{advisor.Set(keyTimeout, minutes(defaultTimeout), false)}
		if known && failures == 0 {
			f.Severity = advisor.Warning
			f.Notes = append(f.Notes, "no failed checkpoint is tolerated, so one that expires restarts the job")
		}
		r.Find(f)
		return
	}
	f.Terms = c.Duration.Terms
	f.Notes = append(f.Notes, turnedAround(t)...)
	worst := max(c.Duration.V, c.DurationLeast.V)
	f.Help = fmt.Sprintf("raise the timeout to %s, which is %d times the estimate", minutes(roomyTimeout*worst), roomyTimeout)
	f.Edits = []advisor.Edit{advisor.Set(keyTimeout, minutes(roomyTimeout*worst), false)}
	if ways := smaller(t); ways != "" {
		f.Help += "; or write less: " + ways
	}
	r.Find(f)
}

// exampleThroughput is the throughput for which a sentence says how much state fits, when none is known. It is an example and said to be one.
const exampleThroughput = 100 * quantity.MiB

// turnedAround says what the timeout does hold for.
func turnedAround(t *advisor.Target) []string {
	c := t.Checkpoint
	var notes []string
	switch {
	case c.BreakEven.Known && len(c.BreakEven.Needs) == 0:
		note := fmt.Sprintf("it holds while storage takes %s over the job", perSecond(c.BreakEven.V))
		if c.BreakEvenPerTaskManager.Known {
			note += fmt.Sprintf(", %s from each TaskManager", perSecond(c.BreakEvenPerTaskManager.V))
		}
		notes = append(notes, note)
	case c.BreakEven.Known:
		notes = append(notes, fmt.Sprintf("the in-flight data of an unaligned checkpoint, %s at most, is written in time while storage takes %s; state comes on top",
			c.InFlightJob.V.Pretty(), perSecond(c.BreakEven.V)))
	}
	if !c.State.Known {
		if size, ok := c.StateThatFits(float64(exampleThroughput)); ok {
			with := ""
			if c.Unaligned {
				with = fmt.Sprintf(" and %s in flight", c.InFlightJob.V.Pretty())
			}
			notes = append(notes, fmt.Sprintf("with %s%s, %s of state fit at, for example, %s", c.Timeout.Pretty(), with, size.Pretty(), perSecond(float64(exampleThroughput))))
		}
	}
	return notes
}

// smaller lists ways to write less in a checkpoint.
func smaller(t *advisor.Target) string {
	c := t.Checkpoint
	ways := ""
	add := func(way string) {
		if ways != "" {
			ways += ", "
		}
		ways += way
	}
	if c.Unaligned && c.AlignedTimeout.IsZero() {
		add("stay aligned while there is no back pressure (" + t.Conf.Name(keyAlignedTimeout) + ")")
	}
	if c.Unaligned && !c.Debloat && t.Version.AtLeast(1, 14) {
		add("shrink in-flight data with buffer debloating")
	}
	if backend, _ := budget.BackendOf(t.Conf); backend == budget.RocksDBBackend && !c.Incremental {
		add("incremental checkpoints")
	}
	return ways
}
