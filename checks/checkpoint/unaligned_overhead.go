package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed unaligned-overhead.md
var unalignedOverheadDoc string

// UnalignedOverhead says what unaligned checkpoints that start unaligned add to every checkpoint.
var UnalignedOverhead = &advisor.Rule{
	ID:         "checkpoint/unaligned-overhead",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Slow,
	Confidence: advisor.Likely,
	Reads:      []string{keyUnaligned, keyAlignedTimeout, keyInterval},
	Facts:      inFlightFacts,
	Thresholds: []advisor.Threshold{
		{Name: "small-overhead", Unit: budget.Bytes, Default: 64 * float64(quantity.MiB), Why: "in-flight data of the whole job below which nothing is said: a storage stream writes 64 MiB in about a second"},
	},
	Doc:   unalignedOverheadDoc,
	Check: unalignedOverhead,
}

const (
	// The in-flight data is a warning when it takes more of the time to persist than the state itself, and that time is more than a tenth of the timeout.
	heavyShare, heavyTime = 0.5, 0.1
)

func unalignedOverhead(t *advisor.Target, r *advisor.Report) {
	c := t.Checkpoint
	if !c.Enabled || !c.Unaligned || !c.AlignedTimeout.IsZero() || t.Conf.Duration(keyAlignedTimeout).Set() && !t.Conf.Duration(keyAlignedTimeout).Has {
		return
	}
	if !c.InFlightJob.Known {
		r.NotAssessed(c.InFlightJob.Needs...)
		return
	}
	if float64(c.InFlightJob.V) < r.Threshold("small-overhead") {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("every checkpoint starts unaligned and writes in-flight data: up to %s, %s from one TaskManager",
			c.InFlightJob.V.Pretty(), c.InFlightPerTaskManager.V.Pretty()),
		Labels: t.Labels(keyUnaligned, "unaligned from the start"),
		Terms:  c.InFlightJob.Terms,
		Beyond: float64(c.InFlightJob.V) / r.Threshold("small-overhead"),
	}
	if c.InFlightCapPerTaskManager.Known {
		f.Notes = append(f.Notes, fmt.Sprintf("the pools of this job hold %s in a TaskManager; its network memory of %s is only the outer limit",
			c.InFlightPerTaskManager.V.Pretty(), c.InFlightCapPerTaskManager.V.Pretty()))
	}
	if c.InFlightDebloated.Known && c.InFlightDebloated.V < c.InFlightJob.V {
		f.Notes = append(f.Notes, fmt.Sprintf("buffer debloating leaves about %s of it at the rates of the job file", c.InFlightDebloated.V.Pretty()))
	}
	f.Notes = append(f.Notes, "it grows with the square of the parallelism, and a recovering task reads it back before it does anything else")
	if c.Duration.Known && c.Duration.V > 0 {
		share := 1 - c.DurationLeast.V/c.Duration.V
		f.Notes = append(f.Notes, fmt.Sprintf("a checkpoint is written in %[2]s at most, and in-flight data takes %.0[1]f %% of that", 100*share, inSeconds(c.Duration.V)))
		if _, seconds, ok := timeout(t); ok && share > heavyShare && c.Duration.V > heavyTime*seconds {
			f.Severity = advisor.Warning
		}
	}
	f.Help, f.Edits = startAligned(t)
	r.Find(f)
}

// startAligned is the advice to begin every checkpoint aligned; versions before 1.12 have no such option.
func startAligned(t *advisor.Target) (string, []advisor.Edit) {
	debloat := ""
	if t.Version.AtLeast(1, 14) && !t.Checkpoint.Debloat {
		debloat = "; buffer debloating (" + keyDebloat + ") makes both kinds smaller"
	}
	if t.Version.Before(1, 12) {
		return "switch unaligned checkpoints off until back pressure asks for them" + debloat, nil
	}
	name := t.Conf.Name(keyAlignedTimeout)
	return fmt.Sprintf("set %s, so that a checkpoint goes unaligned only when barriers are late", name) + debloat,
		[]advisor.Edit{advisor.Set(name, alignedTimeout(t), false)}
}
