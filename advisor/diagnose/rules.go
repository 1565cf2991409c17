package diagnose

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed pages/*.md
var pages embed.FS

// category begins the ids of the rules about logs.
const category = "log/"

// KnownDefectRule is the id of the rule that reports traces of known defects.
const KnownDefectRule = category + "known-defect"

const restartsRule = category + "restarts"

const since = "0.1"

// ruleList is every rule about logs. Their findings are what signatures.txt says, and severity and impact are the gravest there.
var ruleList = []struct {
	name     string
	severity advisor.Severity
	impact   advisor.Impact
	// causedBy are rules about the configuration that explain the same failure with its arithmetic.
	causedBy []string
}{
	{"known-defect", advisor.Error, advisor.WillFail, nil},
	{"configuration-refused", advisor.Error, advisor.WontStart, []string{"checkpoint/unaligned-refused", "syntax/not-loadable", "state/unknown-backend"}},
	{"configuration-ignored", advisor.Error, advisor.NoEffect, []string{"syntax/no-separator"}},
	{"memory-refused", advisor.Error, advisor.WontStart, []string{"memory/does-not-fit", "memory/not-configured", "memory/conflicting-totals"}},
	{"out-of-memory", advisor.Error, advisor.WillFail, nil},
	{"insufficient-buffers", advisor.Error, advisor.WillFail, []string{"network/insufficient-buffers"}},
	{"not-enough-slots", advisor.Error, advisor.WontStart, nil},
	{"file-system", advisor.Error, advisor.WillFail, nil},
	{"restore-refused", advisor.Error, advisor.WontStart, nil},
	{"checkpoint-failed", advisor.Error, advisor.WillFail, nil},
	{"task-stuck", advisor.Error, advisor.Unstable, nil},
	{"lost-taskmanager", advisor.Error, advisor.Unstable, nil},
	{"cannot-connect", advisor.Error, advisor.WontStart, nil},
	{"connector", advisor.Error, advisor.WillFail, nil},
	{"java", advisor.Error, advisor.WillFail, nil},
	{"restarts", advisor.Error, advisor.WillFail, nil},
}

// Rules are the rules about logs, asking this diagnosis. Those of a diagnosis without evidence can be listed and explained, and find nothing.
func (d *Diagnosis) Rules() []*advisor.Rule {
	var out []*advisor.Rule
	for _, r := range ruleList {
		id := category + r.name
		page, err := pages.ReadFile("pages/" + r.name + ".md")
		if err != nil {
			page = []byte("# " + id + "\n") // the tests demand every page
		}
		rule := &advisor.Rule{
			ID: id, Since: since, Severity: r.severity, Impact: r.impact, Confidence: advisor.Certain, Doc: string(page) + traces(id), Reads: keysOf(id),
		}
		rule.Check = func(t *advisor.Target, report *advisor.Report) { d.check(rule.ID, r.causedBy, t, report) }
		out = append(out, rule)
	}
	return out
}

// traces is the part of a rule's page that lists its signatures.
func traces(id string) string {
	var b strings.Builder
	b.WriteString("\n## Traces\n\n")
	if id == KnownDefectRule {
		b.WriteString("Those of `flinkadvise defects`.\n")
		return b.String()
	}
	for _, s := range Signatures() {
		if s.Rule == id {
			fmt.Fprintf(&b, "- `%s` (%s): %s\n", s.ID, s.Kind, s.Says)
		}
	}
	return b.String()
}

// keysOf are the options that signatures of a rule concern.
func keysOf(id string) []string {
	var out []string
	for _, s := range Signatures() {
		if s.Rule == id && len(s.Defects) == 0 {
			out = append(out, s.Keys...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (d *Diagnosis) check(rule string, causedBy []string, t *advisor.Target, r *advisor.Report) {
	if d.Evidence == nil {
		return
	}
	for _, v := range d.Verdicts {
		if v.Rule == rule {
			f := d.finding(v, t, r)
			f.CausedBy = append(f.CausedBy, causedBy...)
			r.Find(f)
		}
		// What could have come about without this verdict too has a finding of its own: its settings may be wrong all the same.
		for _, m := range v.Brought {
			if m.Kind == Cause && m.Rule == rule && m.Rule != v.Rule {
				f := d.finding(Verdict{Match: m}, t, r)
				f.Confidence = advisor.Likely
				f.Notes = append(f.Notes, fmt.Sprintf("%s explains it (%s); so would what is said here", v.name(), d.String(v.First)))
				r.Find(f)
			}
		}
	}
	if rule == KnownDefectRule && len(d.Possible) > 0 {
		r.Find(d.possible(t))
	}
}

// finding is what a verdict comes to.
func (d *Diagnosis) finding(v Verdict, t *advisor.Target, r *advisor.Report) advisor.Finding {
	f := advisor.Finding{
		Severity: v.Severity, Impact: v.Impact,
		Message: v.Sentence(), Notes: slices.Clone(v.Notes), Help: filled(v.Help, v.Words),
		Labels: []advisor.Label{d.label(v.First, "", times(v.Count))},
	}
	if v.Kind != Cause {
		f.Confidence = advisor.Likely
		if v.Of == "" {
			f.Notes = append(f.Notes, "this is a "+v.Kind.String()+": what it comes from is not in these logs")
		}
	}
	for _, m := range v.Brought { // as grave as what it brought about
		f.Severity, f.Impact = max(f.Severity, m.Severity), min(f.Impact, m.Impact)
	}
	if v.Defect != nil {
		d.defect(&f, v, t, r)
	}
	if explain := details[v.ID]; explain != nil {
		explain(d, v, t, r, &f)
	}
	for _, m := range v.Brought {
		f.Notes = append(f.Notes, fmt.Sprintf("%s of it: %s (%s)", d.As(m), m.Sentence(), d.String(m.First)))
		f.Labels = append(f.Labels, d.label(m.First, "", d.As(m).String()))
	}
	f.Labels = append(f.Labels, labelsOf(t, v.Keys)...)
	f.Labels = slices.DeleteFunc(f.Labels, func(l advisor.Label) bool { return !l.Span.Valid() })
	return f
}

// name is what a sentence calls a verdict.
func (v Verdict) name() string {
	if v.Defect != nil {
		return v.Defect.ID
	}
	return "\"" + v.Match.Sentence() + "\""
}

// times says how often something was seen, where that is more than once.
func times(n int) string {
	if n < 2 {
		return ""
	}
	return strconv.Itoa(n) + " times"
}

// filled puts the words of a line into a sentence.
func filled(sentence string, words map[string]string) string {
	if !strings.Contains(sentence, "{") {
		return sentence
	}
	pairs := make([]string, 0, 2*len(words))
	for k, w := range words {
		pairs = append(pairs, "{"+k+"}", w)
	}
	return strings.NewReplacer(pairs...).Replace(sentence)
}

// labelsOf marks the options concerned that are set.
func labelsOf(t *advisor.Target, keys []string) []advisor.Label {
	var out []advisor.Label
	for _, k := range keys {
		if l, ok := t.Label(k, ""); ok {
			out = append(out, l)
		}
	}
	return out
}

// defect fills in what is known of a defect that was met.
func (d *Diagnosis) defect(f *advisor.Finding, v Verdict, t *advisor.Target, r *advisor.Report) {
	x := v.Defect
	f.Impact = advisor.WontStart + advisor.Impact(max(slices.Index(defect.Impacts, x.Impact), 0))
	f.Notes = append(f.Notes, "in the log stands, frame by frame, the stack of this defect", "source: "+x.Sources)
	if x.Note != "" {
		f.Notes = append(f.Notes, x.Note)
	}
	if t.VersionAssumed {
		f.Severity, f.Confidence = advisor.Warning, advisor.Possible
		f.Message = fmt.Sprintf("the log holds the trace of the defect %s: %s", x.ID, x.Summary)
		f.Help = "find out the Flink version: the defect is mended in " + versions(x)
		r.NotAssessed("flink")
		return
	}
	f.Message = fmt.Sprintf("Flink %s met its defect %s: %s", t.Version, x.ID, x.Summary)
	if x.Affects(t.Version) != defect.Yes || defect.Vendor(t.Version) != "" || x.Certainty != defect.Seen {
		f.Severity, f.Confidence = advisor.Warning, advisor.Likely
	}
	f.Notes = append(f.Notes, "mended in "+versions(x))
	f.Help = x.Cure(t.Version)
	if x.Workaround != "" {
		f.Help += "; until then " + x.Workaround
		if x.Price != "" && x.Price != "none" {
			f.Help += " (the price: " + x.Price + ")"
		}
	}
	for _, e := range x.Edits {
		if e.Unset {
			f.Edits = append(f.Edits, advisor.Unset(e.Key, false))
		} else {
			f.Edits = append(f.Edits, advisor.Set(t.Conf.Name(e.Key), e.Value, false))
		}
	}
}

func versions(x *defect.Defect) string {
	var out []string
	for _, v := range x.Fixed {
		if l, ok := defect.LineOf(v); ok && v.Compare(l.Newest()) <= 0 {
			out = append(out, v.String())
		}
	}
	return cmp.Or(strings.Join(out, ", "), "no known release")
}

// possible is one finding about traces that known defects leave as well as other things do.
func (d *Diagnosis) possible(t *advisor.Target) advisor.Finding {
	f := advisor.Finding{
		Severity: advisor.Advice, Confidence: advisor.Possible,
		Help: fmt.Sprintf("`flinkadvise defects --flink-version %s` tells what is known of them", t.Version),
	}
	for _, m := range d.Possible {
		x, _ := d.defectOf(m)
		f.Notes = append(f.Notes, fmt.Sprintf("%s (%s): %s; %s", x.ID, d.String(m.First), x.Summary, x.Cure(t.Version)))
		f.Labels = append(f.Labels, d.label(m.First, "", x.ID))
	}
	f.Message = fmt.Sprintf("%d traces in the logs fit known defects of Flink %s, and may have other reasons", len(d.Possible), t.Version)
	if len(d.Possible) == 1 {
		f.Message = fmt.Sprintf("a trace in the logs fits a known defect of Flink %s, and may have another reason", t.Version)
	}
	return f
}

// details add the numbers of a case to a finding: the arithmetic that its words feed.
var details = map[string]func(d *Diagnosis, v Verdict, t *advisor.Target, r *advisor.Report, f *advisor.Finding){
	"insufficient-network-buffers":               buffers,
	"checkpoint-expired":                         expired,
	"checkpoint-state-too-large-for-job-manager": stateTooLarge,
	"heap-exhausted":                             sizeOf(func(b *budget.Budgets) (budget.Part, budget.Part) { return b.TaskManager.TaskHeap, b.JobManager.Heap }),
	"metaspace-exhausted": sizeOf(func(b *budget.Budgets) (budget.Part, budget.Part) {
		return b.TaskManager.JVMMetaspace, b.JobManager.JVMMetaspace
	}),
	"direct-memory-exhausted": sizeOf(func(b *budget.Budgets) (budget.Part, budget.Part) {
		return b.TaskManager.TaskOffHeap, b.JobManager.OffHeap
	}),
	"oom-killed": sizeOf(func(b *budget.Budgets) (budget.Part, budget.Part) {
		return b.TaskManager.JVMOverhead, b.JobManager.JVMOverhead
	}),
	"killed-137": sizeOf(func(b *budget.Budgets) (budget.Part, budget.Part) {
		return b.TaskManager.JVMOverhead, b.JobManager.JVMOverhead
	}),
	"not-enough-slots":           slots,
	"restarts-exhausted":         exhausted,
	"task-stuck":                 stuckIn,
	"cancellation-watchdog":      stuckIn,
	"configuration-line-skipped": skipped,
}

func (d *Diagnosis) term(name string, value float64, unit budget.Unit, p Place) budget.Term {
	return budget.Term{Name: name, Value: value, Unit: unit, Origin: conf.Given, From: d.String(p), Span: d.Span(p)}
}

// buffers turns "required X, but only Y available … Z of W bytes each" into the sum of the network budget.
func buffers(d *Diagnosis, v Verdict, t *advisor.Target, r *advisor.Report, f *advisor.Finding) {
	n := map[string]float64{}
	for _, k := range []string{"required", "available", "total", "segment"} {
		x, err := strconv.ParseInt(v.Words[k], 10, 64)
		if err != nil || x < 0 {
			return
		}
		n[k] = float64(x)
	}
	f.Terms = append(f.Terms,
		d.term("network memory", n["total"]*n["segment"], budget.Bytes, v.First),
		d.term("buffers in all", n["total"], budget.Buffers, v.First),
		d.term("taken before", n["total"]-n["available"], budget.Buffers, v.First),
		d.term("asked for by this pool", n["required"], budget.Buffers, v.First),
	)
	switch x := int64(n["required"]); {
	case x == 1:
		f.Notes = append(f.Notes, "the pool is that of an input gate")
	case x == 2:
		f.Notes = append(f.Notes, "the pool is that of a remote channel, or of a result with one subpartition")
	case x == sortShuffleBuffers:
		f.Notes = append(f.Notes, "the pool is that of a sort-shuffle result")
	default:
		f.Notes = append(f.Notes, fmt.Sprintf("the pool is that of a result with %d subpartitions: its consumer runs with parallelism %d", x-1, x-1))
	}
	switch net := t.Network; {
	case net.Required.Known:
		f.Terms = append(f.Terms, net.Required.Terms...)
		f.Help = fmt.Sprintf("the job needs %d buffers of each TaskManager, %s of network memory", net.Required.V, net.SizeOf(net.Required.V).Pretty())
	case net.OneExchange != nil:
		one := net.OneExchange
		f.Notes = append(f.Notes, fmt.Sprintf("one exchange of all with all at parallelism %.0f takes %d buffers of a TaskManager (%s), and %d for full throughput; the job may have several",
			one.Parallelism.Value, one.Required, net.SizeOf(one.Required).Pretty(), one.Target))
		r.NotAssessed("job.edges")
	default:
		r.NotAssessed("job.parallelism", "job.edges")
	}
	f.Beyond = n["total"] / max(n["total"]-n["required"]+n["available"], 1)
}

// sortShuffleBuffers is taskmanager.network.sort-shuffle.min-buffers.
const sortShuffleBuffers = 512

// shortTimeout is half of Flink's default checkpoint timeout, in seconds; the rules of the configuration take the same.
const shortTimeout = 300

// expired ties expired checkpoints to their timeout, and says what the timeout holds for.
func expired(d *Diagnosis, v Verdict, t *advisor.Target, r *advisor.Report, f *advisor.Finding) {
	done, gone, largest := 0, 0, quantity.Bytes(0)
	var after float64
	var at Place
	for _, c := range d.Checkpoints {
		switch c.Outcome {
		case "completed":
			done++
			largest = max(largest, c.Size)
		case "expired":
			gone++
			if !c.Triggered.Time.IsZero() && c.Ended.Time.After(c.Triggered.Time) {
				after, at = c.Ended.Time.Sub(c.Triggered.Time).Seconds(), c.Ended
			}
		}
	}
	if gone > 0 {
		f.Message = fmt.Sprintf("%d checkpoints expired before they were complete, %d completed", gone, done)
		if gone == 1 {
			f.Message = fmt.Sprintf("a checkpoint expired before it was complete, %d completed", done)
		}
	}
	timeout := t.Conf.Duration("execution.checkpointing.timeout")
	seconds := 0.0
	switch {
	case timeout.Set() && timeout.Has:
		seconds = timeout.V.Seconds()
		f.Terms = append(f.Terms, advisor.OptionTerm("checkpoint timeout", timeout, seconds, budget.Seconds))
	case after > 0:
		seconds = after
		f.Terms = append(f.Terms, d.term("time from trigger to expiry", after, budget.Seconds, at))
	case d.Complete() && timeout.Has:
		seconds = timeout.V.Seconds()
		f.Terms = append(f.Terms, advisor.OptionTerm("checkpoint timeout", timeout, seconds, budget.Seconds))
	default:
		f.Notes = append(f.Notes, "the timeout is not in these logs: --set "+timeout.Key+"=… or --conf tells it")
		r.NotAssessed(timeout.Key)
	}
	if largest > 0 {
		f.Notes = append(f.Notes, "the largest checkpoint that completed has "+largest.Pretty())
	}
	if seconds > 0 {
		f.Message += fmt.Sprintf("; the timeout is %s", quantity.Of(time.Duration(seconds*float64(time.Second)).Round(time.Second)).Pretty())
		if network := t.TaskManager.Network; network.Known && t.Version.AtLeast(1, 11) && network.Bytes > 0 {
			f.Notes = append(f.Notes, fmt.Sprintf("in-flight data of unaligned checkpoints is no more than the network memory, %s of each TaskManager: it is written in time while storage takes %s/s from each; state comes on top",
				network.Bytes.Pretty(), quantity.Bytes(float64(network.Bytes)/seconds).Pretty()))
		}
		if seconds < shortTimeout {
			f.Beyond = shortTimeout / seconds
			f.Help += "; go back to the default of 10 minutes while you look"
			f.Edits = append(f.Edits, advisor.Set(timeout.Key, "10 min", false))
		}
	}
	for _, x := range []struct {
		known bool
		path  string
	}{{t.Job.CheckpointStorage.Throughput.Known, "checkpointStorage.throughput"}, {t.Job.State.Size.Known, "state.size"}} {
		if !x.known {
			r.NotAssessed(x.path)
		}
	}
}

func stateTooLarge(d *Diagnosis, v Verdict, _ *advisor.Target, _ *advisor.Report, f *advisor.Finding) {
	size, err := strconv.ParseInt(v.Words["size"], 10, 64)
	limit, err2 := strconv.ParseInt(v.Words["maxSize"], 10, 64)
	if err != nil || err2 != nil || limit <= 0 {
		return
	}
	f.Message = fmt.Sprintf("without a checkpoint directory checkpoints live on the JobManager, which takes %s of a task's state; one has %s",
		quantity.Bytes(limit).Pretty(), quantity.Bytes(size).Pretty())
	f.Terms = append(f.Terms, d.term("state of one task", float64(size), budget.Bytes, v.First), d.term("limit", float64(limit), budget.Bytes, v.First))
	f.Beyond = float64(size) / float64(limit)
}

// sizeOf adds how large the part of memory is that ran out, in the process that the log is of.
func sizeOf(part func(*budget.Budgets) (ofTaskManager, ofJobManager budget.Part)) func(*Diagnosis, Verdict, *advisor.Target, *advisor.Report, *advisor.Finding) {
	return func(d *Diagnosis, v Verdict, t *advisor.Target, _ *advisor.Report, f *advisor.Finding) {
		p, other := part(t.Budgets)
		who := d.Logs[v.First.Log].Process
		if who == jobManager && !slices.ContainsFunc(d.Logs, func(l *Log) bool { return l.Process == taskManager }) && t.JobManager.Configured {
			// The JobManager's log tells of exceptions of tasks as well; without a TaskManager's log the two cannot be told apart.
			f.Notes = append(f.Notes, fmt.Sprintf("%s of the JobManager: %s (%s)", other.Name, other.Bytes.Pretty(), other.How()))
		}
		if p.Known && t.TaskManager.Configured && len(t.TaskManager.Refusals) == 0 {
			f.Terms = append(f.Terms, budget.Term{Name: p.Name + " of a TaskManager", Value: float64(p.Bytes), Unit: budget.Bytes, Origin: conf.Given, From: p.How(), Span: p.Span})
		}
	}
}

func slots(d *Diagnosis, v Verdict, t *advisor.Target, r *advisor.Report, f *advisor.Finding) {
	p := t.Job.Job.Parallelism
	if !p.Known {
		r.NotAssessed("job.parallelism")
		return
	}
	f.Terms = append(f.Terms, advisor.FactTerm("parallelism", p, float64(p.V), budget.Count))
	if n := t.TaskManager.Slots; n > 0 && d.Complete() {
		s := t.Conf.Int("taskmanager.numberOfTaskSlots")
		f.Terms = append(f.Terms, advisor.OptionTerm("slots per TaskManager", s, float64(n), budget.Count))
		f.Help = fmt.Sprintf("parallelism %d needs %d slots: %d TaskManagers of this size where all vertices share a slot; or lower the parallelism", p.V, p.V, (p.V+n-1)/n)
	}
}

// exhausted names the class of the exception that ended the job.
func exhausted(d *Diagnosis, v Verdict, _ *advisor.Target, _ *advisor.Report, f *advisor.Finding) {
	if d.Cause != nil {
		f.Labels = append(f.Labels, d.label(d.Cause.Place, "", "what the job failed of"))
	}
	if v.Words["strategy"] == "NoRestartBackoffTimeStrategy" {
		f.Notes = append(f.Notes, "no restart strategy is set, so the first failure ends the job")
	}
}

// stuckIn names the call that a task was stuck in.
func stuckIn(d *Diagnosis, _ Verdict, _ *advisor.Target, _ *advisor.Report, f *advisor.Finding) {
	if len(d.Stuck) == 0 {
		return
	}
	var frames []string
	for _, s := range d.Stuck {
		frames = append(frames, s.V)
	}
	f.Notes = append(f.Notes, "the task was stuck in "+strings.Join(frames, ", called by "))
	if slices.ContainsFunc(frames, func(s string) bool { return strings.HasPrefix(s, "LocalBufferPool.") }) {
		f.Notes = append(f.Notes, "a task in LocalBufferPool waits for a buffer: that is back pressure, not a shortage of buffers")
	}
	f.Labels = append(f.Labels, d.label(d.Stuck[0].Place, "", "stuck here"))
}

// skipped names the option of a line that was passed over, if it is one.
func skipped(_ *Diagnosis, v Verdict, t *advisor.Target, _ *advisor.Report, f *advisor.Finding) {
	key := v.Words["key"]
	if _, ok := t.Conf.Option(key); ok {
		f.Message = fmt.Sprintf("the line of %s was skipped, and Flink's default holds in its place", key)
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
