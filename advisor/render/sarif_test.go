package render_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flinkadvise/flinkadvise/advisor/render"
)

// TestSARIFAgainstTheOfficialSchema validates our SARIF with the schema of OASIS, which is not ours to commit: .ci/run fetches it and names it in
// FLINKADVISE_SARIF_SCHEMA.
func TestSARIFAgainstTheOfficialSchema(t *testing.T) {
	file := os.Getenv("FLINKADVISE_SARIF_SCHEMA")
	if file == "" {
		t.Skip("FLINKADVISE_SARIF_SCHEMA names no schema; .ci/run does")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	clean := report(t)
	clean.Findings = nil
	for name, r := range map[string]*render.Report{"findings": report(t), "clean": clean} {
		var buf bytes.Buffer
		if err := render.SARIF(&buf, r); err != nil {
			t.Fatal(err)
		}
		instance, err := jsonschema.UnmarshalJSON(&buf)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
