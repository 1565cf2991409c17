package job

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const full = `version: 1
name: org-distinct-count
flink: 1.13.1                    # the patch level matters: known defects
java: 8
deployment:
  target: kubernetes-operator
  mode: application
  taskManagers: 3
taskManager: {cpu: 16, containerMemory: 40gb, disk: {size: 200gb, kind: ssd}}
jobManager:  {cpu: 2, containerMemory: 4gb}
job:
  api: sql
  type: streaming
  parallelism: 24
  maxParallelism: 128
  vertices:
    - {id: source, parallelism: 24, source: {kind: kafka, partitions: 24}}
    - id: window
      parallelism: 24
      slotSharingGroup: default
      window: {kind: sliding, size: 15min, slide: 1min, distinct: true}
      keyedStates: 2
      timers: true
    - {id: sink, parallelism: 24, sink: {kind: kafka, guarantee: exactly-once, transactionTimeout: 15min}}
  edges:
    - {from: source, to: window, shipStrategy: HASH, rate: 40mb/s, recordSize: 300b}
    - {from: window, to: sink, shipStrategy: FORWARD}
state: {size: 30gb, changedPerCheckpoint: 4gb, keys: 2000000}
checkpointStorage: {kind: s3, throughput: 200mb/s, throughputPerTaskManager: 80mb/s, requests: 3500/s, readThroughput: 200mb/s}
network: {roundTrip: 1ms, bandwidth: 10gbit/s}
objectives: {latency: 5s, recoveryPoint: 10min, recoveryTime: 5min, peakFactor: 2}
`

func parse(t *testing.T, text string) *Facts {
	t.Helper()
	f, err := Parse(source.NewFile("job.yaml", []byte(text)), nil)
	if err != nil {
		t.Fatalf("Parse:\n%v", err)
	}
	return f
}

// flatten prints every known fact with its place, so that one comparison covers all of them.
func flatten(f *Facts) []string {
	var out []string
	for _, x := range factFields {
		out = append(out, line("", x.path, x.at(f))...)
	}
	for i := range f.Job.Vertices {
		for _, x := range vertexFields {
			v := f.Job.Vertices[i]
			// Asking a field makes the part that it is in; the copy keeps the original as it was.
			out = append(out, line(fmt.Sprintf("vertices[%d].", i), x.path, x.at(&v))...)
		}
	}
	for i := range f.Job.Edges {
		for _, x := range edgeFields {
			out = append(out, line(fmt.Sprintf("edges[%d].", i), x.path, x.at(&f.Job.Edges[i]))...)
		}
	}
	return out
}

func line(prefix, path string, s slot) []string {
	if !s.known() {
		return nil
	}
	value, origin := "", ""
	switch h := s.(type) {
	case holder[string]:
		value, origin = h.fact.V, h.fact.Origin()
	case holder[int]:
		value, origin = fmt.Sprint(h.fact.V), h.fact.Origin()
	case holder[int64]:
		value, origin = fmt.Sprint(h.fact.V), h.fact.Origin()
	case holder[float64]:
		value, origin = fmt.Sprint(h.fact.V), h.fact.Origin()
	case holder[bool]:
		value, origin = fmt.Sprint(h.fact.V), h.fact.Origin()
	case holder[Rate]:
		value, origin = fmt.Sprintf("%.0f", float64(h.fact.V)), h.fact.Origin()
	case holder[quantity.Bytes]:
		value, origin = fmt.Sprint(int64(h.fact.V)), h.fact.Origin()
	case holder[quantity.Duration]:
		value, origin = h.fact.V.Pretty(), h.fact.Origin()
	case holder[version.Version]:
		value, origin = h.fact.V.String(), h.fact.Origin()
	}
	return []string{fmt.Sprintf("%s%s = %s (%s)", prefix, path, value, origin)}
}

func TestEveryFactIsRead(t *testing.T) {
	f := parse(t, full)
	want := []string{
		"name = org-distinct-count (job.yaml:2)", "flink = 1.13.1 (job.yaml:3)", "java = 8 (job.yaml:4)",
		"deployment.target = kubernetes-operator (job.yaml:6)", "deployment.mode = application (job.yaml:7)", "deployment.taskManagers = 3 (job.yaml:8)",
		"taskManager.cpu = 16 (job.yaml:9)", "taskManager.containerMemory = 42949672960 (job.yaml:9)",
		"taskManager.disk.size = 214748364800 (job.yaml:9)", "taskManager.disk.kind = ssd (job.yaml:9)",
		"jobManager.cpu = 2 (job.yaml:10)", "jobManager.containerMemory = 4294967296 (job.yaml:10)",
		"job.api = sql (job.yaml:12)", "job.type = streaming (job.yaml:13)", "job.parallelism = 24 (job.yaml:14)", "job.maxParallelism = 128 (job.yaml:15)",
		"state.size = 32212254720 (job.yaml:28)", "state.changedPerCheckpoint = 4294967296 (job.yaml:28)", "state.keys = 2000000 (job.yaml:28)",
		"checkpointStorage.kind = s3 (job.yaml:29)", "checkpointStorage.throughput = 209715200 (job.yaml:29)",
		"checkpointStorage.throughputPerTaskManager = 83886080 (job.yaml:29)", "checkpointStorage.requests = 3500 (job.yaml:29)",
		"checkpointStorage.readThroughput = 209715200 (job.yaml:29)",
		"network.roundTrip = 1ms (job.yaml:30)", "network.bandwidth = 1250000000 (job.yaml:30)",
		"objectives.latency = 5s (job.yaml:31)", "objectives.recoveryPoint = 10min (job.yaml:31)", "objectives.recoveryTime = 5min (job.yaml:31)", "objectives.peakFactor = 2 (job.yaml:31)",
		"vertices[0].id = source (job.yaml:17)", "vertices[0].parallelism = 24 (job.yaml:17)", "vertices[0].source.kind = kafka (job.yaml:17)", "vertices[0].source.partitions = 24 (job.yaml:17)",
		"vertices[1].id = window (job.yaml:18)", "vertices[1].parallelism = 24 (job.yaml:19)", "vertices[1].slotSharingGroup = default (job.yaml:20)",
		"vertices[1].window.kind = sliding (job.yaml:21)", "vertices[1].window.size = 15min (job.yaml:21)", "vertices[1].window.slide = 1min (job.yaml:21)", "vertices[1].window.distinct = true (job.yaml:21)",
		"vertices[1].keyedStates = 2 (job.yaml:22)", "vertices[1].timers = true (job.yaml:23)",
		"vertices[2].id = sink (job.yaml:24)", "vertices[2].parallelism = 24 (job.yaml:24)", "vertices[2].sink.kind = kafka (job.yaml:24)",
		"vertices[2].sink.guarantee = exactly-once (job.yaml:24)", "vertices[2].sink.transactionTimeout = 15min (job.yaml:24)",
		"edges[0].from = source (job.yaml:26)", "edges[0].to = window (job.yaml:26)", "edges[0].shipStrategy = HASH (job.yaml:26)", "edges[0].rate = 41943040 (job.yaml:26)", "edges[0].recordSize = 300 (job.yaml:26)",
		"edges[1].from = window (job.yaml:27)", "edges[1].to = sink (job.yaml:27)", "edges[1].shipStrategy = FORWARD (job.yaml:27)",
	}
	if diff := cmp.Diff(want, flatten(f)); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if f.Job.Vertices[1].Source != nil || f.Job.Vertices[0].Window != nil {
		t.Error("a part that is not in the file was made")
	}
	if s := f.TaskManager.ContainerMemory.Span; s.Text() != "40gb" || s.Column != 41 {
		t.Errorf("span of containerMemory = %q, column %d", s.Text(), s.Column)
	}
}

func TestPartsAndNumbersMayBeWrittenInOtherWays(t *testing.T) {
	f := parse(t, "flink: 1.20\nname: '007'\nstate:\ntaskManager: {cpu: 0.5, containerMemory: \"8 GB\"}\njob:\n  vertices:\n  - {id: 1, source: {}}\n  - {id: 2}\n"+
		"  edges:\n  - {from: 1, to: 2, rate: 100/s, recordSize: 20b, shipStrategy: hash}\nnetwork: {bandwidth: 100 Mbits/s}\n")
	if f.Flink.V.String() != "1.20" || f.Name.V != "007" || f.TaskManager.CPU.V != 0.5 || f.TaskManager.ContainerMemory.V != 8*quantity.GiB {
		t.Errorf("scalars: %+v", f)
	}
	if f.Job.Vertices[0].Source == nil || f.Job.Vertices[1].Source != nil {
		t.Error("an empty mapping says that there is a source")
	}
	if e := f.Job.Edges[0]; e.Rate.V != 2000 || e.ShipStrategy.V != "HASH" {
		t.Errorf("edge = %+v", e)
	}
	if f.Network.Bandwidth.V != 12.5e6 {
		t.Errorf("bandwidth = %v bytes a second", f.Network.Bandwidth.V)
	}
	for _, empty := range []string{"", "# nothing\n", "---\n", "{}\n", "version: 1\n"} {
		if f := parse(t, empty); f == nil || len(flatten(f)) > 0 {
			t.Errorf("Parse(%q) = %v", empty, f)
		}
	}
	if Default() == nil || len(flatten(Default())) > 0 {
		t.Error("Default() knows something")
	}
}

func TestProblemsAreReportedAtOnceWithPlaceAndNearestName(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"many", "version: 1\njobs: {}\nstate: {sizes: 1gb, size: 1.5g}\ntaskManager:\n  containerMemroy: 1gb\n  cpu: many\ndeployment: {target: kubernets-operator}\n", []string{
			`job.yaml:2:1: unknown name "jobs"; did you mean "job"?`,
			`job.yaml:3:9: unknown name "sizes" in state; did you mean "size"?`,
			`job.yaml:3:27: state.size: memory size "1.5g": ".5g" is not a unit of Flink's (b, k, m, g, t and their spellings kb, mb …, kibibytes, mebibytes …)`,
			`job.yaml:5:3: unknown name "containerMemroy" in taskManager; did you mean "containerMemory"?`,
			`job.yaml:6:8: taskManager.cpu: "many" is not a number above 0`,
			`job.yaml:7:22: deployment.target: "kubernets-operator" is not one of kubernetes-native, kubernetes-operator, yarn, standalone, docker, managed; did you mean "kubernetes-operator"?`,
		}},
		{"elsewhere", "throughput: 10mb/s\n", []string{`job.yaml:1:1: unknown name "throughput"; did you mean "checkpointStorage.throughput"?`}},
		{"nothing near", "colour: blue\n", []string{`job.yaml:1:1: unknown name "colour"`}},
		{"version", "version: 2\n", []string{`job.yaml:1:10: this flinkadvise reads version 1 of the job file, not "2"`}},
		{"flink", "flink: newest\n", []string{`job.yaml:1:8: flink: "newest" is not a Flink version such as 1.20 or 1.20.3`}},
		{"kinds", "name: [a]\njob: 3\nstate: []\nobjectives: {latency: }\n", []string{
			`job.yaml:1:7: name is a single value, not a list`, `job.yaml:2:6: job is a mapping, not a single value`, `job.yaml:3:8: state is a mapping, not a list`,
			`job.yaml:4:23: objectives.latency has no value`}},
		{"graph", "job:\n  vertices: [{id: source}, {id: source}, {parallelism: 2}, 7]\n  edges: [{from: source, to: sourec}, {from: source}]\n", []string{
			`job.yaml:2:33: the id "source" stands twice; the first is in line 2`, `job.yaml:2:42: a vertex needs an id`, `job.yaml:2:60: an entry of job.vertices is a mapping, not a single value`,
			`job.yaml:3:30: no vertex has the id "sourec"; did you mean "source"?`, `job.yaml:3:39: an edge needs from and to`}},
		{"numbers", "job: {parallelism: 0, maxParallelism: 40000}\njava: 1.8\nstate: {keys: -1}\n", []string{
			`job.yaml:1:20: job.parallelism: 0 is below 1`, `job.yaml:1:39: job.maxParallelism: 40000 is above 32768`, `job.yaml:2:7: java: "1.8" is not a whole number`, `job.yaml:3:15: state.keys: -1 is below 0`}},
		{"rates", "checkpointStorage: {throughput: 80mb, readThroughput: 80/s, requests: 3mb/s}\nnetwork: {bandwidth: fast/s}\njob:\n  vertices: [{id: a}]\n  edges: [{from: a, to: a, rate: 10/s}]\n", []string{
			`job.yaml:1:33: checkpointStorage.throughput: "80mb" is not a rate such as 40mb/s`,
			`job.yaml:1:55: checkpointStorage.readThroughput: "80/s" has no unit: write a size a second, such as 40mb/s`,
			`job.yaml:1:71: checkpointStorage.requests: "3mb/s" is not a count a second, such as 3500/s`,
			`job.yaml:2:22: network.bandwidth: memory size "fast" does not start with a number`,
			`job.yaml:5:34: a rate without a unit is records a second and needs recordSize beside it; a size such as 40mb/s does not`}},
		{"duplicate", "state: {size: 1gb}\nname: a\nstate: {keys: 1}\n", []string{`job.yaml:3:1: "state" stands twice; the first is in line 1`}},
		{"alias", "name: &n a\ndeployment: {mode: *n}\n", []string{`job.yaml:2:20: aliases are not read in a job file; write the value out`}},
		{"merge key", "state:\n  <<: {size: 1gb}\n", []string{`job.yaml:2:3: unknown name "<<" in state`}},
		{"dotted", "state.size: 1gb\n", []string{`job.yaml:1:1: unknown name "state.size"; names are nested here, not dotted`}},
		{"not YAML", "a: [\n", []string{`job.yaml:1:1: not YAML: did not find expected node content`}},
		{"a list", "- a\n", []string{`job.yaml:1:1: a job file is a mapping of facts, not a list`}},
		{"two", "name: a\n---\nname: b\n", []string{`job.yaml:3:1: a job file is one YAML document; this begins another`}},
		{"bytes", "name: \xff\n", []string{`job.yaml:1:1: the file is not UTF-8`}},
		{"size", "# " + strings.Repeat("x", MaxFileSize), []string{`job.yaml:1:1: the file has 1048578 bytes; a job file of more than 1048576 is not read`}},
		{"plan", "job: {plan: p.json}\n", []string{`job.yaml:1:13: the plan p.json cannot be read here`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(source.NewFile("job.yaml", []byte(c.text)), nil)
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(c.want, strings.Split(err.Error(), "\n")); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestManyProblemsAreCut(t *testing.T) {
	_, err := Parse(source.NewFile("job.yaml", []byte("job:\n  vertices:\n"+strings.Repeat("  - 7\n", 300))), nil)
	if lines := strings.Split(fmt.Sprint(err), "\n"); len(lines) != 101 || lines[100] != "and 200 more problems" {
		t.Errorf("%d lines, last %q", len(lines), lines[len(lines)-1])
	}
}

func TestPlanIsTakenFromTheFolderOfTheJobFile(t *testing.T) {
	open := func(path string) ([]byte, error) {
		if path != "jobs/plans/p.json" {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return []byte(`{"nodes":[{"id":"v","parallelism":3,"inputs":[]}]}`), nil
	}
	f, err := Parse(source.NewFile("jobs/job.yaml", []byte("job: {plan: plans/p.json, vertices: [{id: other}], edges: [{from: other, to: other}]}\n")), open)
	if err != nil || len(f.Job.Vertices) != 1 || f.Job.Vertices[0].ID != "v" || f.Job.Edges != nil {
		t.Errorf("%+v %v", f, err)
	}
	_, err = Parse(source.NewFile("jobs/job.yaml", []byte("job: {plan: q.json}\n")), open)
	if err == nil || err.Error() != "jobs/job.yaml:1:13: the plan cannot be read: open jobs/q.json: file does not exist" {
		t.Error(err)
	}
}

func TestMergeKeepsOrigins(t *testing.T) {
	manifest := Default()
	manifest.Job.Parallelism = Fact[int]{V: 4, Known: true, From: "spec.job.parallelism"}
	manifest.Deployment.TaskManagers = Fact[int]{V: 2, Known: true, From: "spec.taskManager.replicas"}
	over := parse(t, "job: {parallelism: 24, vertices: [{id: a}]}\n")
	got := Merge(manifest, over)
	want := []string{"deployment.taskManagers = 2 (spec.taskManager.replicas)", "job.parallelism = 24 (job.yaml:1)", "vertices[0].id = a (job.yaml:1)"}
	if diff := cmp.Diff(want, flatten(got)); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	if got.File != over.File || len(flatten(manifest)) != 2 {
		t.Error("the file is that of the upper layer, and the layers stay as they are")
	}
	if diff := cmp.Diff(flatten(parse(t, full)), flatten(Merge(parse(t, full), Default()))); diff != "" {
		t.Errorf("merging nothing changed facts:\n%s", diff)
	}
}

// uncommented is the template with every fact taken in.
func uncommented() string {
	var b strings.Builder
	for l := range strings.Lines(Template()) {
		if rest, ok := strings.CutPrefix(l, "#"); ok && !strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "  ") {
			l = rest
		}
		b.WriteString(l)
	}
	return b.String()
}

func TestTemplateHoldsEveryFact(t *testing.T) {
	if f := parse(t, Template()); len(flatten(f)) > 0 {
		t.Errorf("the template sets %v", flatten(f))
	}
	open := func(string) ([]byte, error) { return nil, errors.New("asked for") }
	if _, err := Parse(source.NewFile("job.yaml", []byte(uncommented())), open); err == nil || !strings.HasSuffix(err.Error(), "the plan cannot be read: asked for") {
		t.Errorf("all facts taken in: %v", err)
	}
	f := parse(t, strings.Replace(uncommented(), "  plan: plan.json", "", 1))
	var have []string
	for _, l := range flatten(f) {
		path, _, _ := strings.Cut(l, " = ")
		have = append(have, indices.Replace(path))
	}
	for _, name := range Names() {
		if name != "job.plan" && name != "job.vertices" && name != "job.edges" && !slices.Contains(have, name) {
			t.Errorf("the template lacks %s", name)
		}
	}
}

var indices = strings.NewReplacer("vertices[0]", "job.vertices", "vertices[1]", "job.vertices", "vertices[2]", "job.vertices", "edges[0]", "job.edges", "edges[1]", "job.edges")

func TestSchemaAgreesWithTheParser(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("job.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("job.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) error {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	for _, text := range []string{full, Template(), uncommented(), "state: {size: 1024}\n", "flink: 1.20\n"} {
		if err := valid(text); err != nil {
			t.Errorf("the schema refuses\n%s%v", text, err)
		}
	}
	for _, text := range []string{
		"version: 2\n", "jobs: {}\n", "state: {size: 1.5g}\n", "job: {parallelism: 0}\n", "job: {vertices: [{parallelism: 2}]}\n", "taskManager: {cpu: 0}\n",
		"deployment: {target: k8s}\n", "checkpointStorage: {throughput: 80mb}\n", "job: {edges: [{from: a, to: b, shipStrategy: SPREAD}]}\n",
	} {
		if valid(text) == nil {
			t.Errorf("the schema takes %q", text)
		}
		if _, err := Parse(source.NewFile("job.yaml", []byte(text)), nil); err == nil {
			t.Errorf("the parser takes %q", text)
		}
	}
	const golden = "testdata/job.schema.json"
	if *update {
		if err := os.WriteFile(golden, Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(Schema())); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte(Template()))
	f.Add([]byte(uncommented()))
	f.Add([]byte("a: &a [*a]\n? {b: c}\n: |\n  text\n"))
	f.Add([]byte("\ufeffname: \"a\\\n  b\"\r\nstate: {size: 'é'}\u2028\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := source.NewFile("job.yaml", data)
		facts, err := Parse(file, nil)
		var problems Problems
		switch {
		case err == nil:
			for i := range facts.Job.Vertices {
				inside(t, file, facts.Job.Vertices[i].Span)
			}
			for i := range facts.Job.Edges {
				inside(t, file, facts.Job.Edges[i].Span)
			}
			inside(t, file, facts.Name.Span)
			if diff := cmp.Diff(flatten(facts), flatten(Merge(facts, Default()))); diff != "" {
				t.Error(diff)
			}
		case errors.As(err, &problems):
			for _, p := range problems {
				inside(t, file, p.Span)
			}
		default:
			t.Errorf("the error is %T", err)
		}
	})
}

func inside(t *testing.T, f *source.File, s source.Span) {
	t.Helper()
	if s.Valid() && (s.File != f || s.Start < 0 || s.End < s.Start || s.End > len(f.Data) || s.Line < 1 || s.Line > f.Lines()+1) {
		t.Errorf("span %+v lies outside", s)
	}
}

// A file that is wrong in every line is refused without a search for each line, and a plan full of open brackets is read once.
func TestHostileInputsAreCheap(t *testing.T) {
	var keys strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, "k%d:\n", i)
	}
	for _, text := range []string{keys.String(), strings.Repeat("[", 200_000), "a: &a [" + strings.Repeat("*a,", 100_000) + "]\n"} {
		if _, err := Parse(source.NewFile("job.yaml", []byte(text)), nil); err == nil {
			t.Errorf("%.20q was taken", text)
		}
	}
	plan := `{"nodes":[{"id":1,"parallelism":1,"description":"` + strings.Repeat("WindowAggregate(", 200_000) + `"}]}`
	if _, err := ParsePlan(source.NewFile("p.json", []byte(plan))); err != nil {
		t.Error(err)
	}
}
