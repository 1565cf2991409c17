package conformance_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

var update = flag.Bool("update", false, "rewrite RESULTS.md")

const resultsHead = `# Results: what Flink answered, and what real clusters did

Predicted, measured and the difference, per version. Each part names the command that reproduces it.

| part | where | versions | outcome |
| --- | --- | --- | --- |
| vectors: process memory, files, values, buffer pools | [README.md](README.md#areas) | fifteen, 1.10.3 to 2.3.0 | no difference but those [listed](README.md#differences-that-stay) |
| start and fail threshold | [below](#start-and-fail-threshold) | 1.20.5, 2.3.0 | exact to one buffer |
| restoring an unaligned checkpoint | [below](#restoring-an-unaligned-checkpoint) | 1.20.5, 2.3.0 | restores with what we say suffices, fails with less |
| in-flight bytes | [experiments](experiments/RESULTS.md#in-flight-bytes) | 1.20.5, 2.2.1 | every run inside the bound |
| advice proves out | [experiments](experiments/RESULTS.md#advice-proves-out) | 1.20.5, 2.2.1 | faulty configurations fail, the same with our edits run |

The vectors: "./regenerate -check" asks Flink again and names the number of questions for each version; "go test ./schema/conformance ./advisor/budget" compares our answers.

## Start and fail threshold

Each job of [thresholds/jobs.tsv](thresholds/jobs.tsv) was run on an in-process cluster (MiniCluster) with one more or one less network buffer until it ran with n
buffers and failed with n - 1 with Flink's own message. A streaming job runs when it reached RUNNING and stayed there; a batch job when it finished, with as many subtasks
of a stage side by side as there are slots: they wait for each other before the first record. "required" is what advisor/budget says before
any run (budget.Network.Required); "measured" is n. E11 needs an option that 2.0 removed. Written by "go test ./schema/conformance -run Thresholds -update" from
thresholds/measured.tsv, which "thresholds/run 1.20.5 2.3.0" measures; "JOBS='E1|R3' thresholds/run 2.3.0" measures some.

| job | cluster | graph | options | Flink | required | measured | difference | with one less |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

const restoreHead = `
## Restoring an unaligned checkpoint

The checkpoint is taken under back pressure, so that queues are full; then the job is restored from it with several numbers of buffers ("JOBS='.*-restore' thresholds/run 1.20.5
2.3.0"). It is taken with each subtask on a TaskManager of its own, so that it holds data of every channel.
"suffices" is budget.Network.RestoreSuffices. The order in which tasks come up decides whether a number between "required" and "suffices" does;
what the table claims is that "suffices" does, and that "required" does not. Each line is one run. The runs that end in a timeout waited 8 s, those of E1 on 1.20.5 15 s, against
Flink's 30 s; those of "suffices" had the 30 s.

Why: a producer reads back what it had not sent before it opens, and its pool keeps those buffers, up to its maximum, until the consumers have read their own state; the
consumers need exclusive buffers for that, for local channels too, and wait for the producers' until Flink gives up.
Gates hold what they read in the same way while their task is slow, or waits for those after it. Counting exclusive buffers alone is not enough: that gives
56 for E1, which fails with 80.

| job | cluster | graph | Flink | required | suffices | buffers | outcome |
| --- | --- | --- | --- | --- | --- | --- | --- |
`

// TestThresholds compares the least number of network buffers with which real jobs ran, and restored, with the numbers we say.
func TestThresholds(t *testing.T) {
	jobs := map[string][]string{}
	for _, f := range tsv(t, "thresholds/jobs.tsv") {
		jobs[f[0]] = f
	}
	var starts, restores strings.Builder
	// For each restored job and version, whether too few buffers were seen to fail.
	failed, order := map[string]bool{}, []string(nil)
	for _, m := range tsv(t, "thresholds/measured.tsv") {
		v := version.MustParse(m[0])
		n, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		f := jobs[m[1]]
		in := jobInput(t, v, f)
		network := budget.DeriveNetwork(in, budget.DeriveTaskManager(in))
		required, restore := network.Required, network.RestoreSuffices
		if !required.Known || !restore.Known {
			t.Fatalf("Flink %s, %s: not known, needs %v", v, m[1], required.Needs)
		}
		cluster, graph := f[1]+" x "+f[2]+" slots", strings.ReplaceAll(f[6], " ", ", ")+" ("+strings.ReplaceAll(f[5], " ", ", ")+")"
		if strings.HasPrefix(f[3], "restore") {
			runs := m[3] == "runs"
			if n >= restore.V && !runs {
				t.Errorf("Flink %s, %s: does not restore with %d buffers; we say that %d suffice", v, m[1], n, restore.V)
			}
			if id := m[0] + " " + m[1]; f[3] == "restore" {
				if _, ok := failed[id]; !ok {
					order = append(order, id)
				}
				failed[id] = failed[id] || !runs && n >= required.V && n < restore.V
			}
			fmt.Fprintf(&restores, "| %s | %s | %s | %s | %d | %d | %d | %s |\n", m[1], cluster, graph, v, required.V, restore.V, n, m[3])
			continue
		}
		if required.V != n {
			t.Errorf("Flink %s, %s: runs with %d buffers and not with %d; we require %d", v, m[1], n, n-1, required.V)
		}
		fmt.Fprintf(&starts, "| %s | %s | %s, %s | %s | %s | %d | %d | %d | %s |\n", m[1], cluster, f[3], graph,
			strings.ReplaceAll(f[4], "taskmanager.network.", ""), v, required.V, n, n-required.V, m[3])
	}
	for _, id := range order {
		if !failed[id] {
			t.Errorf("%s: no number of buffers that starts the job was seen to fail to restore it", id)
		}
	}
	page := resultsHead + starts.String() + restoreHead + restores.String()
	if *update {
		if err := os.WriteFile("RESULTS.md", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(committed), page); diff != "" {
		t.Errorf("RESULTS.md is not what the measurements give (-committed +now), go test -update rewrites it:\n%s", diff)
	}
}

func tsv(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return rows
}

var (
	vertexForm = regexp.MustCompile(`^(\w+):(\d+)(?:@(\w+))?$`)
	edgeForm   = regexp.MustCompile(`^(\w+)-(\w+)->(\w+)$`)
)

// jobInput is a line of thresholds/jobs.tsv as the budget reads it.
func jobInput(t *testing.T, v version.Version, f []string) budget.Input {
	t.Helper()
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	kind := "streaming"
	if f[3] == "batch" {
		kind = f[3]
	}
	facts := &job.Facts{Job: job.Job{Type: given(kind)}, Deployment: job.Deployment{TaskManagers: given(number(f[1]))}}
	for s := range strings.FieldsSeq(f[5]) {
		p := vertexForm.FindStringSubmatch(s)
		x := job.Vertex{ID: p[1], Name: p[1], Parallelism: given(number(p[2]))}
		if p[3] != "" {
			x.SlotSharingGroup = given(p[3])
		}
		facts.Job.Vertices = append(facts.Job.Vertices, x)
	}
	for s := range strings.FieldsSeq(f[6]) {
		p := edgeForm.FindStringSubmatch(s)
		facts.Job.Edges = append(facts.Job.Edges, job.Edge{From: p[1], To: p[3], ShipStrategy: given(p[2])})
	}
	layer := conf.Layer{Dialect: conf.Arguments}
	for s := range strings.FieldsSeq(fmt.Sprintf("taskmanager.memory.process.size=4g taskmanager.numberOfTaskSlots=%s %s", f[2], f[4])) {
		key, value, _ := strings.Cut(s, "=")
		layer.Entries = append(layer.Entries, conf.Entry{Key: key, Value: value, Text: value, Raw: value})
	}
	e, err := conf.Merge(v, layer)
	if err != nil {
		t.Fatal(err)
	}
	return budget.Input{Conf: e, Job: facts}
}

func given[T any](v T) job.Fact[T] { return job.Fact[T]{V: v, Known: true, From: "jobs.tsv"} }
