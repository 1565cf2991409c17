package settings

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

var known = Known{
	Rules: []string{"memory/does-not-fit", "checkpoint/disabled", "option/unknown", "memory/managed-idle"},
	Thresholds: func(rule string) []advisor.Threshold {
		if rule != "memory/managed-idle" {
			return nil
		}
		return []advisor.Threshold{{Name: "least-idle", Unit: budget.Bytes}, {Name: "after", Unit: budget.Seconds}, {Name: "share", Unit: budget.Fraction}}
	},
}

func parse(text string) (*Settings, error) {
	return Parse(source.NewFile(FileName, []byte(text)), known)
}

func TestParse(t *testing.T) {
	s, err := parse(`version: 1
flink-version: 1.20.3
job: job.yaml
fail-on: warning
ignore: checkpoint
severity: {option/unknown: error}
locked: [memory/does-not-fit]
allow-keys: [acme.]
exclude: ["**/testdata/**"]
dialects: {"conf/*.yaml": flat}
suppress:
  - {rule: option/unknown, paths: [legacy/**], reason: moved next month, until: 2026-12-31}
overrides:
  - {paths: [staging/**], flink-version: "2.2", fail-on: never, ignore: [option]}
`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"acme."}, s.AllowKeys); diff != "" {
		t.Error(diff)
	}
	want := Group{
		FlinkVersion: "2.2", Job: "job.yaml", FailOn: "never", Select: []string{}, IgnoreRules: []string{"checkpoint", "option"},
		Severity: []RuleSeverity{{"option/unknown", advisor.Error}},
	}
	if diff := cmp.Diff(want, s.For("./staging/a/flink-conf.yaml")); diff != "" {
		t.Errorf("group for staging (-want +got):\n%s", diff)
	}
	if g := s.For("prod/flink-conf.yaml"); g.FlinkVersion != "1.20.3" || g.FailOn != "warning" {
		t.Errorf("group for prod: %+v", g)
	}
	if len(s.Ignore) != 1 || s.Ignore[0].Until != "2026-12-31" || s.Ignore[0].Span.Line != 12 {
		t.Errorf("suppress: %+v", s.Ignore)
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "version: 1\nfial-on: error\n", `.flinkadvise.yaml:2:1: unknown key "fial-on"; did you mean "fail-on"?`},
		{"unknown rule", "version: 1\nlocked: [memory/doesnt-fit]\n", `.flinkadvise.yaml:2:10: there is no rule or category "memory/doesnt-fit"; did you mean "memory/does-not-fit"?`},
		{"bad value", "version: 1\nfail-on: errors\n", `.flinkadvise.yaml:2:10: "errors" is not one of error, warning, advice, never; did you mean "error"?`},
		{"all at once", "version: 2\njob: [a]\n", ".flinkadvise.yaml:1:10: version \"2\" is not known; this flinkadvise reads version 1\n.flinkadvise.yaml:2:6: expected text"},
		{"no version", "fail-on: error\n", ".flinkadvise.yaml:1:1: the first line must be `version: 1`"},
		{"empty", "# nothing\n", ".flinkadvise.yaml:1:1: the file is empty; write at least `version: 1`"},
		{"reason", "version: 1\nsuppress: [{rule: option/unknown}]\n", ".flinkadvise.yaml:2:12: an entry of suppress needs a reason"},
		{"day", "version: 1\nsuppress: [{rule: option, reason: r, until: soon}]\n", `.flinkadvise.yaml:2:45: "soon" is not a day such as 2026-12-31`},
		{"threshold", "version: 1\nthresholds: {memory/managed-idle: {least-idel: 1g}}\n", `.flinkadvise.yaml:2:36: memory/managed-idle has no threshold "least-idel", only: least-idle, after, share`},
		{"threshold's unit", "version: 1\nthresholds: {memory/managed-idle: {least-idle: big}}\n", `.flinkadvise.yaml:2:48: memory size "big" does not start with a number`},
		{"twice", "version: 1\njob: a\njob: b\n", `.flinkadvise.yaml:3:1: "job" stands twice`},
	} {
		_, err := parse(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestThresholds(t *testing.T) {
	s, err := parse("version: 1\nthresholds:\n  memory/managed-idle: {least-idle: 1g, after: 2 min, share: 0.25}\n")
	if err != nil {
		t.Fatal(err)
	}
	want := advisor.Thresholds{"memory/managed-idle": {"least-idle": 1 << 30, "after": 120, "share": 0.25}}
	if diff := cmp.Diff(want, s.Thresholds); diff != "" {
		t.Error(diff)
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		glob, file string
		want       bool
	}{
		{"flink-conf.yaml", "a/b/flink-conf.yaml", true},
		{"a/**", "./a/b/c.yaml", true},
		{"a/*.yaml", "a/b/c.yaml", false},
		{"b/**", "a/b/c.yaml", false},
	} {
		if got := Match([]string{c.glob}, c.file); got != c.want {
			t.Errorf("Match(%s, %s) = %v", c.glob, c.file, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("version: 1\nfail-on: error\n")
	f.Add("version: 1\nsuppress: [{rule: a, until: b}]\noverrides: [1, {paths: x}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse(text)
		if (s == nil) == (err == nil) {
			t.Errorf("settings %v and error %v", s, err)
		}
	})
}

func TestTemplateParsesWhateverIsUncommented(t *testing.T) {
	if _, err := parse(Template); err != nil {
		t.Fatal(err)
	}
	// Uncomment the examples: lines of a comment that hold a key.
	var lines []string
	for line := range strings.Lines(Template) {
		if rest, ok := strings.CutPrefix(line, "# "); ok && (regexp.MustCompile(`^[a-z-]+:|^  - `).MatchString(rest)) {
			line = rest
		}
		lines = append(lines, line)
	}
	text := strings.Replace(strings.Join(lines, ""), "- {rule: memory/managed-idle", "- {rule: memory", 1)
	s, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Overrides) != 1 || len(s.Ignore) != 1 || len(s.AllowKeys) != 1 {
		t.Errorf("the template's examples were not read: %+v", s)
	}
	validate(t, text)
}

func TestDescribeIsASettingsFile(t *testing.T) {
	s, err := parse("version: 1\nfail-on: warning\nlocked: [memory]\nseverity: {option/unknown: error}\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(s.Describe("flink-conf.yaml")); err != nil {
		t.Error(err)
	}
}

// validate checks a settings file against our own schema.
func validate(t *testing.T, text string) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("settings.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("settings.json")
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Error(err)
	}
}
