package option_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func compile(t testing.TB, v version.Version, nested bool) *jsonschema.Schema {
	t.Helper()
	data, err := option.JSONSchema(v, nested)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json") // against the metaschema too
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t testing.TB, s *jsonschema.Schema, text string) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s.Validate(v)
}

// Compiling takes a second; lines that no other test compiles are looked through for references that lead nowhere.
func TestJSONSchemaHasNoDanglingReference(t *testing.T) {
	for _, v := range []version.Version{version.Oldest(), version.Of(1, 16), version.Of(1, 19), version.Newest()} {
		for _, nested := range []bool{false, true} {
			if nested && v.Before(1, 19) || !nested && v.AtLeast(2, 0) {
				continue
			}
			data, err := option.JSONSchema(v, nested)
			if err != nil {
				t.Fatal(err)
			}
			var doc map[string]any
			if err := json.Unmarshal(data, &doc); err != nil {
				t.Fatal(err)
			}
			defs := doc["$defs"].(map[string]any)
			unescape := strings.NewReplacer("%20", " ", "%3C", "<", "%3E", ">", "~1", "/", "~0", "~")
			walk(doc, func(ref string) {
				if name, ok := strings.CutPrefix(ref, "#/$defs/"); !ok || defs[unescape.Replace(name)] == nil {
					t.Errorf("%s: %s leads nowhere", v, ref)
				}
			})
		}
	}
}

func walk(v any, visit func(ref string)) {
	switch v := v.(type) {
	case map[string]any:
		if r, ok := v["$ref"].(string); ok {
			visit(r)
		}
		for _, x := range v {
			walk(x, visit)
		}
	case []any:
		for _, x := range v {
			walk(x, visit)
		}
	}
}

func TestJSONSchemaOfConfigYAML(t *testing.T) {
	s := compile(t, version.Of(2, 2), true)
	for _, text := range []string{
		"", "{}", "taskmanager.memory.process.size: 4g\nparallelism.default: 4",
		"taskmanager:\n  memory:\n    process.size: 4096m\n    network: {max: 1 gb}\n  numberOfTaskSlots: 4",
		"taskmanager.memory:\n  process:\n    size: 4g", "execution.checkpointing.interval: 60000", "execution: {checkpointing: {interval: 1min, unaligned.enabled: TRUE}}",
		"state.backend: rocksdb\nstate.backend.incremental: true", "state: {backend: {type: rocksdb, incremental: true}}", "high-availability: zookeeper\nhigh-availability.storageDir: s3://x",
		"metrics.reporter.prom.factory.class: x\nmetrics.reporter.prom.anything: 4", "metrics: {reporter: {prom: {interval: 10 s, port: 9249-9260}}}", "s3.access-key: x\ns3: {endpoint: y}",
		"pipeline.jars: [a, b]", "pipeline.jars: a;b", "kubernetes.jobmanager.annotations: a:b", "kubernetes: {jobmanager: {annotations: {prometheus.io/scrape: true}}}",
		"taskmanager.memory.managed.consumer-weights.PYTHON: 30", "execution.checkpointing.mode: exactly-once", "my.own: {thing: 4}", "akka.ask.timeout: 10 s",
		"taskmanager.memory.network.fraction: 0.15", "taskmanager.memory.network.fraction: '0.15'", "env.java.opts.all: -Dx=y", "rest.port: ${PORT}", "statefun.x.y: 1",
		"kubernetes.operator.metrics.reporter.x.y: 1", "table: {catalog-store: {kind: file, file: {path: /x}}}", "security.delegation.token.provider.s3.enabled: false", "execution.checkpointing.timeout: PT10M",
	} {
		if err := validate(t, s, text); err != nil {
			t.Errorf("refused:\n%s\n%v", text, err)
		}
	}
	for _, text := range []string{
		"taskmanager.memory.proces.size: 4g", "taskmanager: {memory: {proces.size: 4g}}", "taskmanager: {memory: {process: {sizes: 4g}}}", "taskmanagers: 1\ntaskmanager: 4",
		"taskmanager.memory.process.size: 4Gi", "taskmanager.memory.process.size: 1.5g", "parallelism.default: four", "parallelism.default: 1.5", "parallelism.default: 3000000000",
		"execution.checkpointing.interval: 1 fortnight", "execution.checkpointing.mode: SOMETIMES", "execution.checkpointing.unaligned.enabled: maybe", "rest.port:", "rest: {port: {x: 1}}",
		"taskmanager.numberOfTaskSlots: 4.5", "metrics: {reporter: {prom: {interval: soon}}}", "metrics.reporter.prom.interval: soon", "- a list", "state.backend.forst.remote-dir: x",
	} {
		if err := validate(t, s, text); err == nil {
			t.Errorf("passes:\n%s", text)
		}
	}
}

func TestJSONSchemaOfFlatFiles(t *testing.T) {
	s := compile(t, version.Of(1, 13), false)
	for _, text := range []string{"taskmanager.memory.process.size: 4g\nstate.backend: rocksdb", "jobmanager.heap.size: 1024m", "pipeline.jars: a;b", "metrics.reporter.x.class: y"} {
		if err := validate(t, s, text); err != nil {
			t.Errorf("refused: %s\n%v", text, err)
		}
	}
	for _, text := range []string{"taskmanager: {memory: {process: {size: 4g}}}", "execution.checkpointing.dir: x", "execution.checkpointing.timeout: 1 m", "pipeline.jars: [a]", "state.backend.type: x"} {
		if err := validate(t, s, text); err == nil {
			t.Errorf("passes: %s", text)
		}
	}
}

// Old names are marked for editors, defaults have JSON's types.
func TestJSONSchemaTellsWhatEditorsShow(t *testing.T) {
	data, err := option.JSONSchema(version.Of(2, 2), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"state.checkpoints.dir":{"deprecated":true,"description":"Old name of execution.checkpointing.dir.","type":["string","number","boolean"]}`,
		`"rest.port":{"$ref":"#/$defs/an%20int","default":8081`, `"default":true`, `"taskmanager.numberOfTaskSlots":{`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("lacks %s", want)
		}
	}
	again, err := option.JSONSchema(version.Of(2, 2), true)
	if err != nil || !bytes.Equal(data, again) {
		t.Error("not the same bytes twice")
	}
}

// TestJSONSchemaOfRealFiles validates the examples, and real files where there is a folder of them.
func TestJSONSchemaOfRealFiles(t *testing.T) {
	files, _ := filepath.Glob("../../examples/*/config.yaml")
	if corpus := os.Getenv("FLINKADVISE_CORPUS"); corpus != "" {
		more, _ := filepath.Glob(filepath.Join(corpus, "config-yaml", "*"))
		files = append(files, more...)
	}
	if len(files) == 0 {
		t.Fatal("no file")
	}
	s := compile(t, version.Of(1, 20), true)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := yaml.Unmarshal(data, &v); err != nil {
			t.Logf("%s is no YAML: %v", file, err)
			continue
		}
		if err := s.Validate(v); err != nil {
			t.Log(fmt.Sprint(filepath.Base(file), ": ", err))
			if strings.Contains(file, "examples") {
				t.Errorf("%s does not pass", file)
			}
		}
	}
}
