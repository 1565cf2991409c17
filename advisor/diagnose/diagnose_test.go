package diagnose

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// diagnosis reads one log out of memory.
func diagnosis(t testing.TB, name, text string, given advisor.TargetInput) *Diagnosis {
	t.Helper()
	e := NewEvidence()
	if err := e.Read(name, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	e.Close()
	d, err := New(e, given)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func ids(d *Diagnosis) []string {
	var out []string
	for _, v := range d.Verdicts {
		out = append(out, v.ID)
	}
	return out
}

func fixture(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/deadlock.log")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkDeadlock is what must be told of the incident that the project began with.
func checkDeadlock(t *testing.T, text string) {
	t.Helper()
	var given advisor.TargetInput
	if !strings.Contains(text, timeoutToldZh) { // the report that the project began with says it
		set, err := conf.ParseArguments("--set", "execution.checkpointing.timeout=2min")
		if err != nil {
			t.Fatal(err)
		}
		given.Layers = []conf.Layer{set}
	}
	d := diagnosis(t, "taskmanager.log", text, given)
	if d.TargetInput.Version != version.MustParse("1.13.1") {
		t.Errorf("version %s", d.TargetInput.Version)
	}
	want := Solution{Slots: 8, CPU: 16, FlinkSize: 38400 * quantity.MiB, ProcessSize: 39680 * quantity.MiB, ByFlink: true, ByProcess: true}
	if len(d.Solutions) != 1 || d.Solutions[0] != want {
		t.Errorf("solutions %+v, want %+v alone", d.Solutions, want)
	}
	if p := d.Target.Job.Job.Parallelism; p.V != 24 || p.Origin() == "" {
		t.Errorf("parallelism %d from %q", p.V, p.Origin())
	}
	if len(d.Verdicts) != 1 || d.Verdicts[0].Defect == nil || d.Verdicts[0].ID != "FLINK-22946" {
		t.Fatalf("verdicts %v", ids(d))
	}
	brought := map[string]Kind{}
	for _, m := range d.Verdicts[0].Brought {
		brought[m.ID] = d.As(m)
	}
	for id, kind := range map[string]Kind{"task-stuck": Symptom, "fatal-error": Consequence, "checkpoint-expired": Consequence} {
		if brought[id] != kind {
			t.Errorf("%s is a %q, want %s", id, brought[id], kind)
		}
	}
	d.Run(d.Rules())
	first := d.Result.Findings[0]
	if first.Rule.ID != KnownDefectRule || first.Rank != 1 || first.Severity != advisor.Error || !strings.HasPrefix(first.Help, "upgrade to 1.13.2, which mends it") {
		t.Errorf("first finding %s: %s; help %s", first.Rule.ID, first.Message, first.Help)
	}
	i := slices.IndexFunc(d.Result.Findings, func(f *advisor.Finding) bool { return f.Rule.ID == "log/checkpoint-failed" })
	if i < 0 || !strings.Contains(d.Result.Findings[i].Message, "2min") {
		t.Error("the expiry is not tied to the timeout")
	}
	for _, fact := range []string{"checkpointStorage.throughput", "state.size"} {
		if !slices.ContainsFunc(d.Result.NotAssessed, func(n advisor.NotAssessed) bool { return slices.Contains(n.Needs, fact) }) {
			t.Errorf("%s is not said to be missing", fact)
		}
	}
}

// TestTimeoutToldInProse reads what people write around the log that they paste; a wish, a line of a user's class and contradictions count for nothing, and a printed
// configuration counts more.
func TestTimeoutToldInProse(t *testing.T) {
	const expiry = "2024-03-09 10:15:01,001 INFO  org.apache.flink.runtime.checkpoint.CheckpointCoordinator [] - Checkpoint 7 of job 0123456789abcdef0123456789abcdef expired before completing.\n\n"
	const printed = "2024-03-09 10:15:00,001 INFO  org.apache.flink.configuration.GlobalConfiguration [] - Loading configuration property: execution.checkpointing.timeout, 7 min\n"
	for text, want := range map[string]string{
		expiry + "Our checkpoint timeout is 2 minutes.\n":                                           "2 min",
		expiry + "checkpoint timeout: 90s, interval 1 min\n":                                        "90 s",
		expiry + "We run with a 5 minute checkpoint timeout.\n":                                     "5 min",
		expiry + "The checkpointing timeout was set to 120000 ms\n":                                 "120000 ms",
		expiry + "检查点超时为 2 分钟。\n":                                                                   "2 min",
		"The checkpoint timeout is 1 hour and this is the log:\n" + expiry:                          "1 h",
		expiry + "Set the checkpoint timeout to 10 minutes\n":                                       "",
		expiry + "The checkpoint timeout is 2 minutes.\nA checkpoint timeout of 1h helps\n":         "",
		expiry + "The checkpoint timeout is 2 minutes.\n" + printed:                                 "7 min",
		"2024-03-09 10:15:01,001 INFO  org.example.Job [] - checkpoint timeout is 3 min\n" + expiry: "",
	} {
		d := diagnosis(t, "ticket.txt", text, advisor.TargetInput{})
		got := ""
		if timeout := d.Target.Conf.Duration("execution.checkpointing.timeout"); timeout.Set() {
			got = timeout.Entry.Value
		}
		if got != want {
			t.Errorf("%q: timeout %q, want %q", strings.TrimPrefix(text, expiry), got, want)
		}
		if want != "7 min" && d.Configured() {
			t.Errorf("%q counts as a printed configuration", text)
		}
	}
}

func TestDeadlock(t *testing.T) { checkDeadlock(t, fixture(t)) }

// TestFoundingReport reads the report that the project began with, where it is at hand.
func TestFoundingReport(t *testing.T) {
	shared := os.Getenv("FLINKADVISE_SHARED")
	if shared == "" {
		t.Skip("FLINKADVISE_SHARED names no folder with incident/report.txt")
	}
	data, err := os.ReadFile(filepath.Join(shared, "incident", "report.txt"))
	if err != nil {
		t.Fatal(err)
	}
	checkDeadlock(t, string(data))
}

// TestMendedRelease: the same stack under a release with the repair is no known defect, and the watchdog stands for itself.
func TestMendedRelease(t *testing.T) {
	d := diagnosis(t, "taskmanager.log", strings.ReplaceAll(fixture(t), "1.13.1", "1.13.2"), advisor.TargetInput{})
	if got := ids(d); slices.Contains(got, "FLINK-22946") || !slices.Contains(got, "task-stuck") {
		t.Errorf("verdicts %v", got)
	}
}

// TestWithoutVersion: without a version nothing is claimed for sure.
func TestWithoutVersion(t *testing.T) {
	text, _, _ := strings.Cut(fixture(t), "org.apache.flink.util.FlinkException")
	d := diagnosis(t, "taskmanager.log", text, advisor.TargetInput{})
	d.Run(d.Rules())
	f := d.Result.Findings[0]
	if f.Rule.ID != KnownDefectRule || f.Severity != advisor.Warning || f.Confidence != advisor.Possible {
		t.Errorf("%s %s[%s]: %s", f.Confidence, f.Severity, f.Rule.ID, f.Message)
	}
}

// TestWrappers reads the fixture as it looks in other places: gzip, Docker, Kubernetes, docker-compose, Windows, JSON of several layouts.
func TestWrappers(t *testing.T) {
	plain := fixture(t)
	lines := strings.Split(strings.TrimSuffix(plain, "\n"), "\n")
	each := func(wrap func(string) string) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(wrap(l) + "\n")
		}
		return b.String()
	}
	quoted := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(plain))
	_ = z.Close()
	for name, text := range map[string]string{
		"gzip": zipped.String(),
		"docker": each(func(l string) string {
			return `{"log":` + quoted(l+"\n") + `,"stream":"stdout","time":"2024-03-09T10:15:01.001Z"}`
		}),
		"cri":     each(func(l string) string { return "2024-03-09T10:15:01.001000000Z stdout F " + l }),
		"compose": each(func(l string) string { return "taskmanager-1  | " + l }),
		"windows": each(func(l string) string { return l + "\r" }),
	} {
		t.Run(name, func(t *testing.T) { checkDeadlock(t, text) })
	}
	var records [][]string
	for _, l := range lines {
		if _, ok := parseHeader([]byte(l)); ok || len(records) == 0 {
			records = append(records, nil)
		}
		records[len(records)-1] = append(records[len(records)-1], l)
	}
	layouts := map[string]func(h header, message, stack string) string{
		"ecs": func(h header, message, stack string) string {
			return `{"@timestamp":"2024-03-09T10:15:01.001Z","log.level":"WARN","message":` + quoted(message) + `,"log.logger":"x","error.stack_trace":` + quoted(stack) + `}`
		},
		"event": func(h header, message, stack string) string {
			return `{"instant":{"epochSecond":1709979301,"nanoOfSecond":1000000},"level":"WARN","loggerName":"x","message":` + quoted(message) + `,"thrown":{"message":"m","extendedStackTrace":` + quoted(stack) + `}}`
		},
		"logstash": func(h header, message, stack string) string {
			return `{"@timestamp":"2024-03-09T10:15:01.001+01:00","@version":"1","message":` + quoted(message) + `,"logger_name":"x","level":"WARN","level_value":30000,"stack_trace":` + quoted(stack) + `}`
		},
	}
	for name, layout := range layouts {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, r := range records {
				h, _ := parseHeader([]byte(r[0]))
				b.WriteString(layout(h, r[0][h.message:], strings.Join(r[1:], "\n")) + "\n")
			}
			checkDeadlock(t, b.String())
		})
	}
}

// TestNothingOfTheUser plants names and secrets in a log and wants none of them in what is kept.
func TestNothingOfTheUser(t *testing.T) {
	const secret = "hunter2-s3cr3t"
	var b strings.Builder
	for _, l := range []string{
		"Loading configuration property: s3.secret-key, " + secret,
		"Loading configuration property: env.java.opts, -Xmx1g -Dmy.password=" + secret,
		"Loading configuration property: high-availability.storageDir, s3://user:" + secret + "@bucket/ha",
		"Job " + secret + " (0123456789abcdef0123456789abcdef) switched from state RUNNING to FAILED.",
		"Source: " + secret + " -> Sink: " + secret + " (1/4) (0123456789abcdef0123456789abcdef) switched from RUNNING to FAILED.",
		"Could not parse value '" + secret + "' for key 'taskmanager.numberOfTaskSlots'.",
		"Triggering checkpoint 1 (type=CHECKPOINT) @ 1 for job " + secret + ".",
		"Error while trying to split key and value in configuration file /opt/" + secret + ":13: \"password:" + secret + "\"",
		"Recovery is suppressed by NoRestartBackoffTimeStrategy",
		"Timer service shutdown exceeded time limit of " + secret,
	} {
		b.WriteString("2024-03-09 10:15:01,001 WARN  org.apache.flink.runtime.Something [] - " + l + "\n")
	}
	b.WriteString("java.lang.IllegalStateException: " + secret + "\n\tat com.example.A.b(A.java:1)\nCaused by: java.lang.RuntimeException: " + secret + "\n")
	b.WriteString("java.io.IOException: No space left on device: " + secret + "\n")
	d := diagnosis(t, "taskmanager.log", b.String(), advisor.TargetInput{})
	d.Run(d.Rules())
	var out strings.Builder
	for i := range d.Logs {
		out.Write(d.file(i).Data)
	}
	for _, m := range d.Matches {
		out.WriteString(m.Text + m.Sentence())
		for _, w := range m.Words {
			out.WriteString(w)
		}
	}
	for _, f := range d.Facts() {
		out.WriteString(f.Value)
	}
	for _, f := range d.Result.Findings {
		out.WriteString(f.Message + strings.Join(f.Notes, ""))
	}
	for _, v := range d.Target.Job.Job.Vertices {
		out.WriteString(v.ID + v.Name)
	}
	for _, s := range d.Settings {
		out.WriteString(s.Value)
	}
	if strings.Contains(out.String(), secret) || strings.Contains(out.String(), "hunter2") {
		t.Errorf("a secret is kept:\n%s", out.String())
	}
	for _, want := range []string{"disk-full", "configuration-value-refused", "configuration-line-skipped"} {
		if d.Match(want) == nil {
			t.Errorf("%s was not recognised", want)
		}
	}
}

// TestLimits reads what is no log, and lines beyond all limits.
func TestLimits(t *testing.T) {
	e := NewEvidence()
	if err := e.Read("empty.log", strings.NewReader("")); !errors.Is(err, ErrEmpty) {
		t.Errorf("an empty log gives %v", err)
	}
	long := strings.Repeat("x", 3*bufferSize)
	text := long + "\n" + long + "Could not acquire the minimum required resources" + long + "\n" +
		"2024-03-09 10:15:01,001 ERROR x [] - Could not acquire the minimum required resources\n"
	d := diagnosis(t, "long.log", text, advisor.TargetInput{})
	m := d.Match("not-enough-slots")
	if m == nil || d.Logs[0].Lines != 3 || m.Last.Line != 3 {
		t.Errorf("%d lines, match %+v", d.Logs[0].Lines, m)
	}
	many := strings.Repeat("2024-03-09 10:15:01,001 INFO  x [] - Job a (0123456789abcdef0123456789abcdef) switched from state RUNNING to RESTARTING.\n", 20*maxEvents)
	d = diagnosis(t, "many.log", many, advisor.TargetInput{})
	if len(d.events) > maxEvents || d.Restarts != 20*maxEvents {
		t.Errorf("%d events kept, %d restarts", len(d.events), d.Restarts)
	}
}

func TestSignatures(t *testing.T) {
	if err := load().err; err != nil {
		t.Fatal(err)
	}
	if n := len(Signatures()); n < 60 {
		t.Errorf("%d signatures, want 60", n)
	}
	seen := map[string]bool{}
	rules := map[string]bool{}
	for _, r := range (&Diagnosis{}).Rules() {
		rules[r.ID] = true
		if !strings.Contains(r.Doc, "## What it finds") || !strings.HasPrefix(r.Doc, "# "+r.ID+"\n") {
			t.Errorf("%s has no page", r.ID)
		}
	}
	var known []string
	for _, s := range Signatures() {
		known = append(known, s.ID)
	}
	for _, s := range Signatures() {
		if len(s.Defects) == 0 && seen[s.ID] {
			t.Errorf("%s is there twice", s.ID)
		}
		seen[s.ID] = true
		if !rules[s.Rule] {
			t.Errorf("%s: there is no rule %s", s.ID, s.Rule)
		}
		for _, a := range s.After {
			if !rules[a] && !slices.Contains(known, a) {
				t.Errorf("%s: after %s, which is neither rule nor signature", s.ID, a)
			}
		}
		for _, p := range s.patterns {
			if len(p.anchor()) < stretch {
				t.Errorf("%s: %q is too short to be looked for", s.ID, p.anchor())
			}
			// Each pattern finds a line made from itself, wherever that stands.
			for shift := range group {
				line := strings.Repeat("-", shift) + "x " + sample(p)
				found := load().filter.all([]byte(line), nil)
				if !slices.ContainsFunc(found, func(e entry) bool { return e.text == p.anchor() }) {
					t.Errorf("%s: the filter misses %q", s.ID, line)
				}
				if _, _, ok := load().filter.next([]byte(line), 0); !ok {
					t.Errorf("%s: the filter passes over %q", s.ID, line)
				}
				if len(p.parts) > 0 && len(p.frames) == 0 {
					if _, _, ok := p.message(sample(p)); !ok {
						t.Errorf("%s does not match its own text", s.ID)
					}
				}
			}
		}
	}
	for _, text := range extracted {
		if len(text) < stretch {
			t.Errorf("%q is too short to be looked for", text)
		}
	}
	for _, x := range defect.All() {
		for range x.Signatures {
			if !slices.ContainsFunc(Signatures(), func(s *Signature) bool { return slices.Contains(s.Defects, x) }) {
				t.Errorf("%s has a signature that is not looked for", x.ID)
			}
		}
	}
}

// sample is a line that a pattern matches.
func sample(p pattern) string {
	if len(p.frames) > 0 {
		return "at org.example." + p.frames[len(p.frames)-1] + "A.java:1)"
	}
	var b strings.Builder
	for i, part := range p.parts {
		b.WriteString(part)
		if p.names[i] != "" {
			b.WriteString("7") // also an exit code, which must not be 0
		}
	}
	return b.String()
}

// TestDefectTraces: the trace of each defect is found in a stack, whatever stands around it, with relocated packages and with frames that the compiler adds.
func TestDefectTraces(t *testing.T) {
	for _, s := range Signatures() {
		for _, p := range s.patterns {
			if len(s.Defects) == 0 {
				continue
			}
			var b strings.Builder
			b.WriteString("2024-03-09 10:15:01,001 ERROR org.apache.flink.X [] - Something failed\n")
			if len(p.parts) > 0 {
				b.WriteString("java.lang." + sample(pattern{parts: p.parts, names: p.names}) + "\n")
			}
			b.WriteString("\tat java.base/java.lang.Object.wait(Native Method)\n")
			for i, f := range p.frames {
				if i > 0 {
					b.WriteString("\tat org.apache.flink.X$$Lambda$615/0x00007f.run(Unknown Source)\n")
				}
				if strings.HasSuffix(f, ".") {
					f += "anything("
				}
				b.WriteString("\tat org.apache.flink.shaded.relocated." + f + "X.java:1) ~[flink-dist-2.2.1.jar:2.2.1]\n")
			}
			d := diagnosis(t, "x.log", b.String(), advisor.TargetInput{})
			if !slices.ContainsFunc(d.Matches, func(m *Match) bool { return m.Signature == s }) {
				t.Errorf("%s is not recognised in\n%s", s.ID, b.String())
			}
		}
	}
}

// TestEachSignature: a log with nothing but one signature's text has the verdict, of the rule that the data names.
func TestEachSignature(t *testing.T) {
	for _, s := range Signatures() {
		if len(s.Defects) > 0 {
			continue
		}
		for _, p := range s.patterns {
			d := diagnosis(t, "x.log", "2024-03-09 10:15:01,001 ERROR org.apache.flink.X [] - "+sample(p)+"\n", advisor.TargetInput{})
			if d.Match(s.ID) == nil {
				t.Errorf("%s is not recognised in %q", s.ID, sample(p))
				continue
			}
			d.Run(d.Rules())
			if !slices.ContainsFunc(d.Result.Findings, func(f *advisor.Finding) bool { return f.Rule.ID == s.Rule }) {
				t.Errorf("%s: no finding of %s", s.ID, s.Rule)
			}
			for _, f := range d.Result.Findings {
				if strings.ContainsAny(f.Message+f.Help, "{}") {
					t.Errorf("%s: a word is not filled in: %s; %s", s.ID, f.Message, f.Help)
				}
			}
		}
	}
}

func TestInvert(t *testing.T) {
	for _, c := range []struct {
		name, version string
		args          []string
		slots         int
		flink         quantity.Bytes
	}{
		{"image default", "1.17.2", []string{"taskmanager.memory.process.size=1728m", "taskmanager.numberOfTaskSlots=2"}, 2, 1280 * quantity.MiB},
		{"fraction of overhead", "1.20.1", []string{"taskmanager.memory.process.size=4g", "taskmanager.numberOfTaskSlots=4"}, 4, 0},
		{"Flink size", "2.2.0", []string{"taskmanager.memory.flink.size=20g", "taskmanager.numberOfTaskSlots=3"}, 3, 20 * quantity.GiB},
		{"one slot", "1.13.1", []string{"taskmanager.memory.flink.size=38400m"}, 1, 38400 * quantity.MiB},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := version.MustParse(c.version)
			l, err := conf.ParseArguments("x", c.args...)
			if err != nil {
				t.Fatal(err)
			}
			target, err := advisor.NewTarget(advisor.TargetInput{Version: v, Layers: []conf.Layer{l}})
			if err != nil {
				t.Fatal(err)
			}
			s := target.TaskManager.PerSlot
			empty, err := advisor.NewTarget(advisor.TargetInput{Version: v})
			if err != nil {
				t.Fatal(err)
			}
			all := Invert(empty.BudgetInput(), Profile{s.CPU, s.TaskHeap, s.TaskOffHeap, s.Managed, s.Network}, 1)
			i := slices.IndexFunc(all, func(x Solution) bool { return x.Slots == c.slots && (c.flink == 0 || x.FlinkSize == c.flink) })
			if i < 0 {
				t.Fatalf("solutions %+v", all)
			}
			if got := all[i].ProcessSize; got != target.TaskManager.ProcessSize.Bytes {
				t.Errorf("process size %s, want %s", got.Pretty(), target.TaskManager.ProcessSize.Bytes.Pretty())
			}
			t.Logf("%d solutions, this one is number %d", len(all), i+1)
		})
	}
}

// TestBufferNumbers: the numbers of the message become terms with their places.
func TestBufferNumbers(t *testing.T) {
	d := read(t, filepath.Join(logs, "insufficient-buffers-1.20.5-taskmanager-1.log"), filepath.Join(logs, "insufficient-buffers-1.20.5-jobmanager.log"))
	d.Run(d.Rules())
	f := d.Result.Findings[0]
	if f.Rule.ID != "log/insufficient-buffers" {
		t.Fatal(f.Rule.ID)
	}
	want := map[string]float64{"network memory": 64 * 32768, "buffers in all": 64}
	for _, term := range f.Terms {
		if w, ok := want[term.Name]; ok && (w != term.Value || !strings.Contains(term.From, ".log:")) {
			t.Errorf("%s is %v from %s, want %v", term.Name, term.Value, term.From, w)
		}
		delete(want, term.Name)
	}
	if len(want) > 0 {
		t.Errorf("terms are missing: %v", want)
	}
	if !slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, "at parallelism 8 takes") }) {
		t.Errorf("no figure for one exchange: %v", f.Notes)
	}
}

// TestArguments: where nothing prints the memory table, as on Kubernetes, the arguments of the process tell it.
func TestArguments(t *testing.T) {
	var b strings.Builder
	line := func(s string) {
		b.WriteString("2024-03-09 10:15:01,001 INFO  org.apache.flink.kubernetes.taskmanager.KubernetesTaskExecutorRunner [] - " + s + "\n")
	}
	line(" Starting Kubernetes TaskExecutor runner (Version: 1.20.1, Scala: 2.12, Rev:x, Date:y)")
	line(" Program Arguments:")
	for _, a := range []string{
		"--configDir", "/opt/flink/conf", "-D", "taskmanager.memory.network.min=67108864b", "-D", "taskmanager.cpu.cores=2.0", "-D", "taskmanager.memory.task.off-heap.size=0b",
		"-D", "taskmanager.memory.jvm-metaspace.size=268435456b", "-D", "external-resources=none", "-D", "taskmanager.memory.jvm-overhead.min=201326592b",
		"-Dtaskmanager.memory.framework.off-heap.size=134217728b", "-D", "taskmanager.memory.network.max=67108864b", "-D", "taskmanager.memory.framework.heap.size=134217728b",
		"-D", "taskmanager.memory.managed.size=241591914b", "-D", "taskmanager.memory.task.heap.size=26843542b", "-D", "taskmanager.numberOfTaskSlots=4", "--password", "secret",
	} {
		line("    " + a)
	}
	line(" Classpath: /opt/flink/lib/flink-dist-1.20.1.jar")
	d := diagnosis(t, "pod.log", b.String(), advisor.TargetInput{})
	const want = 67108864 + 268435456 + 201326592 + 134217728 + 134217728 + 241591914 + 26843542
	if d.TaskManagerMemory == nil || d.TaskManagerMemory.V["process"] != want {
		t.Fatalf("memory %+v", d.TaskManagerMemory)
	}
	if got := d.Target.Conf.Int("taskmanager.numberOfTaskSlots"); got.V != 4 {
		t.Errorf("%d slots", got.V)
	}
	if p := d.Target.TaskManager.ProcessSize; p.Bytes != want || len(d.Target.TaskManager.Refusals) > 0 {
		t.Errorf("process size %s", p.Bytes.Pretty())
	}
	if d.Target.Job.Deployment.Target.V != "kubernetes-native" {
		t.Errorf("deployment %q", d.Target.Job.Deployment.Target.V)
	}
	for _, s := range d.Settings {
		if strings.Contains(s.Value, "secret") {
			t.Errorf("an argument of the user is kept: %s", s.Key)
		}
	}
}

// TestReasons: checkpoints that failed are told with Flink's own reasons.
func TestReasons(t *testing.T) {
	d := read(t, filepath.Join(logs, "state-in-memory-2.2.1-jobmanager.log"))
	if n := d.Reasons["Asynchronous task checkpoint failed"].Count; n == 0 {
		t.Errorf("reasons %v", d.Reasons)
	}
	if !slices.ContainsFunc(d.Facts(), func(f Fact) bool { return strings.HasPrefix(f.Value, "Asynchronous task checkpoint failed (") }) {
		t.Error("the reason is not told")
	}
}

// TestVersions: a release is named by banners, jars and images, the surest first.
func TestVersions(t *testing.T) {
	for text, want := range map[string]string{
		`Pulling image "flink:1.17.2-scala_2.12-java11"`:                                                          "1.17.2",
		`Container image "example.org/flink:1.18" already present`:                                                "1.18",
		"Loading configuration property: kubernetes.container.image.ref, apache/flink:2.0.1":                      "2.0.1",
		"\tat org.apache.flink.X.y(X.java:1) ~[flink-dist-1.20.3.jar:1.20.3]":                                     "1.20.3",
		"image \"flink:1.17\" Pulling image \"flink:1.17\"\nat a.b.C.d(C.java) [flink-dist-1.17.1.jar:1.17.1]":    "1.17.1",
		" Starting TaskManager (Version: 1.16.3, Scala: 2.12)\nat a.b.C.d(C.java) [flink-dist-1.16.2.jar:1.16.2]": "1.16.3",
		"nothing": "unknown",
	} {
		if got := diagnosis(t, "x.log", text+"\n", advisor.TargetInput{}).TargetInput.Version.String(); got != want {
			t.Errorf("%q names %s, want %s", text, got, want)
		}
	}
}

// TestPasses: what ends well is no failure.
func TestPasses(t *testing.T) {
	line := func(s string) string { return "2024-03-09 10:15:01,001 INFO  org.apache.flink.X [] - " + s + "\n" }
	unresolved := line("Could not resolve ResourceManager address akka.tcp://flink@jm:6123, retrying in 10000 ms")
	for text, want := range map[string]int{
		unresolved: 1,
		unresolved + line("Successful registration at resource manager akka.tcp://x under registration id 1."):     0,
		line("Successful registration at resource manager akka.tcp://x under registration id 1.") + unresolved:     1,
		line("Terminating TaskManagerRunner with exit code 0."):                                                    0,
		line("Terminating cluster entrypoint process StandaloneApplicationClusterEntryPoint with exit code 0."):    0,
		line("Terminating cluster entrypoint process StandaloneApplicationClusterEntryPoint with exit code 1443."): 1,
	} {
		d := diagnosis(t, "x.log", text, advisor.TargetInput{})
		if len(d.Verdicts) != want {
			t.Errorf("%d verdicts, want %d, of %q", len(d.Verdicts), want, text)
		}
	}
}

// endless gives the same bytes over and over, up to a size.
type endless struct {
	once []byte
	at   int
	left int
}

func (r *endless) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, r.once[r.at:])
	r.at = (r.at + n) % len(r.once)
	r.left -= n
	return n, nil
}

// TestBoundedMemory reads far more than may be held.
func TestBoundedMemory(t *testing.T) {
	const size, most = 64 << 20, 24 << 20
	once := plainLog(t, 1<<20)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	e := NewEvidence()
	if err := e.Read("x.log", &endless{once: once, left: size}); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > most {
		t.Errorf("%d MiB are held of a log of %d MiB", held>>20, size>>20)
	}
	runtime.KeepAlive(e)
}

// TestStuckFrames: the innermost frames of a stuck task are told, and what LocalBufferPool means.
func TestStuckFrames(t *testing.T) {
	d := read(t, filepath.Join(logs, "watchdog-1.13.1-taskmanager-1.log"))
	d.Run(d.Rules())
	if len(d.Stuck) == 0 || !slices.ContainsFunc(d.Result.Findings[0].Notes, func(n string) bool { return strings.Contains(n, d.Stuck[0].V) }) {
		t.Errorf("frames %v, notes %v", d.Stuck, d.Result.Findings[0].Notes)
	}
	text := "2024-03-09 10:15:01,001 WARN  org.apache.flink.runtime.taskmanager.Task [] - Task 'x (1/1)#0' did not react to cancelling signal - interrupting; it is stuck for 30 seconds in method:\n" +
		" org.apache.flink.runtime.io.network.buffer.LocalBufferPool.requestMemorySegmentBlocking(LocalBufferPool.java:1)\norg.example.A.b(A.java:1)\n"
	d = diagnosis(t, "x.log", text, advisor.TargetInput{})
	d.Run(d.Rules())
	if !slices.ContainsFunc(d.Result.Findings[0].Notes, func(n string) bool { return strings.Contains(n, "back pressure, not a shortage") }) {
		t.Errorf("notes %v", d.Result.Findings[0].Notes)
	}
}

// TestSettings: settings come with their lines, arguments that Flink derives are no settings, and what was printed is what was derived.
func TestSettings(t *testing.T) {
	d := read(t, filepath.Join(logs, "healthy-2.2.1-taskmanager-1.log.gz"), filepath.Join(logs, "healthy-2.2.1-jobmanager.log.gz"))
	v := d.Target.Conf.Memory("taskmanager.memory.process.size")
	if !v.Set() || !strings.HasPrefix(v.From(), "healthy-2.2.1-taskmanager-1.log.gz:") {
		t.Errorf("process size from %q", v.From())
	}
	if d.Target.Conf.Memory("taskmanager.memory.managed.size").Set() {
		t.Error("a derived argument counts as a setting")
	}
	if d.Mismatch != "" || d.TaskManagerMemory == nil || d.TaskManagerMemory.V["process"] != d.Target.TaskManager.ProcessSize.Bytes {
		t.Errorf("memory table %+v; %s", d.TaskManagerMemory, d.Mismatch)
	}
	if d.NetworkBuffers == nil || d.NetworkBuffers.V[1] != 32768 {
		t.Errorf("network buffers %v", d.NetworkBuffers)
	}
	if len(d.Java) == 0 || d.Java[0].V != 17 {
		t.Errorf("Java %v", d.Java)
	}
	done := 0
	for _, c := range d.Checkpoints {
		if c.Outcome == "completed" && c.Size > 0 && c.Duration > 0 {
			done++
		}
	}
	if done == 0 {
		t.Error("no completed checkpoint was seen")
	}
}
