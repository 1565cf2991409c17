package budget

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// TestActiveResourceManager has figures that Flink's classes gave for workers of native Kubernetes and YARN: from 1.18 on the
// configured totals are dropped before a worker is sized.
func TestActiveResourceManager(t *testing.T) {
	for _, c := range []struct {
		flink      string
		deployment Deployment
		conf       string
		process    quantity.Bytes
		mebibytes  int64
		rederived  bool
	}{
		{"2.3", Kubernetes, "process.size=8g, jvm-overhead.fraction=0.25, jvm-overhead.max=4g", 8589934591, 8191, true},
		{"1.17", Kubernetes, "process.size=8g, jvm-overhead.fraction=0.25, jvm-overhead.max=4g", 8589934592, 8192, false},
		{"2.3", Standalone, "process.size=8g, jvm-overhead.fraction=0.25, jvm-overhead.max=4g", 8589934592, 8192, false},
		{"1.18.1", YARN, "flink.size=3g, process.size=4g", 3877401037, 3697, true},
		{"1.18.1", YARN, "flink.size=3g, process.size=4g, cluster.fine-grained-resource-management.enabled=false", 3877401037, 3697, true},
		{"1.17.2", Kubernetes, "flink.size=3g, process.size=4g", 4294967296, 4096, false},
		{"2.3", Kubernetes, "process.size=1988m", 2084569089, 1988, true},
		{"2.3", Kubernetes, "task.heap.size=1g, managed.size=2g", 4606484999, 4393, true},
		{"2.3", Kubernetes, "process.size=1728m", 1811939328, 1728, true},
	} {
		m := taskManagerOf(t, c.flink, c.deployment, c.conf)
		if m.ProcessSize.Bytes != c.process || m.ProcessSize.Bytes.Mebibytes() != c.mebibytes || m.Rederived != c.rederived {
			t.Errorf("%s %s: process %d, again %v; want %d, %v", c.flink, c.conf, m.ProcessSize.Bytes, m.Rederived, c.process, c.rederived)
		}
		if m.FlinkSize.Bytes+m.JVMMetaspace.Bytes+m.JVMOverhead.Bytes != m.ProcessSize.Bytes {
			t.Errorf("%s %s: parts do not add up", c.flink, c.conf)
		}
		want := quantity.Bytes(c.mebibytes) * quantity.MiB
		if c.deployment == Standalone {
			want = 0
		}
		if m.Container.Memory != want || m.Container.Known != (want > 0) {
			t.Errorf("%s %s: container %+v, want %d", c.flink, c.conf, m.Container, want)
		}
	}
	off := taskManagerOf(t, "1.18.1", YARN, "flink.size=3g, process.size=4g, taskmanager.x=y")
	if off.Before != 4*quantity.GiB {
		t.Errorf("first derivation = %d", off.Before)
	}
}

func TestContainers(t *testing.T) {
	for _, c := range []struct {
		flink      string
		deployment Deployment
		conf       string
		want       Container
	}{
		{"2.3", Kubernetes, "process.size=1728m, kubernetes.taskmanager.memory.limit-factor=1.5, k8s.cpu=2.0, kubernetes.taskmanager.cpu.limit-factor=2",
			Container{true, 1728 * quantity.MiB, 2592 * quantity.MiB, 2, 4}},
		{"1.14", Kubernetes, "process.size=1728m, kubernetes.taskmanager.memory.limit-factor=1.5, slots=3",
			Container{true, 1728 * quantity.MiB, 1728 * quantity.MiB, 3, 3}},
		{"1.20", YARN, "process.size=1728m, cpu=2.5", Container{true, 1728 * quantity.MiB, 1728 * quantity.MiB, 3, 3}},
		{"1.20", YARN, "process.size=1728m, cpu=0.1", Container{true, 1728 * quantity.MiB, 1728 * quantity.MiB, 1, 1}},
		{"1.20", Standalone, "process.size=1728m", Container{}},
	} {
		m := taskManagerOf(t, c.flink, c.deployment, c.conf)
		if diff := cmp.Diff(c.want, m.Container); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.flink, c.conf, diff)
		}
	}
	j := DeriveJobManager(memoryInput(t, "1.20", Kubernetes, jmPrefix, "process.size=1600m, kubernetes.jobmanager.cpu.amount=0.5, kubernetes.jobmanager.memory.limit-factor=1.25"))
	if diff := cmp.Diff(Container{true, 1600 * quantity.MiB, 2000 * quantity.MiB, 0.5, 0.5}, j.Container); diff != "" {
		t.Errorf("JobManager (-want +got):\n%s", diff)
	}
}

func TestCPU(t *testing.T) {
	for _, c := range []struct {
		flink      string
		deployment Deployment
		conf       string
		cpu, slot  float64
		printed    string
	}{
		{"1.13.1", Kubernetes, "slots=8, kubernetes.taskmanager.cpu=16", 16, 2, "2.0000000000000000"},
		{"1.13.1", YARN, "slots=8, yarn.cpu=16", 16, 2, "2.0000000000000000"},
		{"1.13.1", Standalone, "slots=8, yarn.cpu=16", 8, 1, "1.0000000000000000"},
		{"1.20", Kubernetes, "slots=8, cpu=16, k8s.cpu=4", 16, 2, "2"},
		{"2.3", Kubernetes, "slots=3, k8s.cpu.old=1", 1, 0.33333333, "0.33333333"},
		{"1.16", Kubernetes, "slots=3, k8s.cpu.old=1", 1, 0.33333333, "0.33333333"},
		{"1.13", Standalone, "slots=3, cpu=1", 1, 0.3333333333333333, "0.3333333333333333"},
		{"1.14", Standalone, "cpu=10", 10, 10, "1E+1"},
		{"1.14", Standalone, "cpu=120", 120, 120, "1.2E+2"},
		{"1.14", Standalone, "cpu=12.5", 12.5, 12.5, "12.5"},
		{"1.14", Standalone, "cpu=0.00000001", 1e-8, 1e-8, "1E-8"},
		{"1.13", Standalone, "cpu=10", 10, 10, "10.0000000000000000"},
	} {
		m := taskManagerOf(t, c.flink, c.deployment, "process.size=4g, "+c.conf)
		if m.CPU != c.cpu || m.PerSlot.CPU != c.slot {
			t.Errorf("%s %s: cpu %v, per slot %v", c.flink, c.conf, m.CPU, m.PerSlot.CPU)
		}
		if _, printed := cpuPerSlot(m.CPU, m.Slots, version.MustParse(c.flink)); printed != c.printed {
			t.Errorf("%s %s: printed %s, want %s", c.flink, c.conf, printed, c.printed)
		}
	}
}

// TestSlotProfileOfTheIncident is the line that the TaskManager of the incident logged.
func TestSlotProfileOfTheIncident(t *testing.T) {
	const want = "ResourceProfile{cpuCores=2.0000000000000000, taskHeapMemory=2.656gb (2852126690 bytes), taskOffHeapMemory=0 bytes, " +
		"managedMemory=1.875gb (2013265950 bytes), networkMemory=128.000mb (134217728 bytes)}"
	for _, conf := range []string{
		"flink.size=38400m", "process.size=39680m", "process.size=39g, jvm-metaspace.size=512m",
		"process.size=40g, jvm-metaspace.size=512m, jvm-overhead.max=2g", "process.size=40g, jvm-metaspace.size=1536m",
		"process.size=40g, jvm-overhead.max=2304m",
	} {
		m := taskManagerOf(t, "1.13.1", Standalone, conf+", slots=8, cpu=16")
		if m.PerSlot.Profile != want || m.FlinkSize.Bytes != 38400*quantity.MiB {
			t.Errorf("%s: %s", conf, m.PerSlot.Profile)
		}
	}
	for conf, managed := range map[string]quantity.Bytes{"process.size=39g": 2026687723, "process.size=40g": 2080374815} {
		if m := taskManagerOf(t, "1.13.1", Standalone, conf+", slots=8, cpu=16"); m.PerSlot.Managed != managed {
			t.Errorf("%s: managed %d per slot, want %d", conf, m.PerSlot.Managed, managed)
		}
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		flink, conf string
		part        func(*TaskManager) Part
		want        quantity.Bytes
		how         string
	}{
		{"1.10.0", "process.size=4g", func(m *TaskManager) Part { return m.JVMMetaspace }, 96 * quantity.MiB, "default of Flink 1.10.0"},
		{"1.10.1", "process.size=4g", func(m *TaskManager) Part { return m.JVMMetaspace }, 256 * quantity.MiB, "default of Flink 1.10"},
		{"1.10", "process.size=4g", func(m *TaskManager) Part { return m.JVMMetaspace }, 256 * quantity.MiB, "default of Flink 1.10"},
		{"1.10.0", "process.size=4g, jvm-metaspace.size=300m", func(m *TaskManager) Part { return m.JVMMetaspace }, 300 * quantity.MiB, "flink-conf.yaml:2"},
		{"1.13", "flink.size=38400m", func(m *TaskManager) Part { return m.Network }, quantity.GiB, "0.1 of Flink size, cut to network.max 1 GiB (default of Flink 1.13)"},
		{"1.16", "flink.size=20g", func(m *TaskManager) Part { return m.Network }, quantity.GiB, "0.1 of Flink size, cut to network.max 1 GiB (default of Flink 1.16)"},
		{"1.17", "flink.size=20g", func(m *TaskManager) Part { return m.Network }, 2147483680, "0.1 of Flink size"},
		{"1.20", "flink.size=1g, taskmanager.network.memory.fraction=0.2", func(m *TaskManager) Part { return m.Network }, 214748368, "0.2 (flink-conf.yaml:2) of Flink size"},
		{"2.3", "flink.size=1g, taskmanager.network.memory.min=300m", func(m *TaskManager) Part { return m.Network }, 300 * quantity.MiB, "0.1 of Flink size, raised to network.min 300 MiB (flink-conf.yaml:2)"},
		{"2.3", "flink.size=1g, taskmanager.memory.size=100m", func(m *TaskManager) Part { return m.Managed }, 100 * quantity.MiB, "flink-conf.yaml:2"},
		{"1.20", "process.size=4g, buffers=4096", func(m *TaskManager) Part { return m.Network }, 128 * quantity.MiB, "4096 buffers of 32 KiB (flink-conf.yaml:2)"},
		{"1.20", "process.size=4g, buffers=4096, taskmanager.memory.segment-size=64kb", func(m *TaskManager) Part { return m.Network }, 256 * quantity.MiB, "4096 buffers of 64 KiB (flink-conf.yaml:2)"},
		{"1.20", "process.size=4g, buffers=4096, network.fraction=0.1", func(m *TaskManager) Part { return m.Network }, 359703515, "0.1 (flink-conf.yaml:3) of Flink size"},
		{"2.0", "process.size=4g, buffers=4096", func(m *TaskManager) Part { return m.Network }, 359703515, "0.1 of Flink size"},
		{"1.20", "heap=1g, process.size=2g", func(m *TaskManager) Part { return m.JVMOverhead }, 768 * quantity.MiB, "what is left of process size"},
		{"1.20", "heap=1g", func(m *TaskManager) Part { return m.FlinkSize }, quantity.GiB, "flink-conf.yaml:1, read as taskmanager.memory.flink.size"},
		{"1.20", "heap.mb=1024", func(m *TaskManager) Part { return m.FlinkSize }, quantity.GiB, "flink-conf.yaml:1, read as taskmanager.memory.flink.size"},
		{"1.20", "heap=1g, heap.mb=2048", func(m *TaskManager) Part { return m.FlinkSize }, quantity.GiB, "flink-conf.yaml:1, read as taskmanager.memory.flink.size"},
	} {
		m := taskManagerOf(t, c.flink, Standalone, c.conf)
		p := c.part(m)
		if p.Bytes != c.want || p.How() != c.how || !p.Known || len(m.Refusals) > 0 {
			t.Errorf("%s %s: %s is %d, %q; want %d, %q; %v", c.flink, c.conf, p.Name, p.Bytes, p.How(), c.want, c.how, refusalIDs(m.Refusals))
		}
	}
}

func TestJobManagerVersions(t *testing.T) {
	for _, c := range []struct {
		flink         string
		deployment    Deployment
		conf          string
		heap, process quantity.Bytes
		arguments     []string
		container     quantity.Bytes
	}{
		{"1.20", Standalone, "jobmanager.heap.size=1g", quantity.GiB, 1600 * quantity.MiB, []string{"-Xmx1073741824", "-Xms1073741824", "-XX:MaxMetaspaceSize=268435456"}, 0},
		{"1.20", YARN, "jobmanager.heap.size=1600m", quantity.GiB, 1600 * quantity.MiB, []string{"-Xmx1073741824", "-Xms1073741824", "-XX:MaxMetaspaceSize=268435456"}, 1600 * quantity.MiB},
		{"1.12", Kubernetes, "jobmanager.heap.mb=1600", quantity.GiB, 1600 * quantity.MiB, []string{"-Xmx1073741824", "-Xms1073741824", "-XX:MaxMetaspaceSize=268435456"}, 1600 * quantity.MiB},
		// From 1.13 the pod has the size that its heap gets.
		{"1.13", Kubernetes, "jobmanager.heap.size=1g", quantity.GiB, 1600 * quantity.MiB, []string{"-Xmx1073741824", "-Xms1073741824", "-XX:MaxMetaspaceSize=268435456"}, quantity.GiB},
		{"2.3", Standalone, "process.size=1600m, enable-jvm-direct-memory-limit=true", quantity.GiB, 1600 * quantity.MiB, []string{"-Xmx1073741824", "-Xms1073741824", "-XX:MaxDirectMemorySize=134217728", "-XX:MaxMetaspaceSize=268435456"}, 0},
		{"1.10.1", Standalone, "", 1024 * quantity.MiB, 0, []string{"-Xms1024m", "-Xmx1024m"}, 0},
		{"1.10.1", YARN, "jobmanager.heap.size=4g", 3072 * quantity.MiB, 4 * quantity.GiB, []string{"-Xms3072m", "-Xmx3072m"}, 4 * quantity.GiB},
		{"1.10.1", Kubernetes, "jobmanager.heap.mb=1024", 424 * quantity.MiB, quantity.GiB, []string{"-Xms424m", "-Xmx424m"}, quantity.GiB},
	} {
		j := DeriveJobManager(memoryInput(t, c.flink, c.deployment, jmPrefix, c.conf))
		if j.Heap.Bytes != c.heap || j.ProcessSize.Bytes != c.process || j.Container.Memory != c.container {
			t.Errorf("%s %s: heap %d, process %d, container %d; %v", c.flink, c.conf, j.Heap.Bytes, j.ProcessSize.Bytes, j.Container.Memory, refusalIDs(j.Refusals))
		}
		if diff := cmp.Diff(c.arguments, j.JVMArguments); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.flink, c.conf, diff)
		}
	}
}

func TestBeforeTheModel(t *testing.T) {
	in := memoryInput(t, "1.9.3", Standalone, tmPrefix, "heap.mb=512, jobmanager.heap.mb=512")
	if m := DeriveTaskManager(in); !m.Configured || len(m.Refusals) > 0 || m.FlinkSize.Known || m.TaskHeap.Known {
		t.Errorf("TaskManager of 1.9: %+v", m)
	}
	if j := DeriveJobManager(in); !j.Configured || len(j.Refusals) > 0 || j.Heap.Known {
		t.Errorf("JobManager of 1.9: %+v", j)
	}
}

func TestPlaceholder(t *testing.T) {
	in := memoryInput(t, "1.20", Standalone, tmPrefix, "process.size=${TM_MEMORY}, jvm-metaspace.size=x")
	for _, e := range in.Conf.Entries() {
		if e.Key == tmProcessSize {
			e.Placeholder = true
		}
	}
	m := DeriveTaskManager(in)
	if !m.Configured || m.ProcessSize.Known || m.TaskHeap.Known || !m.FrameworkHeap.Known {
		t.Errorf("a size that is filled in later: %+v", m)
	}
	if got := fmt.Sprint(refusalIDs(m.Refusals)); got != "[F2]" {
		t.Errorf("refusals %s, want the unreadable metaspace alone", got)
	}
}

func TestSmallest(t *testing.T) {
	for _, c := range []struct {
		flink      string
		deployment Deployment
		conf       string
		find       func(Input, func(*TaskManager) bool) (quantity.Bytes, bool)
		derive     func(Input, quantity.Bytes) *TaskManager
		want       quantity.Bytes
		ok         bool
	}{
		{"2.3", Standalone, "process.size=700m", SmallestProcessSize, TaskManagerWithProcessSize, 982 * quantity.MiB, true},
		{"2.3", Standalone, "flink.size=512m", SmallestFlinkSize, TaskManagerWithFlinkSize, 534 * quantity.MiB, true},
		{"2.3", Standalone, "", SmallestProcessSize, TaskManagerWithProcessSize, 982 * quantity.MiB, true},
		{"2.3", Standalone, "process.size=700m, managed.size=4g", SmallestProcessSize, TaskManagerWithProcessSize, 5658 * quantity.MiB, true},
		{"2.3", Standalone, "process.size=4g, slots=0", SmallestProcessSize, TaskManagerWithProcessSize, 0, false},
		{"2.3", Standalone, "process.size=4g, managed.fraction=0.6, network.fraction=0.6", SmallestProcessSize, TaskManagerWithProcessSize, 0, false},
		{"1.13", Standalone, "task.heap.size=3g", SmallestFlinkSize, TaskManagerWithFlinkSize, 5654 * quantity.MiB, true},
		{"1.13", Standalone, "task.heap.size=3g, network.fraction=x", SmallestFlinkSize, TaskManagerWithFlinkSize, 0, false},
	} {
		in := memoryInput(t, c.flink, c.deployment, tmPrefix, c.conf)
		got, ok := c.find(in, nil)
		if got != c.want || ok != c.ok {
			t.Errorf("%s %s: smallest is %d MiB, %v; want %d MiB", c.flink, c.conf, got.Mebibytes(), ok, c.want.Mebibytes())
		}
		if !ok {
			continue
		}
		if m := c.derive(in, got); len(m.Refusals) > 0 {
			t.Errorf("%s: %d MiB is refused: %v", c.conf, got.Mebibytes(), refusalIDs(m.Refusals))
		}
		if m := c.derive(in, got-quantity.MiB); len(m.Refusals) == 0 {
			t.Errorf("%s: one MiB less than %d MiB derives as well", c.conf, got.Mebibytes())
		}
	}
	in := memoryInput(t, "2.3", Standalone, jmPrefix, "flink.size=1m")
	if got, ok := SmallestJobManagerProcessSize(in, nil); got != 577*quantity.MiB || !ok {
		t.Errorf("JobManager: smallest process size is %d MiB", got.Mebibytes())
	}
	if got, ok := SmallestJobManagerFlinkSize(in, nil); got != 129*quantity.MiB || !ok {
		t.Errorf("JobManager: smallest Flink size is %d MiB", got.Mebibytes())
	}
	enough := func(m *TaskManager) bool { return m.TaskHeap.Bytes >= 256*quantity.MiB }
	if got, ok := SmallestProcessSize(memoryInput(t, "2.3", Standalone, tmPrefix, ""), enough); got != 1473*quantity.MiB || !ok {
		t.Errorf("with a task heap of 256 MiB: %d MiB", got.Mebibytes())
	}
	if m := TaskManagerWithProcessSize(memoryInput(t, "2.3", Standalone, tmPrefix, "flink.size=3g"), 1728*quantity.MiB); m.TaskHeap.Bytes != 402653174 {
		t.Errorf("with 1728 MiB: task heap %d", m.TaskHeap.Bytes)
	}
	if j := JobManagerWithFlinkSize(in, quantity.GiB); j.Heap.Bytes != 896*quantity.MiB {
		t.Errorf("JobManager with 1 GiB: heap %d", j.Heap.Bytes)
	}
	if m := TaskManagerWithFlinkSize(in, 1280*quantity.MiB); m.TaskHeap.Bytes != 402653174 {
		t.Errorf("with 1280 MiB: task heap %d", m.TaskHeap.Bytes)
	}
}
