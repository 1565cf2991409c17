package job

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/source"
)

// draw prints a graph the way a person would sketch it.
func draw(vertices []Vertex, edges []Edge) []string {
	var out []string
	for _, v := range vertices {
		s := fmt.Sprintf("%s %q x%d/%d", v.ID, v.Name, v.Parallelism.V, v.MaxParallelism.V)
		if v.Source != nil {
			s += " source"
		}
		if v.Sink != nil {
			s += " sink"
		}
		if w := v.Window; w != nil {
			s += fmt.Sprintf(" window %s %s %s distinct=%t", w.Kind.V, w.Size.V.Pretty(), w.Slide.V.Pretty(), w.Distinct.V)
		}
		out = append(out, s)
	}
	for _, e := range edges {
		out = append(out, fmt.Sprintf("%s -%s/%s-> %s", e.From, e.ShipStrategy.V, e.Exchange.V, e.To))
	}
	return out
}

func plan(t *testing.T, file string) *Plan {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlan(source.NewFile(file, data))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPlanOfTheRESTInterface(t *testing.T) {
	p := plan(t, "rest-1.13.json")
	want := []string{
		`cbc357ccb763df2852fee8c4fc7d55f2 "Source: TableSourceScan -> WatermarkAssigner -> LocalWindowAggregate" x24/0 source`,
		`ea632d67b7d595e5b851708ae9ad79d6 "GlobalWindowAggregate -> Calc -> Sink: Sink" x24/0 sink window sliding 15min 1min distinct=true`,
		`cbc357ccb763df2852fee8c4fc7d55f2 -HASH/pipelined-> ea632d67b7d595e5b851708ae9ad79d6`,
	}
	if diff := cmp.Diff(want, draw(p.Vertices, p.Edges)); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if p.Name.V != "insert-into_counts" || len(p.Notes) > 0 {
		t.Errorf("name %q, notes %v", p.Name.V, p.Notes)
	}
	if s := p.Vertices[1].Span; !strings.HasPrefix(s.Text(), "{") || !strings.HasSuffix(s.Text(), "}") || !strings.Contains(s.Text(), "GlobalWindowAggregate") {
		t.Errorf("span of the second vertex: %q", s.Text())
	}
}

func TestPlanWithTreeDescriptionsInTheJobDetails(t *testing.T) {
	p := plan(t, "job-details-1.20.json")
	want := []string{
		`bc764cd8ddf7a0cff126f51c16239658 "Source: TableSourceScan" x4/128 source`,
		`20ba6b65f97481d5570070de90e4e791 "GroupWindowAggregate -> Calc -> Calc -> orders_out: Writer -> Calc" x2/256 sink window sliding 1h 15min distinct=false`,
		`bc764cd8ddf7a0cff126f51c16239658 -REBALANCE/pipelined-> 20ba6b65f97481d5570070de90e4e791`,
	}
	if diff := cmp.Diff(want, draw(p.Vertices, p.Edges)); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	f := Default()
	p.ApplyTo(f)
	if f.Job.Type.V != "streaming" || f.Name.V != "orders" || f.Job.API.V != "sql" || len(f.Job.Edges) != 1 {
		t.Errorf("applied: %+v", f)
	}
	f.Name.V, f.Job.Type.V = "mine", "batch"
	if p.ApplyTo(f); f.Name.V != "mine" || f.Job.Type.V != "batch" {
		t.Error("a plan does not hide what the job file says")
	}
}

func TestOperatorsOfFlinkInfoAreChained(t *testing.T) {
	p := plan(t, "info-1.13.txt")
	want := []string{
		`1 "Source: orders -> Filter" x4/0 source`,
		`3 "Map" x2/0`,
		`4 "Source: rates" x1/0 source`,
		`6 "Co-Process-Broadcast -> Sink: out" x2/0 sink`,
		`8 "Sink: audit" x1/0 sink`,
		`1 -RESCALE/-> 3`, `3 -FORWARD/-> 6`, `4 -BROADCAST/-> 6`, `6 -HASH/-> 8`,
	}
	if diff := cmp.Diff(want, draw(p.Vertices, p.Edges)); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{NoteChained}, p.Notes); diff != "" {
		t.Error(diff)
	}
}

// The plans of one job, printed by Flink itself (testdata/SlidingDistinct.java).
func TestPlansThatFlinkPrinted(t *testing.T) {
	for _, version := range []string{"1.20.5", "2.3.0"} {
		p := plan(t, "sliding-"+version+"-rest.json")
		dataStream := "TableToDataSteam" // so written in 1.20
		if version == "2.3.0" {
			dataStream = "TableToDataStream"
		}
		want := []string{
			`a8b8d8d20e94cf989a3605926512b447 "Map -> Filter -> Sink: Print to Std. Out" x2/0 sink`,
			`c27dcf7b54ef6bfd6cff02ca8870b681 "GlobalWindowAggregate -> Calc -> ConstraintEnforcer[NotNullEnforcer] -> ` + dataStream + `" x4/0 window sliding 15min 1min distinct=true`,
			`cbc357ccb763df2852fee8c4fc7d55f2 "TableSourceScan -> WatermarkAssigner -> LocalWindowAggregate" x4/0 source`,
			`c27dcf7b54ef6bfd6cff02ca8870b681 -REBALANCE/pipelined-> a8b8d8d20e94cf989a3605926512b447`,
			`cbc357ccb763df2852fee8c4fc7d55f2 -HASH/pipelined-> c27dcf7b54ef6bfd6cff02ca8870b681`,
		}
		if diff := cmp.Diff(want, draw(p.Vertices, p.Edges)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", version, diff)
		}
	}
	// In 1.13 the local aggregate does not chain, and the plan of the REST interface says so.
	old := plan(t, "sliding-1.13.6-rest.json")
	want := []string{
		`824637244398672a7c662d6985c431f1 "Map -> Filter -> Sink: Print to Std. Out" x2/0 sink`,
		`e883208d19e3c34f8aaf2a3168a63337 "GlobalWindowAggregate -> Calc -> NotNullEnforcer -> TableToDataSteam" x4/0 window sliding 15min 1min distinct=true`,
		`9dd63673dd41ea021b896d5203f3ba7c "LocalWindowAggregate" x4/0`,
		`cbc357ccb763df2852fee8c4fc7d55f2 "Source: TableSourceScan -> WatermarkAssigner" x4/0 source`,
		`e883208d19e3c34f8aaf2a3168a63337 -REBALANCE/pipelined-> 824637244398672a7c662d6985c431f1`,
		`9dd63673dd41ea021b896d5203f3ba7c -HASH/pipelined-> e883208d19e3c34f8aaf2a3168a63337`,
		`cbc357ccb763df2852fee8c4fc7d55f2 -FORWARD/pipelined-> 9dd63673dd41ea021b896d5203f3ba7c`,
	}
	if diff := cmp.Diff(want, draw(old.Vertices, old.Edges)); diff != "" {
		t.Errorf("1.13.6 (-want +got):\n%s", diff)
	}
}

// Chaining the operators of flink info gives the tasks that Flink's own chaining gave the same job.
func TestChainingAgreesWithFlink(t *testing.T) {
	info, rest := plan(t, "sliding-1.20.5-info.json"), plan(t, "sliding-1.20.5-rest.json")
	if len(info.Vertices) != len(rest.Vertices) || len(info.Edges) != len(rest.Edges) {
		t.Fatalf("%d tasks and %d edges, Flink has %d and %d", len(info.Vertices), len(info.Edges), len(rest.Vertices), len(rest.Edges))
	}
	for i := range info.Vertices {
		a, b := info.Vertices[i], rest.Vertices[len(rest.Vertices)-1-i] // the REST interface prints sinks first
		if strings.TrimPrefix(a.Name, "Source: visits -> ") != strings.TrimPrefix(strings.Replace(b.Name, "[NotNullEnforcer]", "", 1), "TableSourceScan -> ") || a.Parallelism.V != b.Parallelism.V ||
			(a.Source == nil) != (b.Source == nil) || (a.Sink == nil) != (b.Sink == nil) || (a.Window == nil) != (b.Window == nil) {
			t.Errorf("task %d: %+v, Flink has %+v", i, a, b)
		}
	}
}

func TestWindowsAreReadWhereUnambiguous(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"GlobalWindowAggregate(groupBy=[a], window=[CUMULATE(slice_end=[$slice_end], max_size=[1 h], step=[10 min])], select=[a, COUNT(distinct$0 count$0) AS uv])", "cumulative 1h 10min true"},
		{"WindowAggregate(groupBy=[a], window=[TUMBLE(time_col=[rowtime], size=[15 min], offset=[1 min])], select=[a, COUNT(*) AS c])", "tumbling 15min 0ms false"},
		{"WindowAggregate(groupBy=[a], window=[SESSION(time_col=[rowtime], gap=[5 min], partition keys=[a])], select=[a, COUNT(DISTINCT b) AS c])", "session 5min 0ms true"},
		{"GroupWindowAggregate(groupBy=[a], window=[TumblingGroupWindow('w$, rowtime, 900000)], properties=[w$start, w$end, w$rowtime], select=[a, COUNT(b) AS c])", "tumbling 15min 0ms false"},
		{"LocalWindowAggregate(groupBy=[a], window=[HOP(time_col=[t], size=[15 min], slide=[1 min])], select=[COUNT(DISTINCT b)])", ""},
		// Without a row time the numbers may be rows.
		{"GroupWindowAggregate(window=[SlidingGroupWindow('w$, proctime, 8, 4)], select=[COUNT(b) AS c])", ""},
		{"GlobalWindowAggregate(window=[TUMBLE(slice_end=[$e], size=[1 min])]) -> GlobalWindowAggregate(window=[TUMBLE(slice_end=[$e], size=[2 min])])", ""},
		// The DISTINCT of another operator is not the window's.
		{"WindowAggregate(window=[TUMBLE(time_col=[t], size=[1 min])], select=[SUM(b)]) -> GroupAggregate(select=[COUNT(DISTINCT c)])", "tumbling 1min 0ms false"},
		{"TriggerWindow(TumblingEventTimeWindows(60000), AggregatingStateDescriptor)", ""},
		{"WindowAggregate(", ""},
	} {
		got := ""
		if w := windowOf(c.text, source.Span{}); w != nil {
			got = fmt.Sprintf("%s %s %s %t", w.Kind.V, w.Size.V.Pretty(), w.Slide.V.Pretty(), w.Distinct.V)
		}
		if got != c.want {
			t.Errorf("windowOf(%s) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestPlansThatAreNone(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "p.json:1:1: not a plan: no JSON object in it"},
		{"{}", "p.json:1:1: not a plan: it is neither the answer of GET /jobs/<id>/plan nor what flink info prints (no nodes)"},
		{`{"errors":["Job not found"]}`, "p.json:1:1: not a plan: it is neither the answer of GET /jobs/<id>/plan nor what flink info prints (no nodes)"},
		{"{\"nodes\":[\n{\"id\":1},\n{\"id\":1}]}", "p.json:3:1: the id \"1\" stands twice; the first is in line 2"},
		{`{"nodes":[{"parallelism":1}]}`, "p.json:1:11: a node needs an id"},
		{`{"nodes":[{"id":1,"inputs":[{"id":2}]}]}`, `p.json:1:11: the node "1" has an input "2" that the plan does not have`},
		{`{"nodes":[{"id":[]}]}`, `p.json:1:20: not a plan: expected text or a number, not []`},
		{`{"nodes":{}}`, `p.json:1:11: not a plan: expected [`},
		{`{"nodes":[]}{}`, `p.json:1:13: text follows the plan`},
	} {
		_, err := ParsePlan(source.NewFile("p.json", []byte(c.text)))
		if got := fmt.Sprint(err); got != c.want {
			t.Errorf("ParsePlan(%s):\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	if p, err := ParsePlan(source.NewFile("p.json", []byte(`{"nodes":[{"id":"a","pact":"Operator","parallelism":1,"predecessors":[{"id":"b","ship_strategy":"FORWARD"}]},`+
		`{"id":"b","pact":"Operator","parallelism":1,"predecessors":[{"id":"a","ship_strategy":"FORWARD"}]}]}`))); err != nil || len(p.Vertices) != 1 {
		t.Errorf("a ring: %+v %v", p, err)
	}
}

func FuzzParsePlan(f *testing.F) {
	for _, name := range []string{"rest-1.13.json", "job-details-1.20.json", "info-1.13.txt"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := source.NewFile("p.json", data)
		p, err := ParsePlan(file)
		if err != nil {
			var problems Problems
			if !errors.As(err, &problems) {
				t.Fatalf("the error is no Problems: %v", err)
			}
			for _, problem := range problems {
				inside(t, file, problem.Span)
			}
			return
		}
		ids := map[string]bool{}
		for _, v := range p.Vertices {
			inside(t, file, v.Span)
			ids[v.ID] = true
		}
		for _, e := range p.Edges {
			inside(t, file, e.Span)
			if !ids[e.From] || !ids[e.To] {
				t.Errorf("edge %s to %s hangs", e.From, e.To)
			}
		}
	})
}
