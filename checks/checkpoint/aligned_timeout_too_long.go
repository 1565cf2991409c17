package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed aligned-timeout-too-long.md
var alignedTimeoutTooLongDoc string

// AlignedTimeoutTooLong finds unaligned checkpoints that expire before they may go unaligned.
var AlignedTimeoutTooLong = &advisor.Rule{
	ID:         "checkpoint/aligned-timeout-too-long",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Reads:      []string{keyUnaligned, keyAlignedTimeout, keyTimeout},
	Doc:        alignedTimeoutTooLongDoc,
	Check:      alignedTimeoutTooLong,
}

func alignedTimeoutTooLong(t *advisor.Target, r *advisor.Report) {
	aligned := t.Conf.Duration(keyAlignedTimeout)
	limit, seconds, ok := timeout(t)
	if !t.Checkpoint.Unaligned || !aligned.Has || aligned.V.IsZero() || !ok {
		return
	}
	f := advisor.Finding{
		Labels: t.Labels(keyAlignedTimeout, "goes unaligned after "+aligned.V.Pretty(), keyTimeout, "expires after "+limit.V.Pretty()),
		Help:   "set it to a quarter of the checkpoint timeout or less",
		Edits:  []advisor.Edit{advisor.Set(keyAlignedTimeout, alignedTimeout(t), false)},
		Beyond: aligned.V.Seconds() / seconds,
	}
	switch {
	case aligned.V.Seconds() >= seconds:
		f.Message = fmt.Sprintf("checkpoints never go unaligned: they expire after %s, and stay aligned for %s", limit.V.Pretty(), aligned.V.Pretty())
	case aligned.V.Seconds() > fullTimeout*seconds:
		f.Severity, f.Impact, f.Confidence = advisor.Advice, advisor.Unstable, advisor.Likely
		f.Message = fmt.Sprintf("a checkpoint stays aligned for %s of its timeout of %s, which leaves little for the unaligned part", aligned.V.Pretty(), limit.V.Pretty())
	default:
		return
	}
	r.Find(f)
}
