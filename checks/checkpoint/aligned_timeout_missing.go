package checkpoint

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed aligned-timeout-missing.md
var alignedTimeoutMissingDoc string

// AlignedTimeoutMissing finds unaligned checkpoints that never try to be aligned.
var AlignedTimeoutMissing = &advisor.Rule{
	ID:         "checkpoint/aligned-timeout-missing",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Slow,
	Confidence: advisor.Certain,
	Reads:      []string{keyUnaligned, keyAlignedTimeout},
	Facts:      []string{"job.api"},
	Doc:        alignedTimeoutMissingDoc,
	Check:      alignedTimeoutMissing,
}

func alignedTimeoutMissing(t *advisor.Target, r *advisor.Report) {
	c := t.Checkpoint
	limit := t.Conf.Duration(keyAlignedTimeout)
	if !c.Unaligned || t.Version.Before(1, 12) || !limit.Has || !limit.V.IsZero() {
		return
	}
	if c.InFlightJob.Known && c.InFlightJob.V == 0 {
		return // no edge can go unaligned
	}
	f := advisor.Finding{
		Confidence: sureOf(t, keyAlignedTimeout),
		Message:    "checkpoints start unaligned even when nothing is held up: the aligned timeout is 0",
		Labels:     []advisor.Label{t.Anchor("goes unaligned at once", keyAlignedTimeout, keyUnaligned)},
		Notes:      []string{"an aligned checkpoint writes no in-flight data and makes fewer files"},
		CausedBy:   []string{"checkpoint/unaligned-overhead"},
	}
	f.Help, f.Edits = startAligned(t)
	r.Find(f)
}
