package upgrade

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed known-defect.md
var knownDefectDoc string

// maxListed is how many defects of the group are named; more would not be read, and the command defects prints them all.
const maxListed = 6

// KnownDefect finds known defects of the Flink release that the configuration meets.
var KnownDefect = &advisor.Rule{
	ID:         "upgrade/known-defect",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Unstable,
	Confidence: advisor.Likely,
	Reads: []string{
		"execution.checkpointing.unaligned.enabled", "execution.checkpointing.incremental", "execution.checkpointing.snapshot-compression",
		"high-availability.type", "state.backend.type", "jobmanager.scheduler", "table.exec.mini-batch.enabled",
	},
	Facts: []string{"flink", "java", "deployment.target", "deployment.mode", "job.api", "job.type", "job.edges", "job.vertices.sink", "job.vertices.source"},
	Doc:   knownDefectDoc,
	Check: knownDefect,
}

func knownDefect(t *advisor.Target, r *advisor.Report) {
	if t.VersionAssumed {
		r.NotAssessed("flink")
		return
	}
	var group, possible []defect.Hit
	for _, h := range defect.Find(&defect.Context{Flink: t.Version, Conf: t.Conf, Job: t.Job}) {
		switch {
		case h.Verdict.Truth == defect.True && standsAlone(h):
			r.Find(alone(t, h))
		case h.Verdict.Truth == defect.True:
			group = append(group, h)
		case len(h.Verdict.Circumstances) > 0:
			if h.Severity == defect.Critical && isTriggered(h) {
				possible = append(possible, h)
			}
		case h.Severity <= defect.High && !slices.Contains(h.Verdict.Facts, "upgrade.from"): // a check knows one release alone
			r.NotAssessed(h.Verdict.Facts...)
		}
	}
	if !slices.ContainsFunc(group, func(h defect.Hit) bool { return worthWriting(t, h) }) {
		group = nil
	}
	if len(group)+len(possible) > 0 {
		r.Find(together(t, group, possible))
	}
}

// standsAlone tells whether a defect is a finding of its own: where data is at stake, and where something serious can be avoided in the configuration or
// keeps Flink from starting. The others say little more than that the release is old, and are reported together; so are those of which neither the
// release nor anything written down speaks for sure.
func standsAlone(h defect.Hit) bool {
	if h.Affected == defect.Some && !isTriggered(h) {
		return false
	}
	avoidable := len(h.Edits) > 0 || h.Price == "none"
	return h.Severity == defect.Critical || h.Severity == defect.High && h.Certainty == defect.Seen && (avoidable || h.Impact == "wont-start")
}

// worthWriting tells whether a defect of the group is a reason for the finding. Lesser ones are only if they follow from what was written down and
// something near at hand ends them.
func worthWriting(t *advisor.Target, h defect.Hit) bool {
	_, near := h.FixedIn(t.Version)
	return h.Severity <= defect.High || h.Severity == defect.Medium && isTriggered(h) && (near || len(h.Edits) > 0)
}

// isTriggered tells whether the condition holds on something that was written down, not on defaults alone.
func isTriggered(h defect.Hit) bool {
	return slices.ContainsFunc(h.Verdict.Reasons, func(r defect.Reason) bool { return r.Entry != nil })
}

// severityOf is what a gate makes of a defect: what is critical fails it, if both ends of the range of releases were seen, the release is known
// to the patch level and is the Apache project's own. Holes that come with the release alone never fail it: no configuration mends them, and
// whether they can be reached is not known here.
func severityOf(t *advisor.Target, h defect.Hit) advisor.Severity {
	s := advisor.Warning
	if h.Severity == defect.Critical && h.Certainty == defect.Seen && !h.ByVersionAlone() {
		s = advisor.Error
	}
	if h.Affected == defect.Some || defect.Vendor(t.Version) != "" {
		s--
	}
	return s
}

func confidenceOf(t *advisor.Target, h defect.Hit) advisor.Confidence {
	if h.Affected == defect.Some || defect.Vendor(t.Version) != "" {
		return advisor.Possible
	}
	if h.Certainty == defect.Inferred {
		return advisor.Likely
	}
	return advisor.Certain
}

// maxHeadline is how long a headline may be, in characters, before what a summary says behind its colon goes into a note: about what two lines of
// a terminal hold.
const maxHeadline = 120

// headline is the message about one defect, and the rest of its summary where the whole would be too long.
func headline(t *advisor.Target, h defect.Hit) (message, rest string) {
	message = fmt.Sprintf("Flink %s has the defect %s: %s", t.Version, h.ID, h.Summary)
	if short, behind, ok := strings.Cut(h.Summary, ": "); ok && len(message) > maxHeadline {
		return fmt.Sprintf("Flink %s has the defect %s: %s", t.Version, h.ID, short), behind
	}
	return message, ""
}

// alone is the finding about one defect.
func alone(t *advisor.Target, h defect.Hit) advisor.Finding {
	message, rest := headline(t, h)
	f := advisor.Finding{
		Severity:   severityOf(t, h),
		Impact:     impactOf(h),
		Confidence: confidenceOf(t, h),
		Subject:    h.ID,
		Message:    message,
		Labels:     labels(t, h),
		Help:       help(t, h),
	}
	if rest != "" {
		f.Notes = append(f.Notes, rest)
	}
	f.Notes = append(f.Notes, "mended in "+mendedIn(h.Defect)+"; "+sureness(t, h))
	if h.Note != "" {
		f.Notes = append(f.Notes, h.Note)
	}
	f.Notes = append(f.Notes, "source: "+h.Sources)
	for _, e := range h.Edits {
		if _, known := t.Conf.Option(e.Key); !known && t.Conf.Entry(e.Key) == nil {
			continue
		}
		if e.Unset {
			if t.Conf.String(e.Key).Set() || t.Conf.Entry(e.Key) != nil {
				f.Edits = append(f.Edits, advisor.Unset(e.Key, false))
			}
			continue
		}
		f.Edits = append(f.Edits, advisor.Set(t.Conf.Name(e.Key), e.Value, false))
	}
	return f
}

// labels marks the options and facts that meet the defect, or the place that names the release.
func labels(t *advisor.Target, h defect.Hit) []advisor.Label {
	var out []advisor.Label
	for _, r := range h.Verdict.Reasons {
		if r.Span.Valid() && !slices.ContainsFunc(out, func(l advisor.Label) bool { return l.Span == r.Span }) {
			text := ""
			if len(out) == 0 {
				text = "meets it"
			}
			out = append(out, advisor.Label{Span: r.Span, Key: r.Name, Text: text})
		}
	}
	if len(out) == 0 {
		out = append(out, versionLabel(t, "meets it"))
	}
	return out
}

// versionLabel marks where the release is named, or else the head of the configuration.
func versionLabel(t *advisor.Target, text string) advisor.Label {
	if l, ok := advisor.FactLabel(t.Job.Flink, "flink", text); ok && t.Job.Flink.V == t.Version {
		return l
	}
	return t.Anchor(text)
}

// help is the release that mends the defect, and what helps until then.
func help(t *advisor.Target, h defect.Hit) string {
	var b strings.Builder
	b.WriteString(h.Cure(t.Version))
	if h.Workaround != "" {
		fmt.Fprintf(&b, "; until then %s", h.Workaround)
		if h.Price != "" && h.Price != "none" {
			fmt.Fprintf(&b, " (the price: %s)", h.Price)
		}
	}
	return b.String()
}

// mendedIn lists the releases with the repair.
func mendedIn(d *defect.Defect) string {
	var out []string
	for _, v := range d.Fixed {
		if l, ok := defect.LineOf(v); ok && v.Compare(l.Newest()) <= 0 {
			out = append(out, v.String())
		}
	}
	if len(out) == 0 {
		return "no release known"
	}
	return strings.Join(out, ", ")
}

// sureness says how sure it is that the release has the defect.
func sureness(t *advisor.Target, h defect.Hit) string {
	var parts []string
	if h.Affected == defect.Some {
		parts = append(parts, fmt.Sprintf("of the %s line %s have it: name the patch level", t.Version.Line(), releases(h.AffectedReleases(t.Version))))
	}
	if vendor := defect.Vendor(t.Version); vendor != "" {
		parts = append(parts, fmt.Sprintf("%s is a vendor's build, which may carry the repair", vendor))
	}
	if h.Certainty == defect.Inferred {
		parts = append(parts, "the first release that has it is inferred")
	} else {
		parts = append(parts, "which releases have it was checked in source, tags or announcements")
	}
	return strings.Join(parts, "; ")
}

func releases(list []version.Version) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.String()
	}
	return strings.Join(out, ", ")
}

// together is the finding about all the rest.
func together(t *advisor.Target, group, possible []defect.Hit) advisor.Finding {
	f := advisor.Finding{Labels: []advisor.Label{versionLabel(t, "")}}
	slices.SortStableFunc(group, func(a, b defect.Hit) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(impactOf(a), impactOf(b)))
	})
	list, what, one := group, "match this configuration", "matches this configuration"
	if len(group) == 0 {
		list, what, one, f.Confidence = possible, "can be met with this configuration", "can be met with this configuration", advisor.Possible
	} else {
		f.Confidence = confidenceOf(t, group[0])
	}
	f.Impact = impactOf(list[0])
	f.Message = fmt.Sprintf("%d known defects of Flink %s %s, the worst of them %s", len(list), t.Version, what, list[0].ID)
	if len(list) == 1 {
		f.Message = fmt.Sprintf("a known defect of Flink %s %s: %s", t.Version, one, list[0].ID)
	}
	mended := 0
	l, known := defect.LineOf(t.Version)
	for i, h := range list {
		if known && h.Affects(l.Newest()) == defect.No {
			mended++
		}
		if i < maxListed {
			f.Notes = append(f.Notes, line(t, h))
		}
	}
	if len(list) > maxListed {
		f.Notes = append(f.Notes, fmt.Sprintf("and %d more", len(list)-maxListed))
	}
	if len(group) > 0 && len(possible) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("critical, and met if %s: %s", possible[0].Verdict.Circumstances[0], line(t, possible[0])))
	}
	all := fmt.Sprintf("`flinkadvise defects --flink-version %s` lists the defects of the release", t.Version)
	switch {
	case mended == 0:
		f.Help = "no known release of the line mends this; " + all
	case mended == len(list) && len(list) == 1:
		f.Help = fmt.Sprintf("upgrade to %s, which mends it; %s", l.Newest(), all)
	case mended == len(list):
		f.Help = fmt.Sprintf("upgrade to %s, the newest release of the line, which mends all of them; %s", l.Newest(), all)
	default:
		f.Help = fmt.Sprintf("upgrade to %s, the newest release of the line, which mends %d of them; %s", l.Newest(), mended, all)
	}
	return f
}

// line is one defect of the group in a line.
func line(t *advisor.Target, h defect.Hit) string {
	mended := "not mended in the line"
	if v, ok := h.FixedIn(t.Version); ok {
		mended = "mended in " + v.String()
	}
	text := fmt.Sprintf("%s (%s, %s): %s", h.ID, h.Severity, mended, h.Summary)
	if len(h.Verdict.Circumstances) > 0 {
		text += "; met if " + strings.Join(h.Verdict.Circumstances, ", and ")
	}
	return text
}

// impactOf turns the impact's name into the engine's; the data's tests check the names.
func impactOf(h defect.Hit) advisor.Impact {
	i := slices.Index(defect.Impacts, h.Impact)
	return advisor.WontStart + advisor.Impact(max(i, 0))
}
