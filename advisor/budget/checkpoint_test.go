package budget

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

func checkpointOf(in Input, tm *TaskManager) (*Checkpoint, *Network) {
	n := DeriveNetwork(in, tm)
	return DeriveCheckpoint(in, tm, n), n
}

// near allows for the last bits of float64 sums.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// TestIncidentCheckpoint is the job of examples/tm-crash: state and storage are unknown.
func TestIncidentCheckpoint(t *testing.T) {
	in := Input{Conf: options(t, "1.13.1", "execution.checkpointing.unaligned: true", "execution.checkpointing.interval: 1 min",
		"execution.checkpointing.timeout: 2 min"), Job: graphFacts("source 24, window 24", "source HASH window")}
	c, _ := checkpointOf(in, managers(8, quantity.GiB))
	if !c.Enabled || !c.Unaligned || c.UnalignedOff != "" || c.Timeout.Seconds() != 120 || c.Interval.Seconds() != 60 || !c.AlignedTimeout.IsZero() {
		t.Errorf("settings: %+v", c)
	}
	if c.InFlightPerTaskManager.V != 25165824 || c.InFlightJob.V != 75497472 || c.InFlightCapPerTaskManager.V != 1073741824 {
		t.Errorf("in flight: TaskManager %d, job %d, cap %d", c.InFlightPerTaskManager.V, c.InFlightJob.V, c.InFlightCapPerTaskManager.V)
	}
	// A consumer: 8 floating buffers and 2 for each of 16 remote channels; a producer: 2 for each of 24 subpartitions and 8.
	if c.InFlightPerSubtask.V != 56*32*quantity.KiB || c.InFlightVertex != "source" {
		t.Errorf("in flight: %s %d", c.InFlightVertex, c.InFlightPerSubtask.V)
	}
	if c.State.Known || c.Duration.Known || c.DurationLeast.Known || !slices.Equal(c.Duration.Needs, []string{"state.size", "checkpointStorage.throughput"}) {
		t.Errorf("duration is known: %+v", c.Duration)
	}
	// The break-even counts unknown state as nothing and says so.
	if !c.BreakEven.Known || c.BreakEven.V != 629145.6 || !slices.Equal(c.BreakEven.Needs, []string{"state.size"}) {
		t.Errorf("break-even %+v", c.BreakEven)
	}
	if c.BreakEvenPerTaskManager.V != 209715.2 {
		t.Errorf("break-even per TaskManager %v", c.BreakEvenPerTaskManager.V)
	}
	if size, ok := c.StateThatFits(100 << 20); !ok || size != (120*100-72)*quantity.MiB {
		t.Errorf("at 100 MiB/s %d bytes of state fit", size)
	}
	if r, ok := c.ThroughputFor(12000 * quantity.MiB); !ok || !near(r, 12072*(1<<20)/120.) {
		t.Errorf("12000 MiB need %v", r)
	}
	// Buffers ahead of one consumer: 4·24 + 16 = 112, 3.5 MiB.
	if c.AlignedDrain.Known || !slices.Equal(c.AlignedDrain.Needs, []string{"job.edges.rate"}) || !near(c.AlignedDrainBreakEven.V, 112*32768/120.) {
		t.Errorf("drain %+v, break-even %v", c.AlignedDrain, c.AlignedDrainBreakEven.V)
	}
	if c.ChannelStateFiles.V != 48 || c.Handles.V != 2*24*24 || c.Files.Known || !slices.Equal(c.Files.Needs, []string{"job.vertices.keyedStates"}) {
		t.Errorf("files %+v of channel state, %d handles, all %+v", c.ChannelStateFiles, c.Handles.V, c.Files)
	}
}

// TestInFlightOfOneShuffle checks the published table: one shuffle at p, 10 slots, without and with the overdraft of 2.0.
func TestInFlightOfOneShuffle(t *testing.T) {
	for _, c := range []struct{ p, buffers, with20, perTM int64 }{
		{50, 9800, 10800, 61}, {100, 39600, 41600, 124}, {200, 159200, 163200, 249}, {500, 998000, 1008000, 624},
	} {
		for _, v := range []struct {
			flink string
			want  int64
		}{{"1.15", c.buffers}, {"2.0", c.with20}} {
			in := Input{Conf: options(t, v.flink), Job: pipeline(1, int(c.p))}
			got, _ := checkpointOf(in, managers(10, quantity.GiB))
			if want := quantity.Bytes(v.want) * 32 * quantity.KiB; got.InFlightJob.V != want {
				t.Errorf("p = %d on %s: %d, want %d", c.p, v.flink, got.InFlightJob.V, want)
			}
			if v.flink == "1.15" && int64((got.InFlightPerTaskManager.V+quantity.MiB/2)>>20) != c.perTM {
				t.Errorf("p = %d: %d MiB per TaskManager, want %d", c.p, got.InFlightPerTaskManager.V/quantity.MiB, c.perTM)
			}
		}
	}
}

// TestInFlight checks the cap, and edges that stay aligned.
func TestInFlight(t *testing.T) {
	in := Input{Conf: options(t, "1.20"), Job: pipeline(1, 500)}
	c, _ := checkpointOf(in, managers(10, 64*quantity.MiB))
	if c.InFlightPerTaskManager.V != 64*quantity.MiB || c.InFlightJob.V != 50*64*quantity.MiB {
		t.Errorf("network memory does not cap: %d, %d", c.InFlightPerTaskManager.V, c.InFlightJob.V)
	}
	in.Job = graphFacts("a 4, b 4, c 4, d 4", "a HASH c, b BROADCAST c, c REBALANCE d")
	c, n := checkpointOf(in, managers(4, quantity.GiB))
	if n.Edges[0].InFlight != 0 || n.Edges[1].InFlight != 0 || n.Edges[2].InFlight == 0 || c.InFlightJob.V != n.Edges[2].InFlight {
		t.Errorf("aligned edges count: %+v", n.Edges)
	}
	in.Job = graphFacts("a 4, b 4", "a FORWARD b")
	if c, _ := checkpointOf(in, managers(2, quantity.GiB)); !c.InFlightJob.Known || c.InFlightJob.V != 0 {
		t.Errorf("FORWARD has in-flight data: %+v", c.InFlightJob)
	}
	in.Conf = options(t, "1.10")
	if c, _ := checkpointOf(in, managers(2, quantity.GiB)); c.InFlightJob.Known || c.Unaligned {
		t.Errorf("1.10 has in-flight data: %+v", c.InFlightJob)
	}
	in = Input{Conf: options(t, "1.20"), Job: &job.Facts{}}
	if c, _ := checkpointOf(in, managers(2, quantity.GiB)); c.InFlightJob.Known || !slices.Equal(c.InFlightJob.Needs, []string{"job.vertices", "job.edges"}) || !c.InFlightCapPerTaskManager.Known {
		t.Errorf("without a graph: %+v", c.InFlightJob)
	}
}

// TestInFlightOrder checks that a subtask's bound is within a TaskManager's, and that within the job's and the cap.
func TestInFlightOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawJob(rt)
		f.Deployment.TaskManagers = known1(rapid.IntRange(1, 8).Draw(rt, "TaskManagers"))
		in := Input{Conf: options(t, rapid.SampledFrom(drawnVersions).Draw(rt, "version"), drawOptions(rt)...), Job: f}
		c, n := checkpointOf(in, managers(rapid.IntRange(1, 4).Draw(rt, "slots"), quantity.GiB))
		tms := quantity.Bytes(n.TaskManagers.V)
		if c.InFlightJob.V > tms*c.InFlightPerTaskManager.V ||
			c.InFlightPerTaskManager.V > c.InFlightCapPerTaskManager.V || c.InFlightPerTaskManager.V > bytesOf(n.Maximum.V, n.SegmentSize) {
			rt.Errorf("subtask %d, TaskManager %d, job %d on %d TaskManagers, cap %d", c.InFlightPerSubtask.V, c.InFlightPerTaskManager.V, c.InFlightJob.V, tms, c.InFlightCapPerTaskManager.V)
		}
	})
}

// TestUnaligned checks when unaligned checkpoints that are switched on have no effect.
func TestUnaligned(t *testing.T) {
	batch := pipeline(1, 4)
	batch.Job.Type = known1("batch")
	for _, c := range []struct {
		flink string
		lines []string
		facts *job.Facts
		on    bool
		off   string
	}{
		{"1.20", []string{"execution.checkpointing.unaligned.enabled: true"}, pipeline(1, 4), true, ""},
		{"1.20", []string{"execution.checkpointing.unaligned: true"}, pipeline(1, 4), true, ""},
		{"1.11", []string{"execution.checkpointing.unaligned: true"}, pipeline(1, 4), true, ""},
		{"1.10", []string{"execution.checkpointing.unaligned: true"}, pipeline(1, 4), false, ""},
		{"1.20", nil, pipeline(1, 4), false, ""},
		{"1.20", []string{"execution.checkpointing.unaligned: true", "execution.checkpointing.mode: AT_LEAST_ONCE"}, pipeline(1, 4), false, "the mode is AT_LEAST_ONCE"},
		{"1.20", []string{"execution.checkpointing.unaligned: true"}, batch, false, "a batch job takes no checkpoints"},
	} {
		got, _ := checkpointOf(Input{Conf: options(t, c.flink, append(c.lines, "execution.checkpointing.interval: 10 s")...), Job: c.facts}, managers(4, quantity.GiB))
		if got.Unaligned != c.on || got.UnalignedOff != c.off || got.Enabled != (c.facts != batch) {
			t.Errorf("%s %v: unaligned %v (%q), enabled %v; want %v (%q)", c.flink, c.lines, got.Unaligned, got.UnalignedOff, got.Enabled, c.on, c.off)
		}
	}
	in := Input{Conf: options(t, "1.20"), Job: &job.Facts{}}
	if c, _ := checkpointOf(in, managers(4, quantity.GiB)); c.Enabled || c.Timeout.Seconds() != 600 {
		t.Errorf("without an interval: %+v", c)
	}
	in.Conf = options(t, "1.20", "execution.checkpointing.interval: 0")
	if c, _ := checkpointOf(in, managers(4, quantity.GiB)); c.Enabled {
		t.Error("an interval of 0 switches checkpoints on")
	}
}

func rates(f *job.Facts, rate job.Rate) *job.Facts {
	for i := range f.Job.Edges {
		f.Job.Edges[i].Rate = known1(rate)
	}
	return f
}

// TestDrain checks the published table of aligned barriers: buffers ahead of one consumer subtask, and the time to drain them.
func TestDrain(t *testing.T) {
	for _, c := range []struct {
		p       int
		buffers quantity.Bytes
	}{{4, 32}, {50, 216}, {100, 416}, {500, 2016}} {
		perSubtask := 1e5
		in := Input{Conf: options(t, "1.15"), Job: rates(pipeline(1, c.p), job.Rate(perSubtask*float64(c.p)))}
		got, n := checkpointOf(in, managers(10, quantity.GiB))
		want := float64(c.buffers) * 32768 / perSubtask
		if n.Edges[0].Ahead != c.buffers*32*quantity.KiB || !near(got.AlignedDrain.V, want) {
			t.Errorf("p = %d: ahead %d, %v s; want %d, %v s", c.p, n.Edges[0].Ahead, got.AlignedDrain.V, c.buffers*32*quantity.KiB, want)
		}
		// Three exchanges in a row take three times as long.
		in.Job = rates(pipeline(3, c.p), job.Rate(perSubtask*float64(c.p)))
		if got, _ := checkpointOf(in, managers(10, quantity.GiB)); !near(got.AlignedDrain.V, 3*want) {
			t.Errorf("p = %d, three edges: %v s, want %v s", c.p, got.AlignedDrain.V, 3*want)
		}
	}
	// p = 100, one subtask takes 100 kB/s: debloating brings 136 s to the target of 1 s, and 10 B/s to all buffers at 256 bytes.
	debloat := options(t, "1.15", keyDebloat+": true")
	fast := Input{Conf: debloat, Job: rates(pipeline(1, 100), 1e7)}
	if c, _ := checkpointOf(fast, managers(10, quantity.GiB)); !near(c.AlignedDrain.V, 1.06496) {
		t.Errorf("debloated: %v s, want 416 buffers of 256 bytes at 100 kB/s", c.AlignedDrain.V)
	}
	faster := Input{Conf: debloat, Job: rates(pipeline(1, 100), 1e8)}
	c, _ := checkpointOf(faster, managers(10, quantity.GiB))
	if !near(c.AlignedDrain.V, 1) || c.InFlightDebloated.V != 1e8 {
		t.Errorf("debloated: %v s, %d bytes in flight; want 1 s of 100 MB/s", c.AlignedDrain.V, c.InFlightDebloated.V)
	}
	cyclic := rates(graphFacts("a 4, b 4", "a HASH b, b HASH a"), 1e6)
	if c, _ := checkpointOf(Input{Conf: options(t, "1.15"), Job: cyclic}, managers(4, quantity.GiB)); c.AlignedDrain.Known {
		t.Error("a cycle has a longest path")
	}
}

// TestDuration checks the time to persist against both limits, and the break-even.
func TestDuration(t *testing.T) {
	const mb = 1e6
	lines := []string{"execution.checkpointing.unaligned: true", "execution.checkpointing.interval: 1 min"}
	f := pipeline(1, 500)
	f.CheckpointStorage.Throughput = known1(job.Rate(200 * mb))
	f.CheckpointStorage.ThroughputPerTaskManager = known1(job.Rate(50 * mb))
	f.State.Size = known1(quantity.Bytes(0))
	in := Input{Conf: options(t, "1.15", lines...), Job: f}
	// The published example: 998000 buffers at 200 MB/s take 164 s, and 654 MB of one TaskManager at 50 MB/s take 13 s.
	c, _ := checkpointOf(in, managers(10, 2*quantity.GiB))
	if !c.Duration.Known || int(c.Duration.V) != 163 || c.DurationLeast.V != 0 || !near(c.BreakEven.V, 998000*32768/600.) || len(c.BreakEven.Needs) != 0 {
		t.Errorf("%v s, least %v s, break-even %+v", c.Duration.V, c.DurationLeast.V, c.BreakEven)
	}
	if half, ok := c.Persist(0.5); !ok || !near(half, c.Duration.V/2) {
		t.Errorf("half of the in-flight data takes %v s", half)
	}
	// One TaskManager is the limit where the storage is fast: 1000 GB over 50 TaskManagers.
	f.CheckpointStorage.Throughput = known1(job.Rate(1e12))
	f.State.Size = known1(quantity.Bytes(1e12))
	if c, _ := checkpointOf(in, managers(10, 2*quantity.GiB)); !near(c.DurationLeast.V, 400) {
		t.Errorf("least %v s, want 400", c.DurationLeast.V)
	}
	// Incremental checkpoints upload what changed; the heap cannot do that.
	f.State.ChangedPerCheckpoint = known1(quantity.Bytes(1e9))
	for _, b := range []struct {
		lines []string
		want  quantity.Bytes
	}{
		{[]string{"state.backend: rocksdb", "state.backend.incremental: true"}, 1e9},
		{[]string{"state.backend: rocksdb"}, 1e12},
		{[]string{"state.backend: hashmap", "state.backend.incremental: true"}, 1e12},
	} {
		in.Conf = options(t, "1.15", b.lines...)
		c, _ := checkpointOf(in, managers(10, 2*quantity.GiB))
		if c.State.V != b.want || c.Incremental != (b.want == 1e9) || c.Unaligned || !near(c.BreakEven.V, float64(b.want)/600) {
			t.Errorf("%v: uploads %d, break-even %v", b.lines, c.State.V, c.BreakEven.V)
		}
	}
	f.State.ChangedPerCheckpoint = job.Fact[quantity.Bytes]{}
	in.Conf = options(t, "1.15", "state.backend: rocksdb", "state.backend.incremental: true")
	if c, _ := checkpointOf(in, managers(10, 2*quantity.GiB)); c.State.Known || !slices.Equal(c.BreakEven.Needs, []string{"state.changedPerCheckpoint"}) || c.BreakEven.Known {
		t.Errorf("unknown changes: %+v", c.BreakEven)
	}
}

// TestPersistOrder checks that more state, more in-flight data and slower storage never take less time, and that the inverse agrees.
func TestPersistOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := pipeline(rapid.IntRange(1, 3).Draw(rt, "edges"), rapid.IntRange(1, 200).Draw(rt, "parallelism"))
		size := quantity.Bytes(rapid.Int64Range(0, 1<<42).Draw(rt, "state"))
		rate := job.Rate(rapid.Float64Range(1e5, 1e10).Draw(rt, "throughput"))
		f.State.Size, f.CheckpointStorage.Throughput = known1(size), known1(rate)
		in := Input{Conf: options(t, "1.20", "execution.checkpointing.unaligned.enabled: true"), Job: f}
		c, _ := checkpointOf(in, managers(8, quantity.GiB))
		if !(c.DurationLeast.V <= c.Duration.V) {
			rt.Errorf("least %v > %v", c.DurationLeast.V, c.Duration.V)
		}
		if late, slow := c.Duration.V > c.Timeout.Seconds(), c.BreakEven.V > float64(rate); late != slow && !near(c.BreakEven.V, float64(rate)) {
			rt.Errorf("%v s of %v s, but the break-even is %v of %v", c.Duration.V, c.Timeout.Seconds(), c.BreakEven.V, rate)
		}
		if fits, ok := c.StateThatFits(float64(rate)); !ok || fits+1 < size && c.Duration.V < c.Timeout.Seconds() {
			rt.Errorf("%d bytes are said to fit, and %d take %v s", fits, size, c.Duration.V)
		}
	})
}

// TestFiles checks the published example: p = 100 with 10 slots writes 200 channel-state files up to 1.16 and 40 later.
func TestFiles(t *testing.T) {
	for _, c := range []struct {
		flink string
		lines []string
		want  int64
	}{
		{"1.16", nil, 200}, {"1.17", nil, 40}, {"2.0", nil, 40},
		{"1.20", []string{keyChannelFiles + ": 1"}, 200},
		{"1.20", []string{keyChannelFiles + ": 20"}, 10},
	} {
		f := pipeline(1, 100)
		f.Job.Vertices[1].KeyedStates = known1(2)
		in := Input{Conf: options(t, c.flink, append(c.lines, "execution.checkpointing.unaligned: true")...), Job: f}
		got, _ := checkpointOf(in, managers(10, quantity.GiB))
		if got.ChannelStateFiles.V != c.want || got.Files.V != c.want+100+1 || got.Handles.V != 20000 {
			t.Errorf("%s: %d channel-state files, %d files, %d handles", c.flink, got.ChannelStateFiles.V, got.Files.V, got.Handles.V)
		}
		in.Conf = options(t, c.flink)
		if got, _ := checkpointOf(in, managers(10, quantity.GiB)); got.Files.V != 101 || got.Handles.V != 0 {
			t.Errorf("%s aligned: %d files, %d handles", c.flink, got.Files.V, got.Handles.V)
		}
	}
}

// TestBackendOf checks names and classes of state backends.
func TestBackendOf(t *testing.T) {
	for _, c := range []struct {
		flink, line string
		want        StateBackend
	}{
		{"1.13", "", HeapBackend}, {"2.0", "", HeapBackend},
		{"1.12", "state.backend: filesystem", HeapBackend}, {"1.12", "state.backend: jobmanager", HeapBackend},
		{"1.20", "state.backend: RocksDB", RocksDBBackend}, {"1.20", "state.backend.type: rocksdb", RocksDBBackend},
		{"2.0", "state.backend.type: forst", ForStBackend},
		{"1.12", "state.backend: org.apache.flink.contrib.streaming.state.RocksDBStateBackendFactory", RocksDBBackend},
		{"1.20", "state.backend.type: org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackendFactory", RocksDBBackend},
		{"1.12", "state.backend: org.apache.flink.runtime.state.filesystem.FsStateBackendFactory", HeapBackend},
		{"1.20", "state.backend.type: org.apache.flink.runtime.state.hashmap.HashMapStateBackendFactory", HeapBackend},
		{"1.20", "state.backend.type: com.example.MyRocksDBFactory", OtherBackend},
	} {
		var lines []string
		if c.line != "" {
			lines = []string{c.line}
		}
		if got, _ := BackendOf(options(t, c.flink, lines...)); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.flink, c.line, got, c.want)
		}
	}
}

// TestState checks the state of a slot and the memory that it has.
func TestState(t *testing.T) {
	f := pipeline(1, 24)
	f.State.Size = known1(24 * quantity.GiB)
	tm := managers(8, quantity.GiB)
	tm.TaskHeap, tm.Managed = Part{Bytes: 8 * quantity.GiB, Known: true}, Part{Bytes: 16 * quantity.GiB, Known: true}
	tm.PerSlot = PerSlot{TaskHeap: quantity.GiB, Managed: 2 * quantity.GiB}
	for _, c := range []struct {
		line string
		room quantity.Bytes
	}{{"state.backend: hashmap", quantity.GiB}, {"state.backend: rocksdb", 2 * quantity.GiB}} {
		in := Input{Conf: options(t, "1.15", c.line), Job: f}
		s := DeriveState(in, tm, DeriveNetwork(in, tm))
		if s.PerSlot.V != quantity.GiB || s.PerTaskManager.V != 8*quantity.GiB || s.Room.V != c.room || !s.Room.Known {
			t.Errorf("%s: %+v", c.line, s)
		}
	}
	in := Input{Conf: options(t, "1.15"), Job: &job.Facts{}}
	s := DeriveState(in, tm, DeriveNetwork(in, tm))
	if s.PerSlot.Known || !slices.Equal(s.PerSlot.Needs, []string{"state.size", "job.parallelism"}) {
		t.Errorf("without facts: %+v", s)
	}
}

// TestBudgetsNeverPanic feeds settings and facts that make no sense.
func TestBudgetsNeverPanic(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		numbers := []string{"0", "-1", "1", "2147483647", "many", "${x}", "1.5", ""}
		var lines []string
		for _, key := range []string{
			keyExclusive, keyFloating, keyOverdraft, keySubpartitionMax, keyRequiredPerGate, keySortBuffers, keySortMinParallelism, keySegmentSize,
			keyInterval, keyTimeout, keyAlignedTimeout, keyUnaligned, keyChannelFiles, keyDebloat, keyDebloatTarget, keyMinSegment, keyMode, keyIncremental,
			"taskmanager.numberOfTaskSlots", "parallelism.default", "state.backend.type",
		} {
			if rapid.Bool().Draw(rt, key) {
				lines = append(lines, key+": "+rapid.SampledFrom(append(numbers, "true", "10 s", "64 kb")).Draw(rt, "value"))
			}
		}
		f := drawJob(rt)
		f.Deployment.TaskManagers = known1(rapid.SampledFrom([]int{-1, 0, 1, math.MaxInt}).Draw(rt, "TaskManagers"))
		f.State.Size = known1(rapid.SampledFrom([]quantity.Bytes{0, quantity.MaxBytes}).Draw(rt, "state"))
		f.CheckpointStorage.ThroughputPerTaskManager = known1(rapid.SampledFrom([]job.Rate{0, 1, job.Rate(math.Inf(1))}).Draw(rt, "throughput"))
		f.Job.Vertices[0].Parallelism = known1(rapid.SampledFrom([]int{math.MinInt, 0, 32768, math.MaxInt}).Draw(rt, "parallelism"))
		rates(f, rapid.SampledFrom([]job.Rate{-1, 0, 1e18}).Draw(rt, "rate"))
		c := options(t, rapid.SampledFrom(append(drawnVersions, "1.10")).Draw(rt, "version"), lines...)
		tm := managers(rapid.SampledFrom([]int{-1, 0, 1, maxSlots, math.MaxInt}).Draw(rt, "slots"), quantity.MaxBytes)
		n := DeriveNetwork(Input{Conf: c, Job: f}, tm)
		k := DeriveCheckpoint(Input{Conf: c, Job: f}, tm, n)
		DeriveState(Input{Conf: c, Job: f}, tm, n)
		for _, b := range []quantity.Bytes{k.InFlightJob.V, k.InFlightPerTaskManager.V, k.InFlightCapPerTaskManager.V, n.SizeOf(n.Maximum.V)} {
			if b < 0 {
				rt.Errorf("a negative size: %+v", k)
			}
		}
	})
}

// TestOrigins checks that every term of what is known says where it comes from.
func TestOrigins(t *testing.T) {
	f := rates(pipeline(2, 24), 1e7)
	f.State.Size, f.CheckpointStorage.Throughput = known1(quantity.GiB), known1(job.Rate(1e8))
	in := Input{Conf: options(t, "1.20", "execution.checkpointing.unaligned: true", keyDebloat+": true"), Job: f}
	c, n := checkpointOf(in, managers(8, quantity.GiB))
	for _, terms := range [][]Term{
		n.Required.Terms, n.Target.Terms, n.Maximum.Terms, n.MaxParallelism.Terms, c.InFlightJob.Terms, c.InFlightPerTaskManager.Terms,
		c.InFlightDebloated.Terms, c.Duration.Terms, c.BreakEven.Terms, c.AlignedDrain.Terms, c.AlignedDrainBreakEven.Terms,
	} {
		if len(terms) == 0 {
			t.Error("no terms")
		}
		for _, term := range terms {
			if term.Name == "" || term.From == "" || term.Unit == "" || term.Origin == 0 && term.From != "test" {
				t.Errorf("a term without origin: %+v", term)
			}
		}
	}
}
