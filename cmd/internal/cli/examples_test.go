package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// inRoot runs the command in the root of the repository, where the examples' README tells people to stand.
func inRoot(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Chdir("../../..")
	var out, errs bytes.Buffer
	code = Main(args, Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" },
		Files: OS{}, Today: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	return out.String(), errs.String(), code
}

// The figures of the incident were worked out by hand from Flink 1.13's formulas and agree with what its log printed.
func TestCrashHasTheFiguresOfTheIncident(t *testing.T) {
	out, errs, _ := inRoot(t, "check", "examples/tm-crash/flink-conf.yaml", "--job", "examples/tm-crash/job.yaml", "-o", "json")
	var got any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	at := func(path string) any {
		v := got
		for _, name := range strings.Split(path, ".") {
			switch node := v.(type) {
			case map[string]any:
				v = node[name]
			case []any:
				v = node[0]
			}
		}
		return v
	}
	want := map[string]float64{
		"taskManager.processSize": 41607495680, "taskManager.flinkSize": 40265318400, "taskManager.slots": 8,
		"taskManager.perSlot.taskHeap": 2852126690, "taskManager.perSlot.managed": 2013265950, "taskManager.perSlot.network": 134217728,
		"taskManager.perSlot.cpu": 2,
		"network.buffers":         32768, "network.required": 464, "network.target": 768, "network.requiredRestore": 592,
		"checkpoint.inFlightPerTaskManager": 25165824, "checkpoint.inFlightJob": 75497472, "checkpoint.inFlightCapPerTaskManager": 1073741824,
		"checkpoint.timeoutSeconds": 120,
		// 72 MiB in 120 s: what the in-flight data alone asks of the storage.
		"checkpoint.breakEvenBytesPerSecond": 75497472.0 / 120,
	}
	figures := map[string]float64{}
	for path := range want {
		figures[path], _ = at("budgets.0." + path).(float64)
	}
	if diff := cmp.Diff(want, figures); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	if at("flink.version") != "1.13.1" || at("budgets.0.checkpoint.stateBytes") != nil || at("budgets.0.checkpoint.seconds") != nil {
		t.Error("what cannot be known is null, and the version is the job file's")
	}
}
