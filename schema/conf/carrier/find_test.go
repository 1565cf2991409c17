package carrier

import (
	"testing"
	"testing/fstest"
)

func TestFind(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	fsys := fstest.MapFS{
		"repo/conf/flink-conf.yaml":         file("my.key: 1\n"),
		"repo/conf/config.yaml":             file("taskmanager:\n  numberOfTaskSlots: 1\n"),
		"repo/other/config.yaml":            file("server:\n  port: 1\n"),
		"repo/k8s/dep.yaml":                 file(deployment),
		"repo/k8s/svc.yaml":                 file("apiVersion: v1\nkind: Service\n"),
		"repo/k8s/pod.yml":                  file("kind: Pod\nspec: {containers: [{image: flink, args: [taskmanager, -Da.b=c]}]}\n"),
		"repo/docker-compose.yml":           file("services:\n  a:\n    environment: {FLINK_PROPERTIES: 'a: b'}\n"),
		"repo/README.md":                    file("kind: FlinkDeployment\n"),
		"repo/empty/flink-conf.yaml":        file(""),
		"repo/out/flink-conf.yaml":          file("a.b: c\n"),
		"repo/logs/x/flink-conf.yaml":       file("a.b: c\n"),
		"repo/node_modules/flink-conf.yaml": file("a.b: c\n"),
		"repo/.gitignore":                   file("out/\n*.tmp.yaml\n"),
		"repo/a.tmp.yaml":                   file("flinkConfiguration:\n"),
		"repo/logs/.gitignore":              file("/x\n"),
		"repo/sql/job.sql":                  file("SET 'a.b' = 'c';\n"),
		"elsewhere/flink-conf.yaml":         file("a.b: c\n"),
	}
	find := func(o FindOptions) []string {
		found, err := Find(fsys, "repo", o)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range found {
			p := f.Path
			if f.FlatBeside {
				p += " (flink-conf.yaml beside it)"
			}
			out = append(out, p)
		}
		return out
	}
	equal(t, "everything", []string{"repo/conf/config.yaml (flink-conf.yaml beside it)", "repo/conf/flink-conf.yaml", "repo/docker-compose.yml", "repo/k8s/dep.yaml", "repo/k8s/pod.yml"}, find(FindOptions{}))
	equal(t, "excluded", []string{"repo/docker-compose.yml", "repo/k8s/pod.yml"}, find(FindOptions{Exclude: []string{"conf/**", "**/dep.*"}}))
	equal(t, "included", []string{"repo/sql/job.sql"}, find(FindOptions{Include: []string{"**/*.sql"}}))
	if got := find(FindOptions{NoIgnore: true}); len(got) != 8 {
		t.Errorf("without .gitignore: %v", got)
	}
	if _, err := Find(fsys, "repo", FindOptions{Include: []string{"[a"}}); err == nil {
		t.Error("a bad glob was accepted")
	}
	if _, err := Find(fsys, "missing", FindOptions{}); err == nil {
		t.Error("a missing directory was accepted")
	}
}
