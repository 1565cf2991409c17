package render_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func TestEffective(t *testing.T) {
	const lines = `taskmanager.memory.process.size: 4g
taskmanager.memory.network.max: 128m
state.backend: rocksdb
execution.checkpointing.timeout: 30 min
execution.checkpointing.interval: {{ interval }}
parallelism.default: four
s3.secret-key: hunter2hunter2
parallelism.default: many
not.a.key: x
`
	doc, err := conf.ParseFlat(source.NewFile("flink-conf.yaml", []byte(lines)).Whole())
	if err != nil {
		t.Fatal(err)
	}
	set, err := conf.ParseArguments("--set", "taskmanager.memory.process.size=2g")
	if err != nil {
		t.Fatal(err)
	}
	target, err := advisor.NewTarget(advisor.TargetInput{
		Name: "flink-conf.yaml", Documents: []*conf.Document{doc}, Layers: []conf.Layer{doc.Layer(), set}, Version: version.MustParse("1.18.1"), VersionFrom: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	rule := &advisor.Rule{ID: "test/reads", Reads: []string{"heartbeat.timeout", "state.backend.type"}, Check: func(*advisor.Target, *advisor.Report) {}}
	results := []*advisor.Result{advisor.Run(target, []*advisor.Rule{rule})}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"effective.txt":  func(b *bytes.Buffer) error { return render.Effective(b, results, false) },
		"effective.json": func(b *bytes.Buffer) error { return render.EffectiveJSON(b, results) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s (-want +got), go test -update rewrites it:\n%s", name, diff)
		}
		if bytes.Contains(b.Bytes(), []byte("hunter2")) {
			t.Errorf("%s shows a secret", name)
		}
	}
}
