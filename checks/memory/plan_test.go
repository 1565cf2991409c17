package memory

import (
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func planInput(t testing.TB, flink, text, facts string) advisor.TargetInput {
	t.Helper()
	doc, err := conf.ParseFlat(source.NewFile("flink-conf.yaml", []byte(text)).Whole())
	if err != nil {
		t.Fatal(err)
	}
	in := advisor.TargetInput{
		Name: "flink-conf.yaml", Documents: []*conf.Document{doc}, Job: &job.Facts{}, Version: version.MustParse(flink), VersionFrom: "test",
		Layers: []conf.Layer{{Name: "flink-conf.yaml", Dialect: doc.Dialect, Entries: doc.Entries}},
	}
	if facts != "" {
		if in.Job, err = job.Parse(source.NewFile("job.yaml", []byte(facts)), nil); err != nil {
			t.Fatal(err)
		}
		in.Deployment = budget.DeploymentOf(in.Job.Deployment.Target.V)
	}
	return in
}

// TestPlanIsClean applies what the rules propose together and runs them again: Flink takes the result and nothing with an edit is left to say.
func TestPlanIsClean(t *testing.T) {
	for _, c := range []struct{ flink, conf, facts string }{
		{"2.2", "taskmanager.memory.process.size: 700m\njobmanager.memory.process.size: 400m", ""},
		{"1.18", "taskmanager.memory.process.size: 1g\ntaskmanager.numberOfTaskSlots: 8\njobmanager.memory.process.size: 600m", ""},
		{"1.18", "taskmanager.memory.flink.size: 512m\njobmanager.memory.flink.size: 100m", ""},
		{"1.18", "jobmanager.rpc.address: jobmanager\ntaskmanager.numberOfTaskSlots: 4", ""},
		{"1.18", "taskmanager.memory.process.size: 5g\ntaskmanager.memory.flink.size: 3g\njobmanager.memory.process.size: 1600m", ""},
		{"1.18", "taskmanager.memory.flink.size: 4g\njobmanager.memory.heap.size: 2g", "taskManager: {containerMemory: 4gb}"},
		{"1.18", "taskmanager.memory.process.size: 48g\nstate.backend: rocksdb\njobmanager.memory.process.size: 1600m", "deployment: {target: kubernetes-native}"},
		{"1.18", "taskmanager.memory.process.size: 1g\nstate.backend: hashmap\njobmanager.memory.process.size: 1600m", "job: {api: datastream}"},
		{"1.18", "taskmanager.memory.process.size: 4096\njobmanager.memory.process.size: 1600", ""},
		{"1.15", "jobmanager.heap.size: 1g\ntaskmanager.memory.process.size: 4g", "deployment: {target: kubernetes-native}"},
		{"1.18", "taskmanager.memory.process.size: 4g\njobmanager.memory.process.size: 1600m\nstate.backend: rocksdb\nstate.backend.rocksdb.memory.managed: false", ""},
	} {
		in := planInput(t, c.flink, c.conf, c.facts)
		target, err := advisor.NewTarget(in)
		if err != nil {
			t.Fatal(err)
		}
		before := advisor.Run(target, all)
		plan := advisor.MakePlan(before.Findings)
		if len(plan.Edits) == 0 {
			t.Errorf("%q: nothing to apply", c.conf)
			continue
		}
		after, err := plan.Apply(in)
		if err != nil {
			t.Fatal(err)
		}
		if len(after.TaskManager.Refusals)+len(after.JobManager.Refusals) > 0 {
			t.Errorf("%q: the plan is refused: %v %v", c.conf, after.TaskManager.Refusals, after.JobManager.Refusals)
		}
		for _, f := range advisor.Run(after, all).Findings {
			t.Errorf("%q: left after %+v: %s", c.conf, plan.Edits, f.Message)
		}
	}
}

func BenchmarkRules(b *testing.B) {
	target, err := advisor.NewTarget(planInput(b, "1.13", strings.Join([]string{
		"taskmanager.memory.flink.size: 38400m", "taskmanager.numberOfTaskSlots: 8", "jobmanager.memory.process.size: 1600m", "state.backend: rocksdb",
	}, "\n"), "deployment: {target: kubernetes-native}"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		advisor.Run(target, all)
	}
}
