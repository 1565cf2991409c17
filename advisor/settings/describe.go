package settings

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Template is a settings file with every key commented.
//
//go:embed template.yaml
var Template string

// Describe prints the settings that count for a file, in the form of a settings file.
func (s *Settings) Describe(file string) string {
	var b strings.Builder
	from := "defaults: there is no " + FileName
	if s.File != nil {
		from = s.File.Path
	}
	g := s.For(file)
	fmt.Fprintf(&b, "# %s, as it counts for %s\nversion: %d\n", from, file, Version)
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, value)
		}
	}
	list := func(key string, values []string) {
		if len(values) > 0 {
			quoted := make([]string, len(values))
			for i, v := range values {
				data, _ := json.Marshal(v) // a JSON string is a YAML one, and strings always encode
				quoted[i] = string(data)
			}
			fmt.Fprintf(&b, "%s: [%s]\n", key, strings.Join(quoted, ", "))
		}
	}
	line("flink-version", g.FlinkVersion)
	line("job", g.Job)
	line("profile", g.Profile)
	line("fail-on", g.FailOn)
	line("min-severity", g.MinSeverity)
	line("min-confidence", g.MinConfidence)
	list("select", g.Select)
	list("ignore", g.IgnoreRules)
	if len(g.Severity) > 0 {
		b.WriteString("severity:\n")
		for _, x := range g.Severity {
			fmt.Fprintf(&b, "  %s: %s\n", x.Rule, x.Severity)
		}
	}
	if len(s.Thresholds) > 0 {
		b.WriteString("thresholds:\n")
		for _, rule := range slices.Sorted(maps.Keys(s.Thresholds)) {
			fmt.Fprintf(&b, "  %s:\n", rule)
			for _, name := range slices.Sorted(maps.Keys(s.Thresholds[rule])) {
				fmt.Fprintf(&b, "    %s: %s\n", name, strconv.FormatFloat(s.Thresholds[rule][name], 'f', -1, 64))
			}
		}
	}
	list("locked", s.Locked)
	list("allow-keys", s.AllowKeys)
	list("exclude", s.Exclude)
	fmt.Fprintf(&b, "# %d suppressions, %d overrides\n", len(s.Ignore), len(s.Overrides))
	return b.String()
}

// Schema is the JSON Schema of the settings file.
func Schema() []byte {
	texts := map[string]any{"oneOf": []any{map[string]any{"type": "string"}, map[string]any{"type": "array", "items": map[string]any{"type": "string"}}}}
	severity := map[string]any{"enum": []string{"error", "warning", "advice"}}
	group := func() map[string]any {
		return map[string]any{
			"flink-version":  map[string]any{"type": []string{"string", "number"}, "description": "the Flink version, such as 1.20.3"},
			"job":            map[string]any{"type": "string", "description": "a job file, relative to the settings file"},
			"profile":        map[string]any{"enum": Profiles},
			"fail-on":        map[string]any{"enum": []string{"error", "warning", "advice", "never"}},
			"min-severity":   severity,
			"min-confidence": map[string]any{"enum": []string{"certain", "likely", "possible"}},
			"select":         texts, "ignore": texts,
			"severity": map[string]any{"type": "object", "additionalProperties": severity},
		}
	}
	override := group()
	override["paths"] = texts
	root := group()
	root["version"] = map[string]any{"const": Version}
	root["exclude"], root["locked"], root["allow-keys"] = texts, texts, texts
	root["thresholds"] = map[string]any{"type": "object", "additionalProperties": map[string]any{
		"type": "object", "additionalProperties": map[string]any{"type": []string{"string", "number"}},
	}}
	root["dialects"] = map[string]any{"type": "object", "additionalProperties": map[string]any{"enum": []string{"flat", "yaml"}}}
	root["suppress"] = map[string]any{"type": "array", "items": map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{"rule", "reason"},
		"properties": map[string]any{
			"rule": map[string]any{"type": "string"}, "paths": texts, "keys": texts, "reason": map[string]any{"type": "string", "minLength": 1},
			"until": map[string]any{"type": "string", "format": "date"},
		},
	}}
	root["overrides"] = map[string]any{"type": "array", "items": map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{"paths"}, "properties": override,
	}}
	out, _ := json.MarshalIndent(map[string]any{ // maps and strings always encode
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": FileName, "type": "object", "additionalProperties": false,
		"required": []string{"version"}, "properties": root,
	}, "", "  ")
	return append(out, '\n')
}
