package checkpoint

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed disabled.md
var disabledDoc string

// Disabled finds jobs with state, and settings of checkpoints, without checkpoints.
var Disabled = &advisor.Rule{
	ID:         "checkpoint/disabled",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.DataLoss,
	Confidence: advisor.Likely,
	Reads:      []string{keyInterval},
	Facts:      []string{"job.type", "job.vertices", "state.size"},
	Doc:        disabledDoc,
	Check:      disabled,
}

func disabled(t *advisor.Target, r *advisor.Report) {
	interval := t.Conf.Duration(keyInterval)
	if interval.Set() || t.Checkpoint.Enabled || t.Job.Job.Type.V == "batch" || t.Conf.Enum("execution.runtime-mode").V == "BATCH" {
		return
	}
	f := advisor.Finding{
		Notes: []string{
			"without checkpoints a failure loses all state, sources start where the connector says, and no restart strategy is chosen by default",
		},
		Help:   fmt.Sprintf("set %s, for example to 1 min", keyInterval),
		Edits:  []advisor.Edit{advisor.Set(keyInterval, "1 min", false)},
		Labels: []advisor.Label{t.Anchor("no interval here", settings(t)...)},
	}
	why := stateful(t)
	switch {
	case why != "":
		f.Message = fmt.Sprintf("checkpoints are off: %s is not set, and the job %s", keyInterval, why)
		f.Notes = append(f.Notes, "a job may switch them on in its code; nothing here shows that")
	case len(settings(t)) > 0:
		f.Severity, f.Impact, f.Confidence = advisor.Advice, advisor.NoEffect, advisor.Possible
		f.Message = fmt.Sprintf("checkpoints are set up here and not switched on: %s is missing", keyInterval)
		f.Notes = append(f.Notes, "that is right if every job switches them on in its code")
	default:
		return
	}
	r.Find(f)
}

// settings are the keys of options that only make sense with periodic checkpoints. Directories do not count: savepoints and jobs' own settings use them.
func settings(t *advisor.Target) []string {
	var keys []string
	for _, e := range t.Conf.Prefixed("execution.checkpointing.") {
		name := strings.TrimPrefix(e.Key, "execution.checkpointing.")
		switch name {
		case "timeout", "min-pause", "max-concurrent-checkpoints", "tolerable-failed-checkpoints", "unaligned", "unaligned.enabled",
			"aligned-checkpoint-timeout", "alignment-timeout", "mode":
			keys = append(keys, e.Key)
		}
	}
	return keys
}

// stateful says what shows that the job has state worth keeping, or "".
func stateful(t *advisor.Target) string {
	if t.Job.State.Size.V > 0 {
		return "has " + t.Job.State.Size.V.Pretty() + " of state"
	}
	for _, v := range t.Job.Job.Vertices {
		switch {
		case v.Sink != nil && v.Sink.Guarantee.V == "exactly-once":
			return "has an exactly-once sink (" + v.ID + "), which commits with checkpoints"
		case v.Window != nil:
			return "has windows (" + v.ID + ")"
		case v.KeyedStates.V > 0:
			return "has keyed state (" + v.ID + ")"
		}
	}
	return ""
}
