package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Close orders what was read. It is called once, after the last Read.
func (e *Evidence) Close() {
	e.memoryOfArguments()
	for i := range e.Logs {
		e.fillTimes(i)
	}
	slices.SortStableFunc(e.events, func(a, b Event) int { return before(a.Place, b.Place) })
	slices.SortStableFunc(e.Matches, func(a, b *Match) int { return cmp.Or(before(a.First, b.First), cmp.Compare(a.ID, b.ID)) })
	slices.SortStableFunc(e.Checkpoints, func(a, b *Checkpoint) int { return before(a.place(), b.place()) })
}

// argumentParts are the arguments that carry the parts of a TaskManager's memory, in bytes; together they are the process (TaskExecutorProcessUtils).
var argumentParts = []struct{ key, part, total string }{
	{"taskmanager.memory.framework.heap.size", "frameworkHeap", "flink"}, {"taskmanager.memory.framework.off-heap.size", "frameworkOffHeap", "flink"},
	{"taskmanager.memory.task.heap.size", "taskHeap", "flink"}, {"taskmanager.memory.task.off-heap.size", "taskOffHeap", "flink"},
	{"taskmanager.memory.managed.size", "managed", "flink"}, {"taskmanager.memory.network.min", "network", "flink"},
	{"taskmanager.memory.jvm-metaspace.size", "metaspace", "process"}, {"taskmanager.memory.jvm-overhead.min", "overhead", "process"},
}

// memoryOfArguments makes the table of final memory sizes from the arguments of a TaskManager where nothing prints it, as on Kubernetes and YARN.
func (e *Evidence) memoryOfArguments() {
	if e.TaskManagerMemory != nil {
		return
	}
	table := map[string]quantity.Bytes{}
	var at Place
	for _, x := range argumentParts {
		i := slices.IndexFunc(e.Settings, func(s Setting) bool { return s.Argument && s.Key == x.key })
		if i < 0 {
			return
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(e.Settings[i].Value, "b"), 10, 64)
		if err != nil || n < 0 || n > int64(largestTaskManager) {
			return
		}
		table[x.part] = quantity.Bytes(n)
		if x.total == "flink" {
			table["flink"] += quantity.Bytes(n)
		}
		table["process"] += quantity.Bytes(n)
		at = e.Settings[i].Place
	}
	e.TaskManagerMemory = &Seen[map[string]quantity.Bytes]{at, table}
}

func (c *Checkpoint) place() Place {
	if c.Triggered.Line != 0 {
		return c.Triggered
	}
	return c.Ended
}

// fillTimes gives events without a time that of the record before them, so that all can be ordered.
func (e *Evidence) fillTimes(log int) {
	last := e.Logs[log].First
	for i := range e.events {
		if e.events[i].Log != log {
			continue
		}
		if e.events[i].Time.IsZero() {
			e.events[i].Time = last
		}
		last = e.events[i].Time
	}
	for _, m := range e.Matches {
		for _, p := range []*Place{&m.First, &m.Last} {
			if p.Log == log && p.Time.IsZero() {
				p.Time = e.timeBefore(*p)
			}
		}
	}
}

func (e *Evidence) timeBefore(p Place) (t time.Time) {
	t = e.Logs[p.Log].First
	for _, ev := range e.events {
		if ev.Log == p.Log && ev.Line <= p.Line && ev.Time.After(t) {
			t = ev.Time
		}
	}
	return t
}

// Configured tells whether the logs print the configuration. Where they do not, what is not set in them is unknown, not default.
func (e *Evidence) Configured() bool {
	return slices.ContainsFunc(e.Settings, func(s Setting) bool { return !s.Argument && !s.Told })
}

// Release is the release that the logs name; from says where. Start-up banners count before names of jars; of several releases the last one started counts.
func (e *Evidence) Release() (v version.Version, p Place, ok bool) {
	if len(e.Versions) == 0 {
		return v, p, false
	}
	best := e.Versions[0]
	for _, s := range e.Versions[1:] {
		if s.V.Line() == best.V.Line() && s.V.HasPatch() && !best.V.HasPatch() {
			best = s
		}
	}
	return best.V, best.Place, true
}

// derived are the arguments that Flink computes itself and hands to its processes; they are no settings.
func derived(key string) bool {
	return strings.HasPrefix(key, "taskmanager.memory.") || strings.HasPrefix(key, "jobmanager.memory.") || strings.HasPrefix(key, "internal.") ||
		strings.HasPrefix(key, "$internal.") || slices.Contains([]string{"taskmanager.cpu.cores", "taskmanager.numberOfTaskSlots", "external-resources", "taskmanager.resource-id", "jobmanager.rpc.address", "jobmanager.rpc.port", "web.tmpdir"}, key)
}

// layer is the settings as a layer: for each key the last value printed, arguments over the file, both over what is told in the text around the logs. Where that
// tells two values for one key, one may be a proposal, and neither counts.
func (e *Evidence) layer() conf.Layer {
	l := conf.Layer{Name: "log", Dialect: conf.Arguments}
	at := map[string]int{}
	add := func(s Setting) {
		entry := e.entry(s.Place, s.Key, s.Value)
		if i, ok := at[s.Key]; ok {
			if l.Entries[i].Value != s.Value {
				l.Entries[i] = entry
			}
			return
		}
		at[s.Key] = len(l.Entries)
		l.Entries = append(l.Entries, entry)
	}
	for _, s := range e.Settings {
		if s.Told && !slices.ContainsFunc(e.Settings, func(o Setting) bool { return o.Told && o.Key == s.Key && o.Value != s.Value }) {
			add(s)
		}
	}
	for _, arguments := range []bool{false, true} {
		for _, s := range e.Settings {
			if s.Told {
				continue
			}
			if s.Argument == arguments && !(arguments && derived(s.Key)) && s.Key != "env.java.opts.all" || s.Key == "env.java.opts.all" && !arguments && s.Value != "" {
				add(s)
			}
		}
	}
	return l
}

// entry is a setting with its spans in the excerpt of the log.
func (e *Evidence) entry(p Place, key, value string) conf.Entry {
	x := conf.Entry{Key: key, Value: value, Text: value, Raw: value, Layer: e.Logs[p.Log].Name}
	whole := e.Span(p)
	if !whole.Valid() {
		return x
	}
	text := whole.Text()
	f := whole.File
	if strings.HasPrefix(text, key+": ") {
		x.KeySpan = f.Span(whole.Start, whole.Start+len(key))
		x.ValueSpan = f.Span(whole.Start+len(key)+2, whole.End)
	} else {
		x.KeySpan, x.ValueSpan = whole, whole
	}
	return x
}

// An Extract is what the logs tell, as the advisor takes it.
type Extract struct {
	advisor.TargetInput
	// Solutions are the TaskManagers that have the slot profile, the likeliest first; the first one is part of the configuration if Inverted.
	Solutions []Solution
	Inverted  bool
	// Profile is the profile that was inverted.
	Profile Seen[Profile]
	// Mismatch tells that the configuration of the log does not derive the memory that the process had.
	Mismatch string
}

// Input makes the evidence into what the advisor looks at. Layers, documents and facts that are given from elsewhere (--conf, --set, --job) count before
// those of the logs; given.Version does too, when it is known.
func (e *Evidence) Input(given advisor.TargetInput) *Extract {
	x := &Extract{TargetInput: given}
	x.Name = e.Logs[0].Name
	if len(e.Logs) > 1 {
		x.Name = fmt.Sprintf("%d logs", len(e.Logs))
	}
	if !x.Version.Known() {
		if v, p, ok := e.Release(); ok {
			x.Version, x.VersionFrom = v, e.String(p)
		}
	}
	x.Job = job.Merge(e.facts(), cmp.Or(given.Job, job.Default()))
	x.Deployment = budget.DeploymentOf(x.Job.Deployment.Target.V)
	var layers []conf.Layer
	if l := e.layer(); len(l.Entries) > 0 {
		layers = append(layers, l)
	}
	layers = append(layers, given.Layers...)
	x.Layers = layers
	if effective, err := conf.Merge(x.Version, layers...); err == nil {
		in := budget.Input{Conf: effective, Job: x.Job, Deployment: x.Deployment}
		if l, ok := e.memory(x, in); ok {
			x.Layers = append([]conf.Layer{l}, layers...)
		}
	}
	if l, ok := e.measured(x.Layers); ok {
		x.Layers = append([]conf.Layer{l}, x.Layers...)
	}
	return x
}

// memory is the size of the TaskManager where the configuration does not tell it: from the table of final sizes, or else from a slot profile.
func (e *Evidence) memory(x *Extract, in budget.Input) (conf.Layer, bool) {
	l := conf.Layer{Name: "log", Dialect: conf.Arguments}
	tm := budget.DeriveTaskManager(in)
	if t := e.TaskManagerMemory; t != nil {
		if len(tm.Refusals) == 0 && tm.ProcessSize.Bytes == t.V["process"] && tm.Network.Bytes == t.V["network"] && tm.Managed.Bytes == t.V["managed"] {
			return l, false
		}
		if tm.Configured {
			x.Mismatch = fmt.Sprintf("the TaskManager of %s had another memory than the configuration derives: something else set it", e.String(t.Place))
			return l, false
		}
		l.Entries = append(l.Entries, e.entry(t.Place, "taskmanager.memory.process.size", t.V["process"].Config()))
		for _, key := range []string{"taskmanager.numberOfTaskSlots", "taskmanager.cpu.cores"} {
			if i := slices.IndexFunc(e.Settings, func(s Setting) bool { return s.Argument && s.Key == key }); i >= 0 {
				l.Entries = append(l.Entries, e.entry(e.Settings[i].Place, key, e.Settings[i].Value))
			}
		}
		return l, true
	}
	if len(e.Profiles) == 0 || !x.Version.Known() {
		return l, false
	}
	x.Profile = e.Profiles[0]
	if tm.Configured {
		return l, false
	}
	x.Solutions = Invert(in, x.Profile.V, e.SlotIndex.V+1)
	if len(x.Solutions) == 0 {
		return l, false
	}
	x.Inverted = true
	s := x.Solutions[0]
	key, size := "taskmanager.memory.flink.size", s.FlinkSize
	if !s.ByFlink {
		key, size = "taskmanager.memory.process.size", s.ProcessSize
	}
	l.Entries = append(l.Entries,
		e.entry(x.Profile.Place, key, size.Config()),
		e.entry(x.Profile.Place, "taskmanager.numberOfTaskSlots", strconv.Itoa(s.Slots)))
	if s.CPU != float64(s.Slots) {
		l.Entries = append(l.Entries, e.entry(x.Profile.Place, "taskmanager.cpu.cores", strconv.FormatFloat(s.CPU, 'f', -1, 64)))
	}
	return l, true
}

// intervalLeast is how many checkpoints must have been triggered for their distance to count.
const intervalLeast = 3

// measured is what the course of events tells about settings that the job makes in its code: the checkpoint interval, as the usual distance between two
// checkpoints.
func (e *Evidence) measured(layers []conf.Layer) (conf.Layer, bool) {
	l := conf.Layer{Name: "log", Dialect: conf.Arguments}
	const key = "execution.checkpointing.interval"
	for _, x := range layers {
		if slices.ContainsFunc(x.Entries, func(c conf.Entry) bool { return c.Key == key }) {
			return l, false
		}
	}
	var distances []int64
	var last *Checkpoint
	for _, c := range e.Checkpoints {
		if c.Triggered.Time.IsZero() {
			continue
		}
		if last != nil && c.ID == last.ID+1 && c.Triggered.Log == last.Triggered.Log {
			distances = append(distances, int64(c.Triggered.Time.Sub(last.Triggered.Time).Seconds()+0.5))
		}
		last = c
	}
	if len(distances) < intervalLeast-1 {
		return l, false
	}
	slices.Sort(distances)
	usual := distances[len(distances)/2]
	if usual < 1 {
		return l, false
	}
	entry := e.entry(last.Triggered, key, strconv.FormatInt(usual, 10)+" s")
	entry.Layer = "log (measured)"
	l.Entries = append(l.Entries, entry)
	return l, true
}

// facts are the job's facts as far as logs tell them.
func (e *Evidence) facts() *job.Facts {
	f := job.Default()
	if v, p, ok := e.Release(); ok {
		f.Flink = fact(e, p, v)
	}
	if len(e.Java) > 0 {
		f.Java = fact(e, e.Java[0].Place, e.Java[0].V)
	}
	if e.Target != nil {
		f.Deployment.Target = fact(e, e.Target.Place, e.Target.V)
	}
	if e.Mode != nil {
		f.Deployment.Mode = fact(e, e.Mode.Place, e.Mode.V)
	}
	names := map[string]int{}
	for _, v := range e.Vertices {
		if !f.Job.Parallelism.Known || v.Parallelism > f.Job.Parallelism.V {
			f.Job.Parallelism = fact(e, v.Place, v.Parallelism)
		}
		names[v.Kind]++
		id := v.Kind
		if n := names[v.Kind]; n > 1 {
			id = fmt.Sprintf("%s #%d", v.Kind, n)
		}
		x := job.Vertex{ID: id, Name: id, Span: e.Span(v.Place), Parallelism: fact(e, v.Place, v.Parallelism)}
		if v.Window != nil {
			f.Job.API = fact(e, v.Place, "sql")
			x.Window = &job.Window{Kind: fact(e, v.Place, v.Window.Kind), Distinct: fact(e, v.Place, v.Window.Distinct)}
			if d, err := quantity.ParseDuration(v.Window.Size, version.Newest()); err == nil {
				x.Window.Size = fact(e, v.Place, d)
			}
			if d, err := quantity.ParseDuration(v.Window.Slide, version.Newest()); err == nil {
				x.Window.Slide = fact(e, v.Place, d)
			}
		}
		f.Job.Vertices = append(f.Job.Vertices, x)
	}
	if len(f.Job.Vertices) == 1 {
		// There may be more vertices, and how they are connected no log tells: an edge whose ship strategy is unknown says so.
		f.Job.Edges = []job.Edge{{From: f.Job.Vertices[0].ID, To: f.Job.Vertices[0].ID}}
	}
	return f
}

func fact[T any](e *Evidence, p Place, v T) job.Fact[T] {
	return job.Fact[T]{V: v, Known: true, Span: e.Span(p), From: e.String(p)}
}

// span is the place of the excerpt that a label points at.
func (e *Evidence) label(p Place, key, text string) advisor.Label {
	return advisor.Label{Span: e.Span(p), Key: key, Text: text}
}
