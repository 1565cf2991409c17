package advisor_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// TestEditsInEveryCarrier sets an option that is there, adds one and removes one, and reads the file again.
func TestEditsInEveryCarrier(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"deployment.yaml", `apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata: {name: a}
spec:
  flinkVersion: v1_18
  flinkConfiguration:
    taskmanager.numberOfTaskSlots: "2" # two
    rest.port: 1
    state:
      backend.type: rocksdb
  serviceAccount: flink
`, `apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata: {name: a}
spec:
  flinkVersion: v1_18
  flinkConfiguration:
    taskmanager.numberOfTaskSlots: "4" # two
    state:
      backend.type: rocksdb
    pipeline.name: "a: b"
  serviceAccount: flink
`},
		{"configmap.yaml", "apiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: a}\r\ndata:\r\n  flink-conf.yaml: |\r\n    # note\r\n    taskmanager.numberOfTaskSlots: 2\r\n    rest.port: 1\r\n  x: y\r\n",
			"apiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: a}\r\ndata:\r\n  flink-conf.yaml: |\r\n    # note\r\n    taskmanager.numberOfTaskSlots: 4\r\n    pipeline.name: a: b\r\n  x: y\r\n"},
		{"docker-compose.yml", "services:\n  jobmanager:\n    image: flink:1.17\n    command: jobmanager\n    environment:\n      - |\n        FLINK_PROPERTIES=\n        rest.port: 1\n        taskmanager.numberOfTaskSlots: 2\n    ports: []\n",
			"services:\n  jobmanager:\n    image: flink:1.17\n    command: jobmanager\n    environment:\n      - |\n        FLINK_PROPERTIES=\n        taskmanager.numberOfTaskSlots: 4\n        pipeline.name: a: b\n    ports: []\n"},
		{"spec.yaml", "apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nmetadata: {name: a}\nspec:\n  flinkConfiguration:\n    a.b: c\n    rest.port: 1\n    taskmanager.numberOfTaskSlots: 3\n  taskManager:\n    resource: {memory: '2Gi', cpu: 1}\n  job: {parallelism: 1}\n",
			"apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nmetadata: {name: a}\nspec:\n  flinkConfiguration:\n    a.b: c\n    taskmanager.numberOfTaskSlots: 4\n    pipeline.name: \"a: b\"\n  taskManager:\n    resource: {memory: '3g', cpu: 1}\n  job: {parallelism: 7}\n"},
		// Nothing can be added to these, nor a setting removed from among others.
		{"job.json", `{"kind": "FlinkDeployment", "apiVersion": "x", "spec": {"flinkConfiguration": {"taskmanager.numberOfTaskSlots": "2", "rest.port": "1"}}}`,
			`{"kind": "FlinkDeployment", "apiVersion": "x", "spec": {"flinkConfiguration": {"taskmanager.numberOfTaskSlots": "4", "rest.port": "1"}}}`},
		{"run.sh", "flink run -Drest.port=1 -Dtaskmanager.numberOfTaskSlots=\"2\" x.jar\n", "flink run -Drest.port=1 -Dtaskmanager.numberOfTaskSlots=\"4\" x.jar\n"},
		{"quoted.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  flink-conf.yaml: \"rest.port: 1\\ntaskmanager.numberOfTaskSlots: 2\\n\"\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  flink-conf.yaml: \"rest.port: 1\\ntaskmanager.numberOfTaskSlots: 4\\n\"\n"},
	} {
		file := source.NewFile(c.name, []byte(c.text))
		found, err := carrier.Open(file, conf.Options{})
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %d configurations, %v", c.name, len(found), err)
		}
		k := found[0]
		target, err := advisor.NewTarget(advisor.TargetInput{Name: c.name, Documents: k.Documents, Layers: k.Layers, Job: k.Facts, Carried: k, Version: k.Facts.Flink.V})
		if err != nil {
			t.Fatal(err)
		}
		rule := &advisor.Rule{ID: "test/edits", Severity: advisor.Advice, Impact: advisor.Hygiene, Confidence: advisor.Certain, Check: func(_ *advisor.Target, r *advisor.Report) {
			edits := []advisor.Edit{}
			if c.name == "spec.yaml" {
				edits = append(edits, advisor.Set("taskmanager.memory.process.size", "3g", true), advisor.Set("parallelism.default", "7", true))
			}
			r.Find(advisor.Finding{Message: "x", Edits: append(edits,
				advisor.Set("taskmanager.numberOfTaskSlots", "4", true), advisor.Set("pipeline.name", "a: b", true), advisor.Edit{Key: "rest.port", Remove: true, Safe: true},
			)})
		}}
		result := advisor.Run(target, []*advisor.Rule{rule})
		data, _ := advisor.ApplyEdits(file, result.Findings[0].Edits)
		if diff := cmp.Diff(c.want, string(data)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
		again, err := carrier.Open(source.NewFile(c.name, data), conf.Options{})
		if err != nil || len(again) != 1 {
			t.Errorf("%s does not read any more: %v\n%s", c.name, err, data)
			continue
		}
		e, _ := conf.Merge(target.Version, again[0].Layers...)
		if n := e.Entry("taskmanager.numberOfTaskSlots"); n == nil || n.Value != "4" {
			t.Errorf("%s: slots are %+v", c.name, n)
		}
		if strings.Contains(c.want, "a: b") && e.Entry("pipeline.name").Value != "a: b" {
			t.Errorf("%s: the new option reads as %q", c.name, e.Entry("pipeline.name").Value)
		}
	}
}
