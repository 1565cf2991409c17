package budget

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// refusalCases are configurations that Flink refuses, with every refusal that we tell; the first one is Flink's.
var refusalCases = []struct {
	flink, conf string
	deployment  Deployment
	want        []string
}{
	{"2.3", "", Standalone, []string{"F1"}},
	{"1.10.3", "", Standalone, []string{"F1"}},
	{"2.3", "task.heap.size=1g", Standalone, []string{"F1"}},
	{"2.3", "managed.size=1g", Standalone, []string{"F1"}},
	{"2.3", "process.size=abc", Standalone, []string{"F2"}},
	{"2.3", "process.size=1.5g", Standalone, []string{"F2"}},
	{"2.3", "flink.size=2Gi", Standalone, []string{"F2"}},
	{"2.3", "process.size=400m", Standalone, []string{"F5"}},
	{"2.3", "process.size=448m", Standalone, []string{"F7"}},
	{"2.3", "process.size=700m", Standalone, []string{"F7"}},
	{"2.3", "flink.size=512m", Standalone, []string{"F7"}},
	{"2.3", "process.size=2g, network.min=256m, network.max=128m", Standalone, []string{"F4"}},
	{"2.3", "process.size=2g, managed.fraction=1.0", Standalone, []string{"F4"}},
	{"2.3", "process.size=2g, managed.fraction=NaN", Standalone, []string{"F4"}},
	{"2.3", "process.size=2g, network.fraction=abc", Standalone, []string{"F14"}},
	{"2.3", "flink.size=4g, task.heap.size=3g", Standalone, []string{"F6"}},
	{"1.16.2", "flink.size=4g, task.heap.size=1g, managed.size=1g", Standalone, []string{"F12"}},
	{"1.17.2", "flink.size=4g, task.heap.size=1g, managed.size=1g", Standalone, nil},
	{"2.3", "flink.size=3g, process.size=3200m", Standalone, []string{"F9"}},
	{"1.10.1", "flink.size=3g, process.size=3200m", Standalone, []string{"F16"}},
	{"2.3", "flink.size=3g, process.size=5g", Standalone, []string{"F10"}},
	{"2.3", "task.heap.size=1g, managed.size=2g, process.size=4g", Standalone, []string{"F10"}},
	{"2.3", "task.heap.size=1g, managed.size=9223372036854775807", Standalone, []string{"F15"}},
	{"2.3", "process.size=2g, cpu=0", Standalone, []string{"F13"}},
	{"1.20", "flink.size=4g, task.heap.size=2g, buffers=2048", Standalone, []string{"F11"}},
	{"1.20", "process.size=2g, buffers=-1", Standalone, []string{"F16"}},
	{"1.20", "heap.mb=-1", Standalone, []string{"F19"}},
	{"1.20", "heap=12x", Standalone, []string{"F2"}},
	{"2.0", "heap=1g", Standalone, []string{"F1"}},
	{"2.3", "process.size=2g, segment-size=2kb", Standalone, []string{"F17"}},
	{"2.3", "process.size=2g, segment-size=40kb", Standalone, []string{"F17"}},
	{"2.3", "process.size=2g, slots=0", Standalone, []string{"F13", "F18"}},
	{"2.3", "process.size=2g, slots=0, cpu=2", Standalone, []string{"F18"}},
	{"2.3", "process.size=2g, slots=-1, cpu=2", Standalone, nil},
	{"2.3", "process.size=2g, kubernetes.taskmanager.memory.limit-factor=0.5", Kubernetes, []string{"K1"}},
	// Flink tells one, we tell all.
	{"2.3", "process.size=700m, task.off-heap.size=1.5g", Standalone, []string{"F2", "F7"}},
	{"2.3", "process.size=8g, jvm-metaspace.size=256MB., framework.heap.size=x", Standalone, []string{"F2", "F2"}},
	{"2.3", "process.size=2g, network.min=256m, network.max=128m, jvm-overhead.min=2g", Standalone, []string{"F4", "F4"}},
	{"2.3", "flink.size=512m, process.size=600m", Standalone, []string{"F7", "F9"}},
	{"2.3", "task.heap.size=1g, managed.size=1g, flink.size=1g, process.size=1g", Standalone, []string{"F6", "F9"}},
	{"1.13.1", "flink.size=4g, task.heap.size=1g, managed.size=1g, process.size=8g", Standalone, []string{"F12", "F10"}},
	{"2.3", "process.size=2g, slots=two, cpu=many", Standalone, []string{"F14", "F14"}},
	{"2.3", "slots=two", Standalone, []string{"F1", "F14"}},
	{"2.3", "process.size=2g, managed.fraction=-0.1, network.fraction=1.5", Standalone, []string{"F4", "F4"}},
	{"2.3", "flink.size=2g, task.heap.size=1g, network.min=2g, network.max=64m", Standalone, []string{"F6", "F4"}},
}

func TestTaskManagerRefusals(t *testing.T) {
	var text strings.Builder
	for _, c := range refusalCases {
		m := taskManagerOf(t, c.flink, c.deployment, c.conf)
		if got := refusalIDs(m.Refusals); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s refused with %v, want %v", c.flink, c.conf, got, c.want)
		}
		writeRefusals(&text, c.flink, c.conf, m.Refusals)
	}
	golden(t, "taskmanager-refusals.golden", text.String())
}

// writeRefusals writes what a reader of a report is told.
func writeRefusals(b *strings.Builder, flink, conf string, refusals []Refusal) {
	fmt.Fprintf(b, "== %s: %s\n", flink, conf)
	for _, r := range refusals {
		fmt.Fprintf(b, "%s: %s\n   Flink: %s\n   keys: %s\n", r.ID, r.Message, r.Flink, strings.Join(r.Keys, ", "))
		for _, x := range r.Terms {
			value := fmt.Sprint(x.Value)
			if x.Unit == Bytes {
				value = fmt.Sprintf("%d", quantity.Bytes(x.Value))
			}
			fmt.Fprintf(b, "   %s = %s (%s)\n", x.Name, value, x.From)
		}
		if r.Shortage() > 0 {
			fmt.Fprintf(b, "   short of %d bytes\n", r.Shortage())
		}
	}
}

func TestJobManagerRefusals(t *testing.T) {
	var text strings.Builder
	for _, c := range []struct {
		flink, conf string
		deployment  Deployment
		want        []string
	}{
		{"2.3", "", Standalone, []string{"F1"}},
		{"2.3", "flink.size=128m", Standalone, []string{"J3"}},
		{"2.3", "process.size=448m", Standalone, []string{"J3"}},
		{"2.3", "process.size=400m", Standalone, []string{"F5"}},
		{"1.13.1", "heap.size=1g, off-heap.size=128m, flink.size=1g", Standalone, []string{"J1"}},
		{"2.3", "heap.size=2g, flink.size=1g", Standalone, []string{"J2"}},
		{"1.11.1", "heap.size=896m, off-heap.size=128m, flink.size=1g", Standalone, []string{"J1"}},
		{"1.11.2", "heap.size=896m, off-heap.size=128m, flink.size=1g", Standalone, nil},
		{"2.3", "heap.size=1g, flink.size=1g", Standalone, nil},
		{"2.3", "process.size=16x, jvm-metaspace.size=y", Standalone, []string{"F2", "F2"}},
		{"2.3", "heap.size=1g, process.size=1g", Standalone, []string{"F9"}},
		{"2.3", "heap.size=1g, process.size=8g", Standalone, []string{"F10"}},
		{"2.3", "heap.size=1g, jvm-overhead.fraction=1", Standalone, []string{"F4"}},
		{"1.10.1", "jobmanager.heap.size=512m", YARN, []string{"J3"}},
	} {
		j := DeriveJobManager(memoryInput(t, c.flink, c.deployment, jmPrefix, c.conf))
		if got := refusalIDs(j.Refusals); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s refused with %v, want %v", c.flink, c.conf, got, c.want)
		}
		writeRefusals(&text, c.flink, c.conf, j.Refusals)
	}
	golden(t, "jobmanager-refusals.golden", text.String())
}
