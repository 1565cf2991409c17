// Package upgrade holds the rules about the Flink release itself.
package upgrade

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
)

//go:embed behind-on-patches.md
var behindOnPatchesDoc string

// tolerablePatches is how many patch releases a cluster may be behind without a word. A line gets one every three to five months, and testing a new one
// takes weeks, so that one behind is the ordinary state of a well-kept cluster.
const tolerablePatches = 1

// BehindOnPatches finds releases that several later patch releases of their line have overtaken.
var BehindOnPatches = &advisor.Rule{
	ID:         "upgrade/behind-on-patches",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Hygiene,
	Confidence: advisor.Certain,
	Facts:      []string{"flink"},
	Doc:        behindOnPatchesDoc,
	Check:      behindOnPatches,
}

func behindOnPatches(t *advisor.Target, r *advisor.Report) {
	if t.VersionAssumed {
		r.NotAssessed("flink")
		return
	}
	n, newest := defect.BehindBy(t.Version)
	if n <= tolerablePatches || defect.Vendor(t.Version) != "" {
		return
	}
	line, _ := defect.LineOf(t.Version)
	f := advisor.Finding{
		Message:  fmt.Sprintf("Flink %s is %d patch releases behind %s", t.Version, n, newest),
		Labels:   []advisor.Label{versionLabel(t, "")},
		Help:     fmt.Sprintf("upgrade to %s: patch releases bring repairs, and rarely a change of behaviour, which the announcement names", newest),
		Notes:    []string{fmt.Sprintf("%s came out in %s; what is known here ends on %s, newer ones may exist", newest, line.LastDate, defect.KnownAsOf)},
		CausedBy: []string{KnownDefect.ID},
	}
	if line.EndedBy.Known() {
		f.Notes = append(f.Notes, fmt.Sprintf("the %s line has had no support since Flink %s came out", line.Minor, line.EndedBy))
	}
	for _, h := range defect.Find(&defect.Context{Flink: newest, From: t.Version, Conf: t.Conf, Job: t.Job}) {
		if h.Severity <= defect.High && h.Verdict.Truth == defect.True && h.Affects(t.Version) == defect.No {
			f.Notes = append(f.Notes, fmt.Sprintf("%s has a defect that %s does not have: %s, %s", newest, t.Version, h.ID, h.Summary))
		}
	}
	r.Find(f)
}
