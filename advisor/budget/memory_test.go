package budget

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// shortKeys are names for options outside a process's prefix.
var shortKeys = map[string]string{
	"slots": tmSlots, "cpu": tmCPU, "heap": "taskmanager.heap.size", "heap.mb": "taskmanager.heap.mb", "buffers": tmNetworkBuffers,
	"k8s.cpu": "kubernetes.taskmanager.cpu.amount", "k8s.cpu.old": "kubernetes.taskmanager.cpu", "yarn.cpu": "yarn.containers.vcores",
}

// memoryInput reads "key=value, key=value" as a configuration file; keys without their prefix belong to the process.
func memoryInput(t testing.TB, flink string, deployment Deployment, prefix, text string) Input {
	t.Helper()
	var b strings.Builder
	for pair := range strings.SplitSeq(text, ", ") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			continue
		}
		switch long, known := shortKeys[key]; {
		case known:
			key = long
		case !strings.HasPrefix(key, "taskmanager.") && !strings.HasPrefix(key, "jobmanager.") && !strings.HasPrefix(key, "kubernetes.") && !strings.HasPrefix(key, "containerized."):
			key = prefix + key
		}
		fmt.Fprintf(&b, "%s: %s\n", key, value)
	}
	doc, err := conf.ParseFlat(source.NewFile("flink-conf.yaml", []byte(b.String())).Whole())
	if err != nil {
		t.Fatal(err)
	}
	e, err := conf.Merge(version.MustParse(flink), conf.Layer{Name: "flink-conf.yaml", Dialect: conf.Flat, Entries: doc.Entries})
	if err != nil {
		t.Fatal(err)
	}
	return Input{Conf: e, Job: &job.Facts{}, Deployment: deployment}
}

func taskManagerOf(t testing.TB, flink string, deployment Deployment, text string) *TaskManager {
	t.Helper()
	return DeriveTaskManager(memoryInput(t, flink, deployment, tmPrefix, text))
}

// memorySizes are the parts in the order of the vectors: framework heap, task heap, framework off-heap, task off-heap, network, managed,
// metaspace, overhead, Flink total, process total.
func memorySizes(m *TaskManager) [10]quantity.Bytes {
	return [10]quantity.Bytes{
		m.FrameworkHeap.Bytes, m.TaskHeap.Bytes, m.FrameworkOffHeap.Bytes, m.TaskOffHeap.Bytes, m.Network.Bytes, m.Managed.Bytes,
		m.JVMMetaspace.Bytes, m.JVMOverhead.Bytes, m.FlinkSize.Bytes, m.ProcessSize.Bytes,
	}
}

func refusalIDs(refusals []Refusal) []string {
	var out []string
	for _, r := range refusals {
		out = append(out, r.ID)
	}
	return out
}

// memoryExamples are configurations whose figures Flink's own classes gave (TaskExecutorProcessUtils; JVM limits, slots, buffers of 32 KiB and whole
// MiB of the process after the parts).
var memoryExamples = []struct {
	name, flink                    string
	deployment                     Deployment
	conf                           string
	want                           [10]quantity.Bytes
	heap, direct                   quantity.Bytes
	slots                          int
	slotHeap, slotManaged, slotNet quantity.Bytes
	buffers, mebibytes             int64
}{
	{"12.1", "2.3", Standalone, "process.size=1728m", [10]quantity.Bytes{134217728, 402653174, 134217728, 0, 134217730, 536870920, 268435456, 201326592, 1342177280, 1811939328}, 536870902, 268435458, 1, 402653174, 536870920, 134217730, 4096, 1728},
	{"12.2", "2.3", Standalone, "flink.size=1280m", [10]quantity.Bytes{134217728, 402653174, 134217728, 0, 134217730, 536870920, 268435456, 201326592, 1342177280, 1811939328}, 536870902, 268435458, 1, 402653174, 536870920, 134217730, 4096, 1728},
	{"12.3", "2.3", Standalone, "process.size=4g, slots=2", [10]quantity.Bytes{134217728, 1530082070, 134217728, 0, 359703515, 1438814063, 268435456, 429496736, 3597035104, 4294967296}, 1664299798, 493921243, 2, 765041035, 719407031, 179851757, 10977, 4096},
	{"12.4", "2.3", Standalone, "process.size=4g, slots=3", [10]quantity.Bytes{134217728, 1530082070, 134217728, 0, 359703515, 1438814063, 268435456, 429496736, 3597035104, 4294967296}, 1664299798, 493921243, 3, 510027356, 479604687, 119901171, 10977, 4096},
	{"12.5", "1.10.0", Standalone, "process.size=1568m", [10]quantity.Bytes{134217728, 402653174, 134217728, 0, 134217730, 536870920, 100663296, 201326592, 1342177280, 1644167168}, 536870902, 268435458, 1, 402653174, 536870920, 134217730, 4096, 1568},
	{"12.6", "2.3", Standalone, "task.heap.size=1g, managed.size=2g", [10]quantity.Bytes{134217728, 1073741824, 134217728, 0, 387740109, 2147483648, 268435456, 460648506, 3877401037, 4606484999}, 1207959552, 521957837, 1, 1073741824, 2147483648, 387740109, 11832, 4393},
	{"12.7", "2.3", Standalone, "task.heap.size=1g, managed.size=2g, flink.size=4g", [10]quantity.Bytes{134217728, 1073741824, 134217728, 0, 805306368, 2147483648, 268435456, 507044758, 4294967296, 5070447510}, 1207959552, 939524096, 1, 1073741824, 2147483648, 805306368, 24576, 4835},
	{"12.8", "1.16", Standalone, "process.size=20g, slots=4", [10]quantity.Bytes{134217728, 10737418120, 134217728, 0, 1073741824, 8053063800, 268435456, 1073741824, 20132659200, 21474836480}, 10871635848, 1207959552, 4, 2684354530, 2013265950, 268435456, 32768, 20480},
	{"12.9", "2.3", Standalone, "process.size=20g, slots=4", [10]quantity.Bytes{134217728, 9797893994, 134217728, 0, 2013265950, 8053063800, 268435456, 1073741824, 20132659200, 21474836480}, 9932111722, 2147483678, 4, 2449473498, 2013265950, 503316487, 61440, 20480},
	{"12.10", "2.3", Standalone, "process.size=1g", [10]quantity.Bytes{134217728, 26843542, 134217728, 0, 67108864, 241591914, 268435456, 201326592, 603979776, 1073741824}, 161061270, 201326592, 1, 26843542, 241591914, 67108864, 2048, 1024},
	{"12.11", "2.3", Standalone, "process.size=8g, slots=4, network.min=256m, network.max=256m", [10]quantity.Bytes{134217728, 3940632442, 134217728, 0, 268435456, 2985002310, 268435456, 858993472, 7462505664, 8589934592}, 4074850170, 402653184, 4, 985158110, 746250577, 67108864, 8192, 8192},
	{"12.12", "2.3", Standalone, "process.size=2g, managed.size=0", [10]quantity.Bytes{134217728, 1229434384, 134217728, 0, 166429984, 0, 268435456, 214748368, 1664299824, 2147483648}, 1363652112, 300647712, 1, 1229434384, 0, 166429984, 5079, 2048},
	{"12.13", "2.3", Standalone, "flink.size=3g, process.size=4g", [10]quantity.Bytes{134217728, 1342177256, 134217728, 0, 322122552, 1288490208, 268435456, 805306368, 3221225472, 4294967296}, 1476394984, 456340280, 1, 1342177256, 1288490208, 322122552, 9830, 4096},
	{"12.14a", "1.20", Standalone, "heap=1024m", [10]quantity.Bytes{134217728, 268435448, 134217728, 0, 107374184, 429496736, 268435456, 201326592, 1073741824, 1543503872}, 402653176, 241591912, 1, 268435448, 429496736, 107374184, 3276, 1472},
	{"12.14b", "1.20", Kubernetes, "heap=1024m", [10]quantity.Bytes{134217728, 26843542, 134217728, 0, 67108864, 241591914, 268435456, 201326592, 603979776, 1073741824}, 161061270, 201326592, 1, 26843542, 241591914, 67108864, 2048, 1024},
	{"12.15", "1.20", Standalone, "process.size=1728m, buffers=8192", [10]quantity.Bytes{134217728, 268435448, 134217728, 0, 268435456, 536870920, 268435456, 201326592, 1342177280, 1811939328}, 402653176, 402653184, 1, 268435448, 536870920, 268435456, 8192, 1728},
	{"12.16", "2.3", Standalone, "process.size=8g, jvm-overhead.fraction=0.25, jvm-overhead.max=4g", [10]quantity.Bytes{134217728, 2818572242, 134217728, 0, 617401558, 2469606232, 268435456, 2147483648, 6174015488, 8589934592}, 2952789970, 751619286, 1, 2818572242, 2469606232, 617401558, 18841, 8192},
	{"12.17", "2.3", Standalone, "process.size=16g, slots=4", [10]quantity.Bytes{134217728, 7650410378, 134217728, 0, 1583769214, 6335076856, 268435456, 1073741824, 15837691904, 17179869184}, 7784628106, 1717986942, 4, 1912602594, 1583769214, 395942303, 48332, 16384},
	{"12.18", "1.13.1", Standalone, "process.size=39680m, slots=8", [10]quantity.Bytes{134217728, 22817013520, 134217728, 0, 1073741824, 16106127600, 268435456, 1073741824, 40265318400, 41607495680}, 22951231248, 1207959552, 8, 2852126690, 2013265950, 134217728, 32768, 39680},
}

func TestTaskManagerExamples(t *testing.T) {
	for _, c := range memoryExamples {
		t.Run(c.name, func(t *testing.T) {
			m := taskManagerOf(t, c.flink, c.deployment, c.conf)
			if diff := cmp.Diff(c.want, memorySizes(m)); diff != "" {
				t.Errorf("parts (-want +got):\n%s", diff)
			}
			if len(m.Refusals) > 0 {
				t.Errorf("refused: %+v", m.Refusals)
			}
			arguments := []string{
				fmt.Sprintf("-Xmx%d", c.heap), fmt.Sprintf("-Xms%d", c.heap),
				fmt.Sprintf("-XX:MaxDirectMemorySize=%d", c.direct), fmt.Sprintf("-XX:MaxMetaspaceSize=%d", c.want[6]),
			}
			if diff := cmp.Diff(arguments, m.JVMArguments); diff != "" {
				t.Errorf("JVM arguments (-want +got):\n%s", diff)
			}
			p := m.PerSlot
			if m.Slots != c.slots || p.TaskHeap != c.slotHeap || p.Managed != c.slotManaged || p.Network != c.slotNet {
				t.Errorf("per slot: %d slots, %+v", m.Slots, p)
			}
			if got := int64(m.Network.Bytes / (32 * quantity.KiB)); got != c.buffers {
				t.Errorf("buffers = %d, want %d", got, c.buffers)
			}
			if got := m.ProcessSize.Bytes.Mebibytes(); got != c.mebibytes {
				t.Errorf("process = %d MiB, want %d", got, c.mebibytes)
			}
		})
	}
}

// memoryVectors are parts that the classes of Flink 2.3 derived, or the refusal that they gave.
var memoryVectors = []struct {
	conf, refusal string
	want          [10]quantity.Bytes
}{
	{"process.size=1728m", "", [10]quantity.Bytes{134217728, 402653174, 134217728, 0, 134217730, 536870920, 268435456, 201326592, 1342177280, 1811939328}},
	{"flink.size=1280m", "", [10]quantity.Bytes{134217728, 402653174, 134217728, 0, 134217730, 536870920, 268435456, 201326592, 1342177280, 1811939328}},
	{"process.size=4g", "", [10]quantity.Bytes{134217728, 1530082070, 134217728, 0, 359703515, 1438814063, 268435456, 429496736, 3597035104, 4294967296}},
	{"process.size=1g", "", [10]quantity.Bytes{134217728, 26843542, 134217728, 0, 67108864, 241591914, 268435456, 201326592, 603979776, 1073741824}},
	{"process.size=2g", "", [10]quantity.Bytes{134217728, 563714445, 134217728, 0, 166429984, 665719939, 268435456, 214748368, 1664299824, 2147483648}},
	{"process.size=8g", "", [10]quantity.Bytes{134217728, 3462817321, 134217728, 0, 746250577, 2985002310, 268435456, 858993472, 7462505664, 8589934592}},
	{"process.size=16g", "", [10]quantity.Bytes{134217728, 7650410378, 134217728, 0, 1583769214, 6335076856, 268435456, 1073741824, 15837691904, 17179869184}},
	{"process.size=20g", "", [10]quantity.Bytes{134217728, 9797893994, 134217728, 0, 2013265950, 8053063800, 268435456, 1073741824, 20132659200, 21474836480}},
	{"process.size=39680m", "", [10]quantity.Bytes{134217728, 19864223444, 134217728, 0, 4026531900, 16106127600, 268435456, 1073741824, 40265318400, 41607495680}},
	{"process.size=64g", "", [10]quantity.Bytes{134217728, 33420213770, 134217728, 0, 6737730046, 26950920184, 268435456, 1073741824, 67377299456, 68719476736}},
	{"flink.size=4g", "", [10]quantity.Bytes{134217728, 1879048160, 134217728, 0, 429496736, 1717986944, 268435456, 507044758, 4294967296, 5070447510}},
	{"flink.size=512m", "F7", [10]quantity.Bytes{}},
	{"flink.size=38400m", "", [10]quantity.Bytes{134217728, 19864223444, 134217728, 0, 4026531900, 16106127600, 268435456, 1073741824, 40265318400, 41607495680}},
	{"task.heap.size=1g, managed.size=2g", "", [10]quantity.Bytes{134217728, 1073741824, 134217728, 0, 387740109, 2147483648, 268435456, 460648506, 3877401037, 4606484999}},
	{"task.heap.size=1g, managed.size=0", "", [10]quantity.Bytes{134217728, 1073741824, 134217728, 0, 149130811, 0, 268435456, 201326592, 1491308091, 1961070139}},
	{"task.heap.size=1g, managed.size=2g, flink.size=4g", "", [10]quantity.Bytes{134217728, 1073741824, 134217728, 0, 805306368, 2147483648, 268435456, 507044758, 4294967296, 5070447510}},
	{"task.heap.size=1g, managed.size=2g, process.size=4g", "F10", [10]quantity.Bytes{}},
	{"flink.size=3g, process.size=4g", "", [10]quantity.Bytes{134217728, 1342177256, 134217728, 0, 322122552, 1288490208, 268435456, 805306368, 3221225472, 4294967296}},
	{"process.size=2g, managed.size=0", "", [10]quantity.Bytes{134217728, 1229434384, 134217728, 0, 166429984, 0, 268435456, 214748368, 1664299824, 2147483648}},
	{"process.size=2g, managed.fraction=0", "", [10]quantity.Bytes{134217728, 1229434384, 134217728, 0, 166429984, 0, 268435456, 214748368, 1664299824, 2147483648}},
	{"process.size=8g, managed.fraction=0.7", "", [10]quantity.Bytes{134217728, 1224065756, 134217728, 0, 746250577, 5223753875, 268435456, 858993472, 7462505664, 8589934592}},
	{"process.size=8g, network.min=256m, network.max=256m", "", [10]quantity.Bytes{134217728, 3940632442, 134217728, 0, 268435456, 2985002310, 268435456, 858993472, 7462505664, 8589934592}},
	{"process.size=8g, network.fraction=0.2", "", [10]quantity.Bytes{134217728, 2716566743, 134217728, 0, 1492501155, 2985002310, 268435456, 858993472, 7462505664, 8589934592}},
	{"process.size=8g, network.fraction=0.05, network.min=1g, network.max=2g", "", [10]quantity.Bytes{134217728, 3135326074, 134217728, 0, 1073741824, 2985002310, 268435456, 858993472, 7462505664, 8589934592}},
	{"flink.size=4g, task.heap.size=1g", "", [10]quantity.Bytes{134217728, 1073741824, 134217728, 0, 1234803072, 1717986944, 268435456, 507044758, 4294967296, 5070447510}},
	{"flink.size=4g, task.heap.size=1g, managed.fraction=0.5", "", [10]quantity.Bytes{134217728, 1073741824, 134217728, 0, 805306368, 2147483648, 268435456, 507044758, 4294967296, 5070447510}},
	{"process.size=6g, task.heap.size=2g", "", [10]quantity.Bytes{134217728, 2147483648, 134217728, 0, 901943094, 2211908186, 268435456, 644245104, 5529770384, 6442450944}},
	{"process.size=8g, task.off-heap.size=512m", "", [10]quantity.Bytes{134217728, 2925946409, 134217728, 536870912, 746250577, 2985002310, 268435456, 858993472, 7462505664, 8589934592}},
	{"process.size=8g, jvm-metaspace.size=512m", "", [10]quantity.Bytes{134217728, 3328599595, 134217728, 0, 719407031, 2877628126, 536870912, 858993472, 7194070208, 8589934592}},
	{"process.size=8g, jvm-overhead.fraction=0.25, jvm-overhead.max=4g", "", [10]quantity.Bytes{134217728, 2818572242, 134217728, 0, 617401558, 2469606232, 268435456, 2147483648, 6174015488, 8589934592}},
	{"process.size=8g, jvm-overhead.min=2g, jvm-overhead.max=3g", "", [10]quantity.Bytes{134217728, 2818572242, 134217728, 0, 617401558, 2469606232, 268435456, 2147483648, 6174015488, 8589934592}},
	{"process.size=10g, jvm-overhead.fraction=0", "", [10]quantity.Bytes{134217728, 4865392564, 134217728, 0, 1026765634, 4107062538, 268435456, 201326592, 10267656192, 10737418240}},
	{"process.size=1000000000", "F7", [10]quantity.Bytes{}},
	{"process.size=3333333333, managed.fraction=0.333, network.fraction=0.111, jvm-overhead.fraction=0.077", "", [10]quantity.Bytes{134217728, 1292941083, 134217728, 0, 311713668, 935141005, 268435456, 256666665, 2808231212, 3333333333}},
	{"flink.size=7777777777, managed.size=1234567890", "", [10]quantity.Bytes{134217728, 5496996642, 134217728, 0, 777777789, 1234567890, 268435456, 894023707, 7777777777, 8940236940}},
	{"task.heap.size=999999999, managed.size=888888888, task.off-heap.size=77777777", "", [10]quantity.Bytes{134217728, 999999999, 134217728, 77777777, 248344684, 888888888, 268435456, 305764700, 2483446804, 3057646960}},
	{"process.size=5g, framework.heap.size=256m, framework.off-heap.size=64m", "", [10]quantity.Bytes{268435456, 1946157019, 67108864, 0, 456340281, 1825361124, 268435456, 536870920, 4563402744, 5368709120}},
	{"process.size=50g, network.max=1g", "", [10]quantity.Bytes{134217728, 30064770760, 134217728, 0, 1073741824, 20937965880, 268435456, 1073741824, 52344913920, 53687091200}},
}

func TestTaskManagerVectors(t *testing.T) {
	for _, c := range memoryVectors {
		m := taskManagerOf(t, "2.3", Standalone, c.conf)
		if c.refusal != "" {
			if len(m.Refusals) == 0 || m.Refusals[0].ID != c.refusal {
				t.Errorf("%s: refusals %v, want %s first", c.conf, refusalIDs(m.Refusals), c.refusal)
			}
			continue
		}
		if diff := cmp.Diff(c.want, memorySizes(m)); diff != "" || len(m.Refusals) > 0 {
			t.Errorf("%s: %v (-want +got):\n%s", c.conf, refusalIDs(m.Refusals), diff)
		}
	}
}

// jobManagerExamples are heap, off-heap, Flink size, metaspace, overhead and process size that JobManagerProcessUtils derived.
var jobManagerExamples = []struct {
	name, conf string
	want       [6]quantity.Bytes
}{
	{"12.J1", "process.size=1600m", [6]quantity.Bytes{1073741824, 134217728, 1207959552, 268435456, 201326592, 1677721600}},
	{"12.J2", "flink.size=1g", [6]quantity.Bytes{939524096, 134217728, 1073741824, 268435456, 201326592, 1543503872}},
	{"12.J3", "heap.size=2g", [6]quantity.Bytes{2147483648, 134217728, 2281701376, 268435456, 283348541, 2833485373}},
	{"12.J4", "heap.size=2g, off-heap.size=512m", [6]quantity.Bytes{2147483648, 536870912, 2684354560, 268435456, 328087784, 3280877800}},
	{"12.J5", "heap.size=1g, flink.size=1280m", [6]quantity.Bytes{1073741824, 268435456, 1342177280, 268435456, 201326592, 1811939328}},
	{"12.J6", "heap.size=1g, flink.size=1g", [6]quantity.Bytes{1073741824, 0, 1073741824, 268435456, 201326592, 1543503872}},
	{"12.J7", "process.size=4g", [6]quantity.Bytes{3462817376, 134217728, 3597035104, 268435456, 429496736, 4294967296}},
	{"12.J8", "process.size=16g", [6]quantity.Bytes{15703474176, 134217728, 15837691904, 268435456, 1073741824, 17179869184}},
}

func TestJobManagerExamples(t *testing.T) {
	for _, c := range jobManagerExamples {
		for _, flink := range []string{"1.11.6", "1.13.1", "1.20", "2.3"} {
			j := DeriveJobManager(memoryInput(t, flink, Standalone, jmPrefix, c.conf))
			got := [6]quantity.Bytes{j.Heap.Bytes, j.OffHeap.Bytes, j.FlinkSize.Bytes, j.JVMMetaspace.Bytes, j.JVMOverhead.Bytes, j.ProcessSize.Bytes}
			if diff := cmp.Diff(c.want, got); diff != "" || len(j.Refusals) > 0 {
				t.Errorf("%s on %s: %v (-want +got):\n%s", c.name, flink, refusalIDs(j.Refusals), diff)
			}
			arguments := []string{fmt.Sprintf("-Xmx%d", c.want[0]), fmt.Sprintf("-Xms%d", c.want[0]), fmt.Sprintf("-XX:MaxMetaspaceSize=%d", c.want[3])}
			if diff := cmp.Diff(arguments, j.JVMArguments); diff != "" {
				t.Errorf("%s on %s: JVM arguments (-want +got):\n%s", c.name, flink, diff)
			}
		}
	}
}
