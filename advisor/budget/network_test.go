package budget

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func known1[T any](v T) job.Fact[T] { return job.Fact[T]{V: v, Known: true, From: "job.yaml"} }

// graphFacts reads a job graph: vertices "src 4, sink 4 group", edges "src HASH sink".
func graphFacts(vertices, edges string) *job.Facts {
	f := &job.Facts{}
	for part := range strings.SplitSeq(vertices, ", ") {
		w := strings.Fields(part)
		p, err := strconv.Atoi(w[1])
		if err != nil {
			panic(err)
		}
		v := job.Vertex{ID: w[0], Name: w[0], Parallelism: known1(p)}
		if len(w) > 2 {
			v.SlotSharingGroup = known1(w[2])
		}
		f.Job.Vertices = append(f.Job.Vertices, v)
	}
	for part := range strings.SplitSeq(edges, ", ") {
		if w := strings.Fields(part); len(w) == 3 {
			f.Job.Edges = append(f.Job.Edges, job.Edge{From: w[0], To: w[2], ShipStrategy: known1(w[1])})
		}
	}
	return f
}

// options is a configuration of "key: value" lines.
func options(t testing.TB, flink string, lines ...string) *conf.Effective {
	t.Helper()
	layer := conf.Layer{Name: "flink-conf.yaml", Dialect: conf.Flat}
	for _, l := range lines {
		key, value, ok := strings.Cut(l, ": ")
		if !ok {
			t.Fatalf("%q is not an option", l)
		}
		layer.Entries = append(layer.Entries, conf.Entry{Key: key, Value: value, Text: value})
	}
	e, err := conf.Merge(version.MustParse(flink), layer)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// managers is a TaskManager with so many slots and so much network memory.
func managers(slots int, network quantity.Bytes) *TaskManager {
	return &TaskManager{Slots: slots, Configured: true, Network: Part{Bytes: network, Known: true, Key: "taskmanager.memory.network.max", From: "test"}}
}

// A case of the worked examples: a job on taskManagers equal TaskManagers.
type example struct {
	name, vertices, edges string
	options               []string
	taskManagers, slots   int
	// hosted lists for each vertex which subtasks stand on the TaskManager that is looked at; where says on which TaskManager each subtask stands.
	where                               map[string][]int
	look                                int
	required, restore, target, o5, o20  int64
	worstRequired, worstTarget, worstO5 int64 // what the worst placement adds to the placement listed; 0: the same
	// only lists the versions where not all hold.
	versions []string
}

// round places subtask k in slot k, slots in order.
func round(p, slots int) []int {
	out := make([]int, p)
	for i := range out {
		out[i] = i / slots
	}
	return out
}

// oracle computes the buffers of one TaskManager from an explicit placement, subtask by subtask and channel by channel, straight from
// the tables of gates and partitions. It shares only pools with the code under test.
func oracle(g *graph, where map[string][]int, look int) (required, restore, target, overdraft int64) {
	for i := range g.edges {
		e := &g.edges[i]
		up, down := where[g.vertices[e.from].name], where[g.vertices[e.to].name]
		p1, p2 := len(up), len(down)
		for j, tm := range down {
			if tm != look {
				continue
			}
			first, last := 0, p1
			if e.pointwise {
				if p1 >= p2 {
					first, last = j*p1/p2, (j+1)*p1/p2
				} else {
					first = j * p1 / p2
					last = first + 1
				}
			}
			remote := int64(0)
			for k := first; k < last; k++ {
				if up[k] != look {
					remote++
				}
			}
			channels := int64(last - first)
			gate := g.pools.gate(channels, e.exchange)
			required += gate.min + gate.exclusive*remote
			target += gate.max + gate.exclusive*remote
			if e.aligned == "" && g.pools.restoreLocal {
				restore += gate.max + gate.exclusive*channels
				if remote > 0 {
					restore += gate.exclusive
				}
			} else if e.aligned == "" {
				restore += gate.max + gate.exclusive*remote
			} else {
				restore += gate.min + gate.exclusive*remote
			}
		}
		for k, tm := range up {
			if tm != look {
				continue
			}
			subpartitions := p2
			if e.pointwise {
				subpartitions = 1
				if p1 < p2 {
					subpartitions = 0
					for j := range p2 {
						if j*p1/p2 == k {
							subpartitions++
						}
					}
				}
			}
			part := g.pools.partition(int64(subpartitions), e.exchange)
			required += part.min
			if e.aligned == "" {
				restore += part.max
			} else {
				restore += part.min
			}
			target += part.max
			overdraft += part.overdraft
		}
	}
	return required, restore, target, overdraft
}

func networkExamples() []example {
	shuffle := func(name string, p, tms, slots int) example {
		return example{
			name: name, vertices: fmt.Sprintf("src %d, sink %d", p, p), edges: "src HASH sink", taskManagers: tms, slots: slots,
			where: map[string][]int{"src": round(p, slots), "sink": round(p, slots)},
		}
	}
	with := func(e example, required, restore, target, o5, o20 int64) example {
		e.required, e.restore, e.target, e.o5, e.o20 = required, restore, target, o5, o20
		return e
	}
	e5 := example{
		name: "E5 with both sources", vertices: "src 2, map 6", edges: "src RESCALE map", taskManagers: 3, slots: 2,
		where: map[string][]int{"src": {0, 0}, "map": {0, 1, 1, 0, 2, 2}}, worstRequired: 4, worstTarget: 4, worstO5: 4,
	}
	e5b := example{
		name: "E5b with both maps", vertices: "src 5, map 2", edges: "src RESCALE map", taskManagers: 2, slots: 3,
		where: map[string][]int{"src": round(5, 3), "map": {0, 0}}, worstRequired: 8, worstTarget: 8, worstO5: 8,
	}
	e6 := example{
		name: "E6 with ctl", vertices: "main 4, ctl 1, proc 4", edges: "main FORWARD proc, ctl BROADCAST proc", taskManagers: 2, slots: 2,
		where: map[string][]int{"main": round(4, 2), "ctl": {0}, "proc": round(4, 2)}, worstRequired: 8, worstTarget: 8, worstO5: 8,
	}
	e9 := example{
		name: "E9 both sinks together", vertices: "src 8, sink 2", edges: "src HASH sink", taskManagers: 2, slots: 4,
		where: map[string][]int{"src": round(8, 4), "sink": {0, 0}},
	}
	apart := e9
	apart.name, apart.where = "E9 sinks apart", map[string][]int{"src": round(8, 4), "sink": {0, 1}}
	apart.worstRequired, apart.worstTarget, apart.worstO5 = 9, 16, 16
	at := func(e example, name string, look int, worstRequired, worstTarget, worstO5 int64) example {
		e.name, e.look = name, look
		e.worstRequired, e.worstTarget, e.worstO5 = worstRequired, worstTarget, worstO5
		return e
	}
	two := func(name string, p, tms, slots int, second string) example {
		e := shuffle(name, p, tms, slots)
		e.vertices, e.edges = fmt.Sprintf("src %d, agg %d, sink %d", p, p, p), "src HASH agg, agg "+second+" sink"
		e.where["agg"] = round(p, slots)
		return e
	}
	e4 := shuffle("E4", 4, 2, 2)
	e4.edges = "src FORWARD sink"
	e7 := shuffle("E7", 3, 1, 3)
	e7.edges = "src HASH sink, src HASH sink"
	e11 := shuffle("E11", 4, 2, 2)
	e11.options, e11.versions = []string{"taskmanager.network.memory.buffers-per-channel: 0"}, []string{"1.14", "1.16", "1.17", "1.20"}
	e13 := shuffle("E13", 4, 1, 4)
	e13.options, e13.versions = []string{"taskmanager.network.memory.read-buffer.required-per-gate.max: 4"}, []string{"1.17", "1.20", "2.0", "2.3"}
	return []example{
		with(shuffle("E1", 4, 1, 4), 24, 128, 96, 116, 176),
		with(shuffle("E2", 4, 2, 2), 20, 68, 56, 66, 96),
		with(two("E3", 4, 2, 2, "REBALANCE"), 40, 136, 112, 132, 192),
		with(e4, 6, 6, 36, 46, 76),
		with(e5, 10, 10, 44, 54, 84),
		with(at(e5, "E5 with two maps", 1, 8, 28, 38), 6, 6, 20, 20, 20),
		with(e5b, 12, 12, 50, 65, 110),
		with(at(e5b, "E5b with two sources", 1, 16, 38, 43), 4, 4, 20, 30, 60),
		with(e6, 13, 13, 68, 83, 128),
		with(at(e6, "E6 without ctl", 1, 9, 20, 25), 12, 12, 56, 66, 96),
		with(e7, 30, 168, 132, 162, 252),
		with(shuffle("E8", 160, 20, 8), 3728, 5264, 5120, 5160, 5280),
		with(e9, 30, 100, 80, 100, 160),
		with(at(e9, "E9 without sinks", 1, 18, 32, 32), 12, 48, 48, 68, 128),
		with(apart, 21, 74, 64, 84, 144),
		with(two("E10", 160, 20, 8, "HASH"), 7456, 10528, 10240, 10320, 10560),
		with(e11, 12, 32, 32, 42, 0),
		with(e13, 36, 128, 128, 148, 208),
	}
}

// TestExamples checks the worked examples against both the listed placement, computed channel by channel, and the worst placement.
func TestExamples(t *testing.T) {
	for _, e := range networkExamples() {
		versions := e.versions
		if versions == nil {
			versions = []string{"1.14", "1.15", "1.16", "1.17", "1.20", "2.0", "2.3"}
		}
		for _, flink := range versions {
			t.Run(e.name+" on "+flink, func(t *testing.T) {
				facts := graphFacts(e.vertices, e.edges)
				facts.Deployment.TaskManagers = known1(e.taskManagers)
				n := DeriveNetwork(Input{Conf: options(t, flink, e.options...), Job: facts}, managers(e.slots, quantity.GiB))
				required, restore, target, over := oracle(n.graph, e.where, e.look)
				overdraft := e.target
				switch v := version.MustParse(flink); {
				case v.AtLeast(2, 0):
					overdraft = e.o20
				case v.AtLeast(1, 16):
					overdraft = e.o5
				}
				if got, want := [4]int64{required, restore, target, target + over}, [4]int64{e.required, e.restore, e.target, overdraft}; got != want {
					t.Errorf("as placed: required, restore, target, with overdraft = %v, want %v", got, want)
				}
				if !n.Required.Known || n.Required.V != e.required+e.worstRequired || n.Target.V != e.target+e.worstTarget {
					t.Errorf("worst: required %d, target %d; want %d, %d", n.Required.V, n.Target.V, e.required+e.worstRequired, e.target+e.worstTarget)
				}
				if e.worstRequired == 0 && n.RestoreSuffices.V != e.restore {
					t.Errorf("worst: restore %d, want %d", n.RestoreSuffices.V, e.restore)
				}
				if n.RequiredLeast.V > n.Required.V || n.RequiredEven.V > n.Required.V || n.Maximum.V < n.Target.V {
					t.Errorf("least %d, even %d, required %d, target %d, maximum %d", n.RequiredLeast.V, n.RequiredEven.V, n.Required.V, n.Target.V, n.Maximum.V)
				}
				if flink == "1.16" && e.worstO5 == 0 {
					withOverdraft := n.graph.weights(func(e *edge) weight { w := e.target(); w.producer += e.partition.overdraft; return w })
					if got := n.graph.worst(n.cluster, withOverdraft).total; got != e.o5 {
						t.Errorf("target with overdraft %d, want %d", got, e.o5)
					}
				}
			})
		}
	}
}

// TestExamplesBefore111 checks that 1.10 takes one buffer less for each gate.
func TestExamplesBefore111(t *testing.T) {
	for _, c := range []struct {
		vertices, edges string
		tms, slots      int
		want            int64
	}{
		{"src 4, sink 4", "src HASH sink", 1, 4, 20},
		{"src 4, sink 4", "src HASH sink", 2, 2, 18},
		{"src 4, agg 4, sink 4", "src HASH agg, agg REBALANCE sink", 2, 2, 36},
		{"src 160, sink 160", "src HASH sink", 20, 8, 3720},
	} {
		facts := graphFacts(c.vertices, c.edges)
		facts.Deployment.TaskManagers = known1(c.tms)
		n := DeriveNetwork(Input{Conf: options(t, "1.10"), Job: facts}, managers(c.slots, quantity.GiB))
		if n.Required.V != c.want || n.RestoreSuffices.V != c.want {
			t.Errorf("%s on %d x %d: required %d, restore %d, want %d for both", c.vertices, c.tms, c.slots, n.Required.V, n.RestoreSuffices.V, c.want)
		}
	}
}

// TestBatchStages has graphs whose figures were measured on real Flink (schema/conformance/thresholds, B1 to B5), and how sharing began.
func TestBatchStages(t *testing.T) {
	for _, c := range []struct {
		vertices, edges string
		version         string
		slots           int
		options         []string
		required, least int64
	}{
		// Both sources: 4 x 512. Their consumer takes 3 x 514 and comes after them.
		{"a 2, b 2, c 3, d 2", "a HASH c, b HASH c, c HASH d", "1.20", 4, nil, 2048, 514},
		{"a 3, b 4, c 2, d 3", "a HASH b, a REBALANCE c, b HASH d, c HASH d", "1.20", 6, []string{keySortBuffers + ": 8"}, 54, 16},
		{"a 4, b 2, c 2", "a HASH b, a HASH c", "1.20", 4, []string{keySortBuffers + ": 8"}, 64, 8},
		{"a 4, b 2, c 2", "a REBALANCE b, a REBALANCE c", "1.20", 4, []string{keySortBuffers + ": 8"}, 32, 8},
		{"a 4, b 2, c 2", "a REBALANCE b, a REBALANCE c", "1.16", 4, []string{keySortBuffers + ": 8"}, 32, 8},
		{"a 4, b 2, c 2", "a REBALANCE b, a REBALANCE c", "1.15", 4, []string{keySortBuffers + ": 8"}, 64, 16},
		{"a 4, b 2, c 3", "a REBALANCE b, a REBALANCE c", "1.20", 4, []string{keySortBuffers + ": 8"}, 64, 16},
		// The subtasks of an unchained FORWARD edge need not wait for the whole stage before.
		{"a 4, b 4", "a FORWARD b", "1.20", 4, []string{keySortBuffers + ": 8"}, 32, 8},
		{"a 2, b 4, c 4", "a FORWARD b, b FORWARD c", "1.20", 8, []string{keySortBuffers + ": 8"}, 2*8 + 4*9 + 2, 9},
	} {
		facts := graphFacts(c.vertices, c.edges)
		facts.Job.Type = known1("batch")
		facts.Deployment.TaskManagers = known1(1)
		n := DeriveNetwork(Input{Conf: options(t, c.version, c.options...), Job: facts}, managers(c.slots, quantity.GiB))
		if n.Required.V != c.required || n.RequiredLeast.V != c.least {
			t.Errorf("%s %s on Flink %s: required %d, least %d, want %d, %d", c.vertices, c.edges, c.version, n.Required.V, n.RequiredLeast.V, c.required, c.least)
		}
	}
}

// TestSideBySide compares the search for stages that stand side by side with all sets of stages.
func TestSideBySide(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawJob(rt)
		f.Job.Type = known1("batch")
		slots := rapid.IntRange(1, 9).Draw(rt, "slots")
		n := DeriveNetwork(Input{Conf: options(t, "1.20", keySortBuffers+": 8"), Job: f}, managers(slots, quantity.GiB))
		g, before := n.graph, finished(n.graph)
		w := g.weights((*edge).required)
		var most int64
		for set := range 1 << g.groups {
			allowed := true
			for a := range g.vertices {
				for b := range g.vertices {
					if set>>g.vertices[a].group&1 == 1 && set>>g.vertices[b].group&1 == 1 && before[a][b] {
						allowed = false
					}
				}
			}
			if !allowed {
				continue
			}
			// The graph with these stages alone.
			part := *g
			part.apart = nil
			part.vertices = slices.Clone(g.vertices)
			for i := range part.vertices {
				if set>>part.vertices[i].group&1 == 0 {
					part.vertices[i].parallelism = 0
				}
			}
			most = max(most, part.worst(n.cluster, w).total)
		}
		if n.Required.V != most {
			rt.Errorf("required %d, and over all sets of stages %d", n.Required.V, most)
		}
	})
}

// finished tells for each two vertices of a graph of blocking exchanges whether the second starts only when the first has finished, by
// closing the relation step by step.
func finished(g *graph) [][]bool {
	reach, before := make([][]bool, len(g.vertices)), make([][]bool, len(g.vertices))
	for i := range reach {
		reach[i], before[i] = make([]bool, len(g.vertices)), make([]bool, len(g.vertices))
		reach[i][i] = true
	}
	for range g.vertices {
		for _, e := range g.edges {
			for v := range g.vertices {
				reach[v][e.to] = reach[v][e.to] || reach[v][e.from]
				before[v][e.to] = before[v][e.to] || before[v][e.from] || reach[v][e.from] && !e.pointwise
			}
		}
	}
	return before
}

// TestBatch is E12: of three stages the middle one takes 512 buffers for each sort-shuffle partition and one for each gate.
func TestBatch(t *testing.T) {
	facts := graphFacts("first 4, middle 4, last 4", "first HASH middle, middle HASH last")
	facts.Job.Type = known1("batch")
	n := DeriveNetwork(Input{Conf: options(t, "1.20"), Job: facts}, managers(4, 64*quantity.MiB))
	if n.Buffers.V != 2048 || n.Required.V != 2052 || !n.Required.Known {
		t.Errorf("buffers %d, required %d; want 2048, 2052", n.Buffers.V, n.Required.V)
	}
	if n.RequiredLeast.V != 513 {
		t.Errorf("least required %d, want 513", n.RequiredLeast.V)
	}
	before := DeriveNetwork(Input{Conf: options(t, "1.14"), Job: facts}, managers(4, 64*quantity.MiB))
	if before.Required.V != 4*(5+1) || !before.Unbounded || before.Maximum.Known {
		t.Errorf("1.14: required %d, unbounded %v; want hash shuffle with 24", before.Required.V, before.Unbounded)
	}
	for _, c := range []struct {
		flink string
		lines []string
		want  int64
	}{
		{"1.16", []string{"execution.batch-shuffle-mode: ALL_EXCHANGES_HYBRID_FULL"}, 4 * (201 + 1)},
		{"1.20", []string{"execution.batch-shuffle-mode: ALL_EXCHANGES_HYBRID_FULL"}, 4 * (101 + 1)},
		{"1.20", []string{"execution.batch-shuffle-mode: ALL_EXCHANGES_HYBRID_FULL", "taskmanager.network.hybrid-shuffle.enable-new-mode: false"}, 4 * (201 + 1)},
		{"2.1", []string{"execution.batch-shuffle-mode: ALL_EXCHANGES_HYBRID_FULL", "taskmanager.network.hybrid-shuffle.remote.path: s3://b/p"}, 4 * (102 + 1)},
	} {
		facts := graphFacts("first 4, middle 4, last 200", "first FORWARD middle, middle HASH last")
		facts.Job.Type = known1("batch")
		facts.Deployment.TaskManagers = known1(50)
		n := DeriveNetwork(Input{Conf: options(t, c.flink, c.lines...), Job: facts}, managers(4, 64*quantity.MiB))
		// The FORWARD channel may be remote: a batch job gives each stage slots of its own.
		if want := c.want + 4*2; n.Required.V != want {
			t.Errorf("%s %v: required %d, want %d", c.flink, c.lines, n.Required.V, want)
		}
	}
}

// TestGate checks required-per-gate.max and the limit of blocking gates at the places where they begin to bind.
func TestGate(t *testing.T) {
	v := version.MustParse("1.20")
	for _, c := range []struct {
		limit               string
		x                   exchange
		channels            int64
		exclusive, min, max int64
	}{
		{"", pipelined, 100, 2, 1, 8},
		{"10", pipelined, 100, 0, 10, 208},
		{"150", pipelined, 100, 1, 50, 108},
		{"201", pipelined, 100, 2, 1, 8},
		{"", blocking, 499, 2, 1, 8},
		{"", blocking, 500, 1, 500, 508},
		{"", blocking, 1000, 0, 1000, 2008},
		{"", pipelined, 1000, 2, 1, 8},
	} {
		var lines []string
		if c.limit != "" {
			lines = []string{keyRequiredPerGate + ": " + c.limit}
		}
		p, needs := poolsOf(options(t, "1.20", lines...), v)
		if g := p.gate(c.channels, c.x); len(needs) > 0 || g.exclusive != c.exclusive || g.min != c.min || g.max != c.max {
			t.Errorf("limit %q, %d channels: %+v, want exclusive %d, pool %d-%d", c.limit, c.channels, g, c.exclusive, c.min, c.max)
		}
	}
}

// TestPoolsByVersion checks what options can still do in each version.
func TestPoolsByVersion(t *testing.T) {
	lines := []string{keyExclusive + ": 3", keyFloating + ": 16", keyOverdraft + ": 7", keySubpartitionMax + ": 20"}
	for _, c := range []struct {
		flink                                           string
		exclusive, floating, overdraft, subpartitionMax int64
	}{
		{"1.10", 3, 16, 0, 0}, {"1.11", 3, 16, 0, 20}, {"1.15", 3, 16, 0, 20}, {"1.16", 3, 16, 7, 20}, {"1.20", 3, 16, 7, 20},
		{"2.0", 2, 8, 20, 10}, {"2.3", 2, 8, 20, 10},
	} {
		p, needs := poolsOf(options(t, c.flink, lines...), version.MustParse(c.flink))
		if len(needs) > 0 || p.exclusive != c.exclusive || p.floating != c.floating || p.overdraft != c.overdraft || p.subpartitionMax != c.subpartitionMax {
			t.Errorf("%s: %+v (%v), want %+v", c.flink, p, needs, c)
		}
	}
	if _, needs := poolsOf(options(t, "1.16", keyFloating+": many"), version.MustParse("1.16")); !slices.Equal(needs, []string{keyFloating}) {
		t.Errorf("needs %v", needs)
	}
}

// TestIncident is the job of examples/tm-crash.
func TestIncident(t *testing.T) {
	in := Input{Conf: options(t, "1.13.1", "execution.checkpointing.unaligned: true", "execution.checkpointing.interval: 1 min",
		"execution.checkpointing.timeout: 2 min"), Job: graphFacts("source 24, window 24", "source HASH window")}
	n := DeriveNetwork(in, managers(8, quantity.GiB))
	if n.Buffers.V != 32768 || n.Required.V != 464 || n.Target.V != 768 || n.RestoreSuffices.V != 912 || n.RequiredLeast.V != 464 || n.RequiredRestore.V != 592 {
		t.Errorf("buffers %d, required %d (least %d), target %d, restore %d", n.Buffers.V, n.Required.V, n.RequiredLeast.V, n.Target.V, n.RestoreSuffices.V)
	}
	// S(4P + 18) buffers to restore: 8·(4·1019 + 18) = 32752.
	if n.MaxParallelism.V != 1019 {
		t.Errorf("largest parallelism %d, want 1019", n.MaxParallelism.V)
	}
	if n.TaskManagers.V != 3 || n.TaskManagers.Terms[0].Origin != conf.Assumed || n.TaskManagers.Terms[0].From != "deployment.taskManagers" {
		t.Errorf("TaskManagers %+v", n.TaskManagers)
	}
	var sum float64
	for _, term := range n.Required.Terms {
		if term.Unit == Buffers {
			sum += term.Value
		}
	}
	if sum != 464 || n.Edges[0].Required != 464 || n.Edges[0].Target != 768 {
		t.Errorf("terms come to %v, the edge to %+v", sum, n.Edges[0])
	}
}

// TestRequiredRestore checks what Flink books when every channel of an unaligned checkpoint holds data: pool minima, and exclusive buffers for local channels
// too. Edges that never go unaligned add nothing.
func TestRequiredRestore(t *testing.T) {
	want := map[string]int64{"E1": 56, "E2": 28, "E3": 56, "E4": 6, "E7": 66, "E8": 3856, "E10": 7712, "E11": 12, "E13": 36}
	for _, e := range networkExamples() {
		reserved, ok := want[e.name]
		if !ok {
			continue
		}
		delete(want, e.name)
		facts := graphFacts(e.vertices, e.edges)
		facts.Deployment.TaskManagers = known1(e.taskManagers)
		n := DeriveNetwork(Input{Conf: options(t, "1.17", e.options...), Job: facts}, managers(e.slots, quantity.GiB))
		if n.RequiredRestore.V != reserved || n.RestoreSuffices.V < reserved {
			t.Errorf("%s: booked %d, enough %d; want %d booked", e.name, n.RequiredRestore.V, n.RestoreSuffices.V, reserved)
		}
	}
	if len(want) > 0 {
		t.Errorf("examples not found: %v", want)
	}
}

// TestClosedForm checks the sum of k all-to-all exchanges at one parallelism on full TaskManagers.
func TestClosedForm(t *testing.T) {
	versions := []string{"1.10", "1.11", "1.13", "1.15", "1.16", "1.17", "1.20", "2.0", "2.3"}
	rapid.Check(t, func(rt *rapid.T) {
		s, tms := rapid.Int64Range(1, 64).Draw(rt, "slots"), rapid.Int64Range(1, 40).Draw(rt, "TaskManagers")
		k := rapid.Int64Range(1, 5).Draw(rt, "edges")
		flink := rapid.SampledFrom(versions).Draw(rt, "version")
		p := s * tms
		vertices, edges := fmt.Sprintf("v0 %d", p), ""
		for i := range k {
			vertices += fmt.Sprintf(", v%d %d", i+1, p)
			edges += fmt.Sprintf("v%d HASH v%d, ", i, i+1)
		}
		n := DeriveNetwork(Input{Conf: options(t, flink), Job: graphFacts(vertices, edges)}, managers(int(s), quantity.GiB))
		required, restore, target := k*s*(3*p-2*s+2), k*s*(4*p+16), k*s*(4*p-2*s+16)
		if tms > 1 {
			restore += k * s * 2
		}
		switch flink {
		case "1.10":
			required -= k * s
			restore = required
		case "1.11":
			restore = target
		}
		reserved := k * s * (3*p + 2)
		if flink == "1.10" || flink == "1.11" { // channels on the own TaskManager keep no state there
			reserved = required
		}
		if n.RequiredRestore.V != reserved {
			rt.Errorf("booked on restore %d, want %d", n.RequiredRestore.V, reserved)
		}
		if n.Required.V != required || n.RestoreSuffices.V != restore || n.Target.V != target {
			rt.Errorf("required, restore, target = %d, %d, %d, want %d, %d, %d", n.Required.V, n.RestoreSuffices.V, n.Target.V, required, restore, target)
		}
		if flink != "1.10" && n.RequiredLeast.V > required {
			rt.Errorf("least %d > required %d", n.RequiredLeast.V, required)
		}
	})
}

// drawJob draws a small acyclic job graph.
func drawJob(rt *rapid.T) *job.Facts {
	f := &job.Facts{}
	vertices := rapid.IntRange(2, 5).Draw(rt, "vertices")
	for i := range vertices {
		p := rapid.IntRange(1, 9).Draw(rt, "parallelism")
		v := job.Vertex{ID: fmt.Sprint("v", i), Name: fmt.Sprint("v", i), Parallelism: known1(p)}
		if rapid.IntRange(0, 4).Draw(rt, "group") == 0 {
			v.SlotSharingGroup = known1("other")
		}
		f.Job.Vertices = append(f.Job.Vertices, v)
	}
	for to := 1; to < vertices; to++ {
		for range rapid.IntRange(1, 2).Draw(rt, "inputs") {
			from := rapid.IntRange(0, to-1).Draw(rt, "from")
			strategy := rapid.SampledFrom(job.ShipStrategies).Draw(rt, "strategy")
			f.Job.Edges = append(f.Job.Edges, job.Edge{From: fmt.Sprint("v", from), To: fmt.Sprint("v", to), ShipStrategy: known1(strategy)})
		}
	}
	return f
}

var drawnVersions = []string{"1.11", "1.13.1", "1.14", "1.16", "1.17", "1.20", "2.0", "2.3"}

func drawOptions(rt *rapid.T) []string {
	var lines []string
	if e := rapid.IntRange(-1, 4).Draw(rt, "exclusive"); e >= 0 {
		lines = append(lines, fmt.Sprintf("%s: %d", keyExclusive, e))
	}
	if q := rapid.IntRange(-5, 12).Draw(rt, "per gate"); q > 0 {
		lines = append(lines, fmt.Sprintf("%s: %d", keyRequiredPerGate, q))
	}
	return lines
}

// TestWorstCoversPlacements draws placements that slot sharing allows and computes them channel by channel: none takes more than the
// worst placement, and some TaskManager always takes the least.
func TestWorstCoversPlacements(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawJob(rt)
		slots := rapid.IntRange(1, 4).Draw(rt, "slots")
		in := Input{Conf: options(t, rapid.SampledFrom(drawnVersions).Draw(rt, "version"), drawOptions(rt)...), Job: f}
		if len(in.Job.Job.Edges) > 0 && rapid.Bool().Draw(rt, "more TaskManagers") {
			f.Deployment.TaskManagers = known1(rapid.IntRange(1, 20).Draw(rt, "TaskManagers"))
		}
		n := DeriveNetwork(in, managers(slots, quantity.GiB))
		g, tms := n.graph, int(n.cluster.taskManagers)
		// Slots of the cluster in any order; those of a group are the next ones.
		order := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
			for i := range tms * slots {
				if !yield(i / slots) {
					return
				}
			}
		})).Draw(rt, "slots' order")
		var groups [][]int
		for _, w := range g.widest() {
			groups = append(groups, order[:w])
			order = order[w:]
		}
		// A subtask may stand in any slot of its group, but FORWARD puts a consumer with that single input next to its producer.
		where := map[string][]int{}
		slotOf := make([][]int, len(g.vertices))
		for i := range g.vertices {
			v := &g.vertices[i]
			slotOf[i] = rapid.Permutation(sequence(int(g.widest()[v.group]))).Draw(rt, "placement")[:v.parallelism]
			for j := range g.edges {
				if e := &g.edges[j]; e.to == i && e.local == ownSlot {
					slotOf[i] = slotOf[e.from]
				}
			}
			for _, slot := range slotOf[i] {
				where[v.name] = append(where[v.name], groups[v.group][slot])
			}
		}
		var most int64
		for tm := range tms {
			required, restore, target, overdraft := oracle(g, where, tm)
			most = max(most, required)
			if required > n.Required.V || restore > n.RestoreSuffices.V || target > n.Target.V || target+overdraft > n.Maximum.V {
				rt.Errorf("TaskManager %d takes %d, %d, %d (+%d); the worst placement is said to take %d, %d, %d (%d)", tm, required, restore, target, overdraft,
					n.Required.V, n.RestoreSuffices.V, n.Target.V, n.Maximum.V)
			}
		}
		if most < n.RequiredLeast.V {
			rt.Errorf("no TaskManager takes more than %d, and the least is said to be %d", most, n.RequiredLeast.V)
		}
	})
}

func sequence(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// TestMonotone checks the order of the figures, and that neither a further edge nor more parallelism takes fewer buffers.
func TestMonotone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawJob(rt)
		tm := managers(rapid.IntRange(1, 9).Draw(rt, "slots"), quantity.GiB)
		c := options(t, rapid.SampledFrom(drawnVersions).Draw(rt, "version"), drawOptions(rt)...)
		f.Deployment.TaskManagers = known1(rapid.IntRange(1, 8).Draw(rt, "TaskManagers"))
		n := DeriveNetwork(Input{Conf: c, Job: f}, tm)
		if n.Required.V > n.RestoreSuffices.V || n.Required.V > n.Target.V || n.Target.V > n.Maximum.V || n.RequiredLeast.V > n.Required.V || n.RequiredEven.V > n.Required.V {
			rt.Errorf("least %d, even %d, required %d, restore %d, target %d, maximum %d", n.RequiredLeast.V, n.RequiredEven.V, n.Required.V, n.RestoreSuffices.V, n.Target.V, n.Maximum.V)
		}
		if len(f.Job.Edges) > 1 {
			fewer := *f
			fewer.Job.Edges = f.Job.Edges[:len(f.Job.Edges)-1]
			if m := DeriveNetwork(Input{Conf: c, Job: &fewer}, tm); m.Required.V > n.Required.V || m.Maximum.V > n.Maximum.V {
				rt.Errorf("without the last edge required %d > %d or maximum %d > %d", m.Required.V, n.Required.V, m.Maximum.V, n.Maximum.V)
			}
		}
	})
}

// TestMaxParallelism checks that the figure fits and that one more does not.
func TestMaxParallelism(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		slots := rapid.IntRange(1, 16).Draw(rt, "slots")
		memory := quantity.Bytes(rapid.Int64Range(64, 4096).Draw(rt, "MiB")) * quantity.MiB
		c := options(t, rapid.SampledFrom(drawnVersions).Draw(rt, "version"), "execution.checkpointing.unaligned: "+fmt.Sprint(rapid.Bool().Draw(rt, "unaligned")))
		edges := "a HASH b, b REBALANCE c"
		at := func(p int64) *Network {
			return DeriveNetwork(Input{Conf: c, Job: graphFacts(fmt.Sprintf("a %d, b %d, c %d", p, p, p), edges)}, managers(slots, memory))
		}
		n := at(10)
		unaligned, _ := unalignedOf(Input{Conf: c, Job: &job.Facts{}}, c.Version)
		need := func(m *Network) int64 {
			if unaligned {
				return max(m.Required.V, m.RestoreSuffices.V)
			}
			return m.Required.V
		}
		p := n.MaxParallelism.V
		if got := need(at(p)); got > n.Buffers.V {
			rt.Errorf("parallelism %d needs %d of %d buffers", p, got, n.Buffers.V)
		}
		if got := need(at(p + 1)); got <= n.Buffers.V {
			rt.Errorf("parallelism %d is said not to fit, and needs %d of %d buffers", p+1, got, n.Buffers.V)
		}
	})
}

// TestUnknown checks that missing facts are named and nothing is computed without them.
func TestUnknown(t *testing.T) {
	noStrategy := graphFacts("a 4, b 4", "a HASH b")
	noStrategy.Job.Edges[0].ShipStrategy = job.Fact[string]{}
	noParallelism := graphFacts("a 4, b 4", "a HASH b")
	noParallelism.Job.Vertices[1].Parallelism = job.Fact[int]{}
	onlyParallelism := &job.Facts{}
	onlyParallelism.Job.Parallelism = known1(24)
	dangling := graphFacts("a 4, b 4", "a HASH c")
	for _, c := range []struct {
		name  string
		facts *job.Facts
		tm    *TaskManager
		want  []string
	}{
		{"nothing", &job.Facts{}, managers(8, quantity.GiB), []string{"job.vertices", "job.edges"}},
		{"parallelism only", onlyParallelism, managers(8, quantity.GiB), []string{"job.vertices", "job.edges"}},
		{"no edges", graphFacts("a 4, b 4", ""), managers(8, quantity.GiB), []string{"job.edges"}},
		{"no strategy", noStrategy, managers(8, quantity.GiB), []string{"job.edges.shipStrategy"}},
		{"no parallelism", noParallelism, managers(8, quantity.GiB), []string{"job.parallelism"}},
		{"dangling edge", dangling, managers(8, quantity.GiB), []string{"job.vertices"}},
		{"no slots", graphFacts("a 4, b 4", "a HASH b"), managers(0, quantity.GiB), []string{"taskmanager.numberOfTaskSlots"}},
		{"absurd slots", graphFacts("a 4, b 4", "a HASH b"), managers(maxSlots+1, quantity.GiB), []string{"taskmanager.numberOfTaskSlots"}},
		{"absurd parallelism", graphFacts("a 40000, b 4", "a HASH b"), managers(8, quantity.GiB), []string{"job.parallelism"}},
	} {
		n := DeriveNetwork(Input{Conf: options(t, "1.13"), Job: c.facts}, c.tm)
		if n.Required.Known || n.Target.Known || n.MaxParallelism.Known || !slices.Equal(n.Required.Needs, c.want) || !slices.Equal(n.MaxParallelism.Needs, c.want) {
			t.Errorf("%s: %+v, want needs %v", c.name, n.Required, c.want)
		}
		if !n.Buffers.Known {
			t.Errorf("%s: buffers are not known", c.name)
		}
	}
	n := DeriveNetwork(Input{Conf: options(t, "1.13"), Job: onlyParallelism}, managers(8, quantity.GiB))
	if o := n.OneExchange; o == nil || o.Required != 464 || o.RestoreSuffices != 912 || o.Target != 768 || o.Parallelism.From != "job.yaml" {
		t.Errorf("one exchange at 24: %+v", o)
	}
	n = DeriveNetwork(Input{Conf: options(t, "1.13", keySegmentSize+": 5000"), Job: graphFacts("a 4, b 4", "a HASH b")}, managers(2, quantity.GiB))
	if n.Buffers.Known || !slices.Equal(n.Buffers.Needs, []string{keySegmentSize}) || n.MaxParallelism.Known || !n.Required.Known {
		t.Errorf("segments of 5000 bytes: %+v", n)
	}
	single := DeriveNetwork(Input{Conf: options(t, "1.13"), Job: graphFacts("a 4", "")}, managers(2, quantity.GiB))
	if !single.Required.Known || single.Required.V != 0 || single.MaxParallelism.V != maxParallelism {
		t.Errorf("a single chain: %+v", single)
	}
}

// TestAligned checks which edges never go unaligned, by version and by sibling inputs.
func TestAligned(t *testing.T) {
	for _, c := range []struct {
		flink, edges string
		lines        []string
		want         []bool
	}{
		{"1.13.1", "a HASH c, b BROADCAST c", nil, []bool{true, true}},
		{"1.13.2", "a HASH c, b BROADCAST c", nil, []bool{false, false}},
		{"1.12.4", "a HASH c, b BROADCAST c", nil, []bool{true, true}},
		{"1.12.5", "a HASH c, b BROADCAST c", nil, []bool{false, false}},
		{"1.11.4", "a HASH c, b BROADCAST c", nil, []bool{false, false}},
		{"1.12", "a FORWARD c, b HASH c", nil, []bool{true, true}},
		{"1.13", "a FORWARD c, b HASH c", nil, []bool{false, false}},
		{"1.20", "a RESCALE b, b HASH c", nil, []bool{false, true}},
		{"1.20", "a CUSTOM b, b HASH c", nil, []bool{false, true}},
		{"1.20", "a CUSTOM b, b HASH c", []string{"execution.checkpointing.unaligned.forced: true"}, []bool{true, true}},
		{"1.12", "a CUSTOM b, b HASH c", nil, []bool{true, true}},
		{"1.10", "a HASH b, b HASH c", nil, []bool{false, false}},
	} {
		n := DeriveNetwork(Input{Conf: options(t, c.flink, c.lines...), Job: graphFacts("a 4, b 4, c 4", c.edges)}, managers(4, quantity.GiB))
		for i, e := range n.Edges {
			if e.Unaligned != c.want[i] || (e.Aligned == "") != c.want[i] {
				t.Errorf("%s %s: edge %d unaligned %v (%s), want %v", c.flink, c.edges, i, e.Unaligned, e.Aligned, c.want[i])
			}
		}
	}
}

// TestSubpartitionsMax checks the limit of pipelined partitions where TaskManagers are set up for hybrid exchanges.
func TestSubpartitionsMax(t *testing.T) {
	const mode = keyBatchShuffleMode + ": ALL_EXCHANGES_HYBRID_FULL"
	for _, c := range []struct {
		flink string
		lines []string
		want  int64
	}{
		{"1.17", []string{mode}, 0}, {"1.19", []string{mode}, 613}, {"2.3", []string{mode}, 101}, {"1.20", nil, 0},
		{"1.20", []string{mode, keyHybridNewMode + ": false"}, 0}, {"1.20", []string{mode, keyHybridRemotePath + ": s3://b/p"}, 102},
	} {
		n := DeriveNetwork(Input{Conf: options(t, c.flink, c.lines...), Job: graphFacts("a 4, b 200", "a HASH b")}, managers(4, quantity.GiB))
		if n.SubpartitionsMax != c.want {
			t.Errorf("%s %v: %d, want %d", c.flink, c.lines, n.SubpartitionsMax, c.want)
		}
	}
}

// pipeline is a job of hash exchanges in a row.
func pipeline(edges, parallelism int) *job.Facts {
	vertices, list := fmt.Sprintf("v0 %d", parallelism), make([]string, edges)
	for i := range edges {
		vertices += fmt.Sprintf(", v%d %d", i+1, parallelism)
		list[i] = fmt.Sprintf("v%d HASH v%d", i, i+1)
	}
	return graphFacts(vertices, strings.Join(list, ", "))
}

// BenchmarkNetwork shows that the cost grows with the edges and not with the parallelism.
func BenchmarkNetwork(b *testing.B) {
	for _, edges := range []int{1, 10, 100, 1000} {
		for _, parallelism := range []int{24, 1600} {
			b.Run(fmt.Sprintf("edges=%d/parallelism=%d", edges, parallelism), func(b *testing.B) {
				in, tm := Input{Conf: options(b, "1.20"), Job: pipeline(edges, parallelism)}, managers(8, quantity.GiB)
				b.ReportAllocs()
				for b.Loop() {
					DeriveCheckpoint(in, tm, DeriveNetwork(in, tm))
				}
			})
		}
	}
}
