// Package settings reads .flinkadvise.yaml, a project's own settings.
//
// Precedence is flag, environment, nearest file, default. Everything wrong with a file is reported at once, each with its line and the nearest known
// name; a file with a mistake is never half used.
package settings

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"go.yaml.in/yaml/v3"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// FileName is the name that is looked for, from the input's folder upwards to the root of the repository.
const FileName = ".flinkadvise.yaml"

// Version is the version of the format.
const Version = 1

// Settings are a project's settings; the zero value is the default.
type Settings struct {
	// File is nil when there is no settings file.
	File *source.File
	Group
	// Exclude are globs of inputs that are never looked at, not even when they are named on the command line.
	Exclude []string
	// Locked are rules that nothing may suppress.
	Locked []string
	// Thresholds are what the project sets of rules' thresholds, in bytes, seconds or plain numbers.
	Thresholds advisor.Thresholds
	// AllowKeys are prefixes of keys that are the project's own and never called unknown.
	AllowKeys []string
	// Ignore are suppressions with a reason.
	Ignore []Ignore
	// Dialects force a dialect for inputs that match a glob; the first match counts.
	Dialects []Dialect
	// Overrides change the group's settings for inputs that match; later ones win.
	Overrides []Override
}

// Group is what can be set for all inputs and again for some paths.
type Group struct {
	FlinkVersion string
	// Job is the path of a job file, relative to the settings file.
	Job string
	// Profile is recommended or all; all runs preview rules too.
	Profile       string
	FailOn        string
	MinSeverity   string
	MinConfidence string
	// Select are the rules or categories to run; empty is all. IgnoreRules are left out.
	Select, IgnoreRules []string
	// Severity gives rules or categories another severity.
	Severity []RuleSeverity
}

// Profiles are the legal values of profile.
var Profiles = []string{"recommended", "all"}

// RuleSeverity is one entry of severity.
type RuleSeverity struct {
	Rule     string
	Severity advisor.Severity
}

// Ignore suppresses a rule where the settings say.
type Ignore struct {
	Rule   string
	Paths  []string
	Keys   []string
	Reason string
	// Until is the last day, "" for ever.
	Until string
	Span  source.Span
}

// Dialect forces a dialect.
type Dialect struct{ Glob, Dialect string }

// Override is a group for some paths.
type Override struct {
	Paths []string
	Group
}

// A Problem is one thing wrong with a settings file.
type Problem struct {
	Span    source.Span
	Message string
}

// Problems is the error of Parse.
type Problems []Problem

// Error prints one problem a line: "path:line:column: message".
func (p Problems) Error() string {
	lines := make([]string, 0, len(p))
	for _, x := range p {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", x.Span.Path(), x.Span.Line, x.Span.Column, x.Message))
	}
	return strings.Join(lines, "\n")
}

// Known names what settings may refer to.
type Known struct {
	// Rules are the ids of all rules.
	Rules []string
	// Thresholds are those that a rule has.
	Thresholds func(rule string) []advisor.Threshold
}

func (k Known) rule(name string) bool {
	return slices.ContainsFunc(k.Rules, func(id string) bool { return id == name || strings.HasPrefix(id, name+"/") })
}

type parser struct {
	file     *source.File
	known    Known
	problems Problems
}

// Parse reads a settings file. The error is a Problems.
func Parse(file *source.File, known Known) (*Settings, error) {
	p := &parser{file: file, known: known}
	s := &Settings{File: file}
	var doc yaml.Node
	if err := yaml.Unmarshal(file.Data, &doc); err != nil {
		return nil, Problems{{file.Span(0, 0), strings.TrimPrefix(err.Error(), "yaml: ")}}
	}
	if len(doc.Content) == 0 {
		return nil, Problems{{file.Span(0, 0), "the file is empty; write at least `version: 1`"}}
	}
	versioned := false
	fields := groupFields(&s.Group)
	fields["version"] = func(p *parser, n *yaml.Node) {
		versioned = true
		if n.Value != fmt.Sprint(Version) {
			p.add(n, "version %q is not known; this flinkadvise reads version %d", n.Value, Version)
		}
	}
	fields["thresholds"] = func(p *parser, n *yaml.Node) { s.Thresholds = p.thresholds(n) }
	fields["exclude"] = globs(&s.Exclude)
	fields["locked"] = rules(&s.Locked)
	fields["allow-keys"] = texts(&s.AllowKeys)
	fields["suppress"] = each(func(p *parser, n *yaml.Node) { s.Ignore = append(s.Ignore, p.ignore(n)) })
	fields["dialects"] = func(p *parser, n *yaml.Node) {
		p.pairs(n, func(k, v *yaml.Node) {
			p.glob(k)
			p.oneOf(v, "flat", "yaml")
			s.Dialects = append(s.Dialects, Dialect{k.Value, v.Value})
		})
	}
	fields["overrides"] = each(func(p *parser, n *yaml.Node) {
		var o Override
		f := groupFields(&o.Group)
		f["paths"] = globs(&o.Paths)
		p.mapping(n, f)
		if len(o.Paths) == 0 {
			p.add(n, "an override needs paths")
		}
		s.Overrides = append(s.Overrides, o)
	})
	p.mapping(doc.Content[0], fields)
	if !versioned && len(p.problems) == 0 {
		p.add(doc.Content[0], "the first line must be `version: %d`", Version)
	}
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b Problem) int { return a.Span.Compare(b.Span) })
		return nil, p.problems
	}
	return s, nil
}

// field reads the value of one key.
type field func(p *parser, n *yaml.Node)

func groupFields(g *Group) map[string]field {
	return map[string]field{
		"flink-version": func(p *parser, n *yaml.Node) {
			g.FlinkVersion = p.text(n)
			if _, err := version.Parse(g.FlinkVersion); err != nil {
				p.add(n, "%v", err)
			}
		},
		"job": func(p *parser, n *yaml.Node) { g.Job = p.text(n) },
		"fail-on": func(p *parser, n *yaml.Node) {
			g.FailOn = p.text(n)
			p.oneOf(n, "error", "warning", "advice", "never")
		},
		"profile": func(p *parser, n *yaml.Node) {
			g.Profile = p.text(n)
			p.oneOf(n, Profiles...)
		},
		"min-severity": func(p *parser, n *yaml.Node) {
			g.MinSeverity = p.text(n)
			p.oneOf(n, "error", "warning", "advice")
		},
		"min-confidence": func(p *parser, n *yaml.Node) {
			g.MinConfidence = p.text(n)
			p.oneOf(n, "certain", "likely", "possible")
		},
		"select": rules(&g.Select),
		"ignore": rules(&g.IgnoreRules),
		"severity": func(p *parser, n *yaml.Node) {
			p.pairs(n, func(k, v *yaml.Node) {
				p.rule(k)
				severity, err := advisor.ParseSeverity(v.Value)
				if err != nil {
					p.add(v, "%v", err)
					return
				}
				g.Severity = append(g.Severity, RuleSeverity{k.Value, severity})
			})
		},
	}
}

func (p *parser) ignore(n *yaml.Node) Ignore {
	i := Ignore{Span: p.span(n)}
	p.mapping(n, map[string]field{
		"rule":   func(p *parser, n *yaml.Node) { i.Rule = p.text(n); p.rule(n) },
		"paths":  globs(&i.Paths),
		"keys":   texts(&i.Keys),
		"reason": func(p *parser, n *yaml.Node) { i.Reason = strings.TrimSpace(p.text(n)) },
		"until": func(p *parser, n *yaml.Node) {
			i.Until = p.text(n)
			if _, err := time.Parse(time.DateOnly, i.Until); err != nil {
				p.add(n, "%q is not a day such as 2026-12-31", i.Until)
			}
		},
	})
	if i.Rule == "" {
		p.add(n, "an entry of suppress needs a rule")
	}
	if i.Reason == "" {
		p.add(n, "an entry of suppress needs a reason")
	}
	return i
}

// thresholds reads rule -> name -> value; a value is written as its unit asks: a memory size, a duration or a number.
func (p *parser) thresholds(n *yaml.Node) advisor.Thresholds {
	out := advisor.Thresholds{}
	p.pairs(n, func(rule, names *yaml.Node) {
		if !slices.Contains(p.known.Rules, rule.Value) {
			p.add(rule, "there is no rule %q%s", rule.Value, nearest(rule.Value, p.known.Rules))
			return
		}
		known := p.known.Thresholds(rule.Value)
		p.pairs(names, func(name, value *yaml.Node) {
			i := slices.IndexFunc(known, func(t advisor.Threshold) bool { return t.Name == name.Value })
			if i < 0 {
				all := make([]string, len(known))
				for i, t := range known {
					all[i] = t.Name
				}
				p.add(name, "%s has no threshold %q, only: %s", rule.Value, name.Value, strings.Join(all, ", "))
				return
			}
			v, err := thresholdValue(p.text(value), known[i].Unit)
			if err != nil {
				p.add(value, "%v", err)
				return
			}
			if out[rule.Value] == nil {
				out[rule.Value] = map[string]float64{}
			}
			out[rule.Value][name.Value] = v
		})
	})
	return out
}

func thresholdValue(text string, unit budget.Unit) (float64, error) {
	switch unit {
	case budget.Bytes:
		b, err := quantity.ParseBytes(text)
		return float64(b), err
	case budget.Seconds:
		d, err := quantity.ParseDuration(text, version.Newest())
		return d.Seconds(), err
	}
	v, err := quantity.ParseDouble(text)
	if err == nil && !(v >= 0) {
		err = fmt.Errorf("%q is below zero", text)
	}
	return v, err
}

func (p *parser) span(n *yaml.Node) source.Span {
	start := p.file.Offset(n.Line, n.Column)
	return p.file.Span(start, start+len(n.Value))
}

func (p *parser) add(n *yaml.Node, format string, args ...any) {
	p.problems = append(p.problems, Problem{p.span(n), fmt.Sprintf(format, args...)})
}

// pairs walks a mapping and refuses duplicate keys.
func (p *parser) pairs(n *yaml.Node, each func(k, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.add(n, "expected a mapping of keys to values")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if seen[k.Value] {
			p.add(k, "%q stands twice", k.Value)
			continue
		}
		seen[k.Value] = true
		each(k, n.Content[i+1])
	}
}

func (p *parser) mapping(n *yaml.Node, fields map[string]field) {
	p.pairs(n, func(k, v *yaml.Node) {
		f, ok := fields[k.Value]
		if !ok {
			names := make([]string, 0, len(fields))
			for name := range fields {
				names = append(names, name)
			}
			slices.Sort(names)
			p.add(k, "unknown key %q%s", k.Value, nearest(k.Value, names))
			return
		}
		f(p, v)
	})
}

func (p *parser) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		p.add(n, "expected text")
		return ""
	}
	return n.Value
}

func (p *parser) oneOf(n *yaml.Node, values ...string) {
	if !slices.Contains(values, n.Value) {
		p.add(n, "%q is not one of %s%s", n.Value, strings.Join(values, ", "), nearest(n.Value, values))
	}
}

func (p *parser) rule(n *yaml.Node) {
	if !p.known.rule(n.Value) {
		p.add(n, "there is no rule or category %q%s", n.Value, nearest(n.Value, p.known.Rules))
	}
}

func (p *parser) glob(n *yaml.Node) {
	if !doublestar.ValidatePattern(n.Value) {
		p.add(n, "%q is not a glob", n.Value)
	}
}

// each reads a list, one item after the other; a single value counts as a list of one.
func each(item field) field {
	return func(p *parser, n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			item(p, n)
			return
		}
		for _, c := range n.Content {
			item(p, c)
		}
	}
}

func texts(to *[]string) field {
	return each(func(p *parser, n *yaml.Node) { *to = append(*to, p.text(n)) })
}

func globs(to *[]string) field {
	return each(func(p *parser, n *yaml.Node) { *to = append(*to, p.text(n)); p.glob(n) })
}

func rules(to *[]string) field {
	return each(func(p *parser, n *yaml.Node) { *to = append(*to, p.text(n)); p.rule(n) })
}

// nearest is "; did you mean …?" for a name that differs in at most a third of its letters.
func nearest(name string, names []string) string {
	best, distance := "", len(name)/3+1
	for _, n := range names {
		if d := levenshtein.ComputeDistance(name, n); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// Match tells whether the input at file (relative to the working folder, forward slashes) matches one of the globs. A glob without slash matches
// names in any folder.
func Match(globs []string, file string) bool {
	file = strings.TrimPrefix(path.Clean(file), "./")
	return slices.ContainsFunc(globs, func(g string) bool {
		if !strings.Contains(g, "/") {
			g = "**/" + g
		}
		return doublestar.MatchUnvalidated(g, file)
	})
}

// For is the group that counts for the input at file: the general one with every matching override laid over it.
func (s *Settings) For(file string) Group {
	k := koanf.New("\x00")
	groups := []Group{s.Group}
	for _, o := range s.Overrides {
		if Match(o.Paths, file) {
			groups = append(groups, o.Group)
		}
	}
	for _, g := range groups {
		// confmap cannot fail: it only copies the map.
		_ = k.Load(confmap.Provider(g.set(), ""), nil)
	}
	out := Group{
		FlinkVersion: k.String("flink-version"), Job: k.String("job"), Profile: k.String("profile"), FailOn: k.String("fail-on"), MinSeverity: k.String("min-severity"),
		MinConfidence: k.String("min-confidence"), Select: k.Strings("select"),
	}
	for _, g := range groups { // what adds up rather than replaces
		out.IgnoreRules = append(out.IgnoreRules, g.IgnoreRules...)
		out.Severity = append(out.Severity, g.Severity...)
	}
	return out
}

// set is the part of a group that is set, by name.
func (g Group) set() map[string]any {
	out := map[string]any{}
	for name, value := range map[string]string{
		"flink-version": g.FlinkVersion, "job": g.Job, "profile": g.Profile, "fail-on": g.FailOn, "min-severity": g.MinSeverity, "min-confidence": g.MinConfidence,
	} {
		if value != "" {
			out[name] = value
		}
	}
	if len(g.Select) > 0 {
		out["select"] = g.Select
	}
	return out
}
