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

const resultsHead = `# Results on a real cluster

## Start and fail threshold

Each job of [thresholds/jobs.tsv](thresholds/jobs.tsv) was run on an in-process cluster (MiniCluster) with one more or one less network buffer until it reached
RUNNING and stayed there with n buffers and failed with n - 1 with Flink's own message. "required" is what advisor/budget says before
any run (budget.Network.Required); "measured" is n. Written by "go test ./schema/conformance -run Thresholds -update" from
thresholds/measured.tsv, which "thresholds/run 1.20.5 2.3.0" measures.

| job | cluster | graph | options | Flink | required | measured | difference | with one less |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

// TestThresholds compares the least number of network buffers with which real jobs ran with the number we call required.
func TestThresholds(t *testing.T) {
	jobs := map[string][]string{}
	for _, f := range tsv(t, "thresholds/jobs.tsv") {
		jobs[f[0]] = f
	}
	page := strings.Builder{}
	page.WriteString(resultsHead)
	measured := tsv(t, "thresholds/measured.tsv")
	for _, m := range measured {
		v := version.MustParse(m[0])
		n, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		f := jobs[m[1]]
		in := jobInput(t, v, f)
		required := budget.DeriveNetwork(in, budget.DeriveTaskManager(in)).Required
		if !required.Known || required.V != n {
			t.Errorf("Flink %s, %s: runs with %d buffers and not with %d; we require %d (needs %v)", v, m[1], n, n-1, required.V, required.Needs)
		}
		fmt.Fprintf(&page, "| %s | %s x %s slots | %s, %s | %s | %s | %d | %d | %d | %s |\n", m[1], f[1], f[2], f[3], strings.ReplaceAll(f[6], " ", ", ")+" ("+strings.ReplaceAll(f[5], " ", ", ")+")",
			strings.TrimPrefix(f[4], "taskmanager.network.memory."), v, required.V, n, n-required.V, m[3])
	}
	if *update {
		if err := os.WriteFile("RESULTS.md", []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(committed), page.String()); diff != "" {
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
	facts := &job.Facts{Job: job.Job{Type: given(f[3])}, Deployment: job.Deployment{TaskManagers: given(number(f[1]))}}
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
