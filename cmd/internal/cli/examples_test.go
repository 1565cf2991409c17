package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
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
		"network.buffers":         32768, "network.required": 464, "network.target": 768, "network.requiredRestore": 592, "network.restoreSuffices": 912,
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

// Every example with the rule that its report must lead with; "" for a configuration with nothing to report.
var examples = []struct{ config, job, report, leads string }{
	{"tm-crash/flink-conf.yaml", "job.yaml", "report.txt", "upgrade/known-defect"},
	{"tm-crash/flink-conf.yaml", "job-measured.yaml", "report-measured.txt", "upgrade/known-defect"},
	{"framework-heap/flink-conf.yaml", "job.yaml", "report.txt", "memory/does-not-fit"},
	{"few-buffers/flink-conf.yaml", "job.yaml", "report.txt", "network/insufficient-buffers"},
	{"checkpoint-expiry-loop/flink-conf.yaml", "job.yaml", "report.txt", "checkpoint/timeout-too-short"},
	{"upgrade-to-2.0/config.yaml", "job.yaml", "report.txt", "state/unknown-backend"},
	{"pod-limit/flink-conf.yaml", "job.yaml", "report.txt", "memory/container-limit-below-process-size"},
	{"operator-two-sizes/flinkdeployment.yaml", "job.yaml", "report.txt", "memory/does-not-fit"},
	{"blank-storage-dir/flink-conf.yaml", "job.yaml", "report.txt", "recovery/ha-incomplete"},
	{"too-few-slots/flink-conf.yaml", "job.yaml", "report.txt", "parallelism/not-enough-slots"},
	{"healthy-rocksdb/flink-conf.yaml", "job.yaml", "report.txt", ""},
	{"healthy-stateless/config.yaml", "job.yaml", "report.txt", ""},
}

// TestExamples runs every example and compares what it prints with the report beside it.
func TestExamples(t *testing.T) {
	tested := map[string]bool{}
	for _, e := range examples {
		folder := path.Join("examples", path.Dir(e.config))
		tested[folder] = true
		t.Run(path.Join(folder, e.report), func(t *testing.T) {
			out, errs, code := inRoot(t, "check", path.Join("examples", e.config), "--job", path.Join(folder, e.job))
			if errs != "" {
				t.Errorf("standard error: %s", errs)
			}
			switch {
			case e.leads == "" && (code != ExitOK || !strings.HasPrefix(out, "ok: nothing to report\n")):
				t.Errorf("a healthy configuration gives exit code %d and\n%s", code, out)
			case e.leads != "" && !strings.Contains(strings.SplitN(out, "\n", 2)[0], "["+e.leads+"]"):
				t.Errorf("the report does not lead with %s:\n%.200s", e.leads, out)
			}
			file := filepath.Join(folder, e.report)
			if *update {
				if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), out); diff != "" {
				t.Errorf("report (-want +got), go test ./cmd/internal/cli -update rewrites it:\n%s", diff)
			}
		})
	}
	folders, _ := filepath.Glob("../../../examples/*")
	for _, f := range folders {
		if name := "examples/" + filepath.Base(f); !tested[name] {
			t.Errorf("%s is not tested", name)
		}
	}
}

// The findings of the incident that the project began with: the defect first, and what makes it so costly after it.
func TestCrashHasTheFindingsOfTheIncident(t *testing.T) {
	out, errs, code := inRoot(t, "check", "examples/tm-crash/flink-conf.yaml", "--job", "examples/tm-crash/job.yaml", "-o", "json")
	var got struct {
		Findings []struct {
			Rule, Message, Help string
			Rank                int
		}
		NotAssessed []struct{ Needs []string }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != ExitFindings {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, out, errs)
	}
	var rules []string
	help := map[string]string{}
	for _, f := range got.Findings {
		rules = append(rules, f.Rule)
		help[f.Rule] += f.Help
	}
	if first := got.Findings[0]; first.Rule != "upgrade/known-defect" || first.Rank != 1 || !strings.Contains(first.Message, "FLINK-22946") || !strings.Contains(first.Help, "1.13.2") {
		t.Errorf("the first finding is %+v", first)
	}
	for _, want := range []string{
		"checkpoint/timeout-too-short", "checkpoint/zero-tolerable-failures", "checkpoint/unaligned-overhead", "sql/window-amplification", "network/oversized",
		"recovery/cancellation-watchdog",
	} {
		if _, ok := help[want]; !ok {
			t.Errorf("%s is missing among %v", want, rules)
		}
	}
	if !strings.Contains(help["checkpoint/unaligned-overhead"], "execution.checkpointing.alignment-timeout") {
		t.Errorf("the aligned timeout is called by another version's name: %s", help["checkpoint/unaligned-overhead"])
	}
	needs := map[string]bool{}
	for _, n := range got.NotAssessed {
		for _, fact := range n.Needs {
			needs[fact] = true
		}
	}
	if !needs["checkpointStorage.throughput"] || !needs["state.changedPerCheckpoint"] && !needs["state.size"] {
		t.Errorf("what is not assessed needs %v", needs)
	}
}
