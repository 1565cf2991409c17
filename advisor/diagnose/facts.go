package diagnose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// A Fact is something taken out of the logs, for reports.
type Fact struct{ Name, Value, From string }

// Sentence is what a match says, with what the log filled in.
func (m *Match) Sentence() string { return filled(m.Says, m.Words) }

// Sentence is what a verdict says; for a defect that was met, what the defect does.
func (v Verdict) Sentence() string {
	if v.Defect != nil {
		return v.Defect.ID + ": " + v.Defect.Summary
	}
	if v.Of != "" {
		return v.Match.Sentence() + " after " + v.Of
	}
	return v.Match.Sentence()
}

// mostSolutions is how many of the TaskManagers that fit a profile are told.
const mostSolutions = 4

// Facts are what was taken out of the logs, as lines for people.
func (d *Diagnosis) Facts() []Fact {
	var out []Fact
	add := func(name, value, from string) { out = append(out, Fact{name, value, from}) }
	if v, p, ok := d.Release(); ok {
		add("Flink", v.String(), d.String(p))
	}
	if others := d.Versions; len(others) > 1 {
		var names []string
		for _, v := range others[1:] {
			names = append(names, v.V.String())
		}
		add("also named", strings.Join(names, ", "), d.String(others[1].Place))
	}
	if len(d.Java) > 0 {
		add("Java", strconv.Itoa(d.Java[0].V), d.String(d.Java[0].Place))
	}
	if d.Evidence.Target != nil {
		add("deployment", d.Evidence.Target.V, d.String(d.Evidence.Target.Place))
	}
	entries := d.layer().Entries
	for _, s := range d.Settings {
		if i := slices.IndexFunc(entries, func(e conf.Entry) bool { return e.Key == s.Key && e.Value == s.Value }); s.Told && i >= 0 {
			add("told", s.Key+": "+s.Value, d.String(s.Place))
			entries = slices.Delete(entries, i, i+1)
		}
	}
	if i := slices.IndexFunc(d.Settings, func(s Setting) bool { return !s.Told }); i >= 0 && len(entries) > 0 {
		add("configuration", count(len(entries), "option"), d.String(d.Settings[i].Place))
	}
	d.memoryFacts(add)
	if p := d.Target.Job.Job.Parallelism; p.Known {
		add("parallelism", strconv.Itoa(p.V), p.Origin())
	}
	for _, v := range d.Vertices[:min(len(d.Vertices), mostSolutions)] {
		value := fmt.Sprintf("%s, parallelism %d", v.Kind, v.Parallelism)
		if w := v.Window; w != nil {
			value += fmt.Sprintf("; %s window of %s", w.Kind, w.Size)
			if w.Slide != "" {
				value += ", slide " + w.Slide
			}
			if w.Distinct {
				value += ", with DISTINCT"
			}
		}
		add("task", value, d.String(v.Place))
	}
	d.checkpointFacts(add)
	for _, known := range reasons {
		if n := d.Reasons[known]; n.Count > 0 {
			add("checkpoint failure", fmt.Sprintf("%s (%s)", known, count(n.Count, "time")), d.String(n.First))
		}
	}
	if d.Restarts > 0 {
		add("restarts", count(d.Restarts, "restart")+" of the job", "")
	}
	if d.Cause != nil {
		add("job failed of", d.Cause.V, d.String(d.Cause.Place))
	}
	return out
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func (d *Diagnosis) memoryFacts(add func(name, value, from string)) {
	for _, t := range []struct {
		name string
		seen *Seen[map[string]quantity.Bytes]
	}{{"TaskManager memory", d.TaskManagerMemory}, {"JobManager memory", d.JobManagerMemory}} {
		if t.seen != nil {
			add(t.name, fmt.Sprintf("process size %s, Flink size %s", t.seen.V["process"].Pretty(), t.seen.V["flink"].Pretty()), d.String(t.seen.Place))
		}
	}
	if d.Mismatch != "" {
		add("note", d.Mismatch, "")
	}
	if n := d.NetworkBuffers; n != nil {
		add("network buffers", fmt.Sprintf("%d of %d bytes", n.V[0], n.V[1]), d.String(n.Place))
	}
	if d.Profile.Line == 0 {
		return
	}
	p := d.Profile.V
	add("slot profile", fmt.Sprintf("%s task heap, %s managed, %s network", p.TaskHeap.Pretty(), p.Managed.Pretty(), p.Network.Pretty()), d.String(d.Profile.Place))
	for i, s := range d.Solutions[:min(len(d.Solutions), mostSolutions)] {
		name := "which gives"
		if i > 0 {
			name = "or"
		}
		sizes := fmt.Sprintf("Flink size %s (process size %s)", s.FlinkSize.Config(), s.ProcessSize.Config())
		if !s.ByFlink {
			sizes = fmt.Sprintf("process size %s", s.ProcessSize.Config())
		}
		add(name, fmt.Sprintf("%d slots, %s, %s cores", s.Slots, sizes, strconv.FormatFloat(s.CPU, 'f', -1, 64)), "with the defaults of Flink "+d.Target.Version.Line().String()+" for what is not known")
	}
}

func (d *Diagnosis) checkpointFacts(add func(name, value, from string)) {
	if len(d.Checkpoints) == 0 {
		return
	}
	outcomes := map[string]int{}
	var sizes []quantity.Bytes
	var longest *Checkpoint
	for _, c := range d.Checkpoints {
		outcomes[c.Outcome]++
		if c.Outcome == "completed" {
			sizes = append(sizes, c.Size)
			if longest == nil || c.Duration > longest.Duration {
				longest = c
			}
		}
	}
	var parts []string
	for _, o := range []string{"completed", "expired", "declined", "failed"} {
		if outcomes[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", outcomes[o], o))
		}
	}
	if len(parts) == 0 {
		parts = []string{count(len(d.Checkpoints), "triggered checkpoint")}
	}
	add("checkpoints", strings.Join(parts, ", "), d.String(d.Checkpoints[0].place()))
	if longest != nil {
		add("completed ones", fmt.Sprintf("up to %s, up to %s", slices.Max(sizes).Pretty(), longest.Duration), d.String(longest.Ended))
	}
}
