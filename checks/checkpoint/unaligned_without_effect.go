package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed unaligned-without-effect.md
var unalignedWithoutEffectDoc string

// UnalignedWithoutEffect finds unaligned checkpoints in a job whose exchanges, or some of them, stay aligned (StreamGraphGenerator).
var UnalignedWithoutEffect = &advisor.Rule{
	ID:         "checkpoint/unaligned-without-effect",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Reads:      []string{keyUnaligned},
	Facts:      []string{"job.vertices", "job.edges"},
	Doc:        unalignedWithoutEffectDoc,
	Check:      unalignedWithoutEffect,
}

func unalignedWithoutEffect(t *advisor.Target, r *advisor.Report) {
	c := t.Checkpoint
	if !c.Enabled || !c.Unaligned {
		return
	}
	if !c.InFlightJob.Known {
		r.NotAssessed(c.InFlightJob.Needs...)
		return
	}
	var surprising []advisor.Label
	unaligned := 0
	for _, e := range t.Network.Edges {
		switch {
		case e.Unaligned:
			unaligned++
		case e.ShipStrategy == "HASH" || e.ShipStrategy == "REBALANCE" || e.ShipStrategy == "SHUFFLE":
			// Nobody expects FORWARD to go unaligned; that an exchange stays aligned for its sibling's sake is news.
			surprising = append(surprising, advisor.Label{Span: e.Span, Text: e.Aligned})
		}
	}
	edges := len(t.Network.Edges)
	if edges == 0 || len(surprising) == 0 && unaligned > 0 {
		return
	}
	f := advisor.Finding{
		Labels: t.Labels(keyUnaligned, "on"),
		Notes:  []string{"barriers wait on these edges as they do in aligned checkpoints; one input that stays aligned keeps all inputs of its vertex aligned"},
		Help:   "give the broadcast or pointwise input a vertex of its own, or rely on buffer debloating and on less back pressure",
	}
	f.Message = fmt.Sprintf("unaligned checkpoints do not help on %d of %d edges that one would expect them on", len(surprising), edges)
	if unaligned == 0 {
		f.Message = "unaligned checkpoints have no effect: no edge of this job can go unaligned"
		if len(surprising) == 0 {
			f.Notes = []string{"FORWARD, RESCALE and BROADCAST exchanges always stay aligned"}
			f.Help = "switch them off: " + t.Conf.Name(keyUnaligned)
		}
	}
	for _, l := range surprising {
		if l.Span.Valid() {
			f.Labels = append(f.Labels, l)
		}
	}
	r.Find(f)
}
