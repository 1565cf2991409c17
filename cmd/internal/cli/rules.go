package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
)

func (c *command) rules() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List every rule",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			rules := everyRule()
			slices.SortFunc(rules, func(a, b *advisor.Rule) int { return cmp.Compare(a.ID, b.ID) })
			switch output {
			case "text":
				return render.Rules(c.Stdout, rules)
			case "json":
				return json.NewEncoder(c.Stdout).Encode(render.RulesJSON(rules))
			case "markdown":
				return render.RulesMarkdown(c.Stdout, rules)
			}
			return fmt.Errorf("--output: %q is not one of text, json, markdown", output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, json or markdown")
	return cmd
}

// ruleFlags choose rules and their severities.
type ruleFlags struct {
	selected, ignored []string
	profile           string
	severities        []string
	levels            []settings.RuleSeverity
}

func (f *ruleFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringSliceVar(&f.selected, "select", nil, "run only these rules or categories")
	fl.StringVar(&f.profile, "profile", "", "recommended (the default), or all: preview rules too")
	fl.StringSliceVar(&f.ignored, "ignore", nil, "leave out these rules or categories")
	fl.StringArrayVar(&f.severities, "severity", nil, "RULE=LEVEL: give a rule's findings another severity")
}

// parse reads --severity.
func (f *ruleFlags) parse() error {
	for _, o := range f.severities {
		id, level, ok := strings.Cut(o, "=")
		if !ok {
			return fmt.Errorf("--severity: %q is not RULE=LEVEL", o)
		}
		severity, err := advisor.ParseSeverity(level)
		if err != nil {
			return fmt.Errorf("--severity %s: %w", id, err)
		}
		if !slices.ContainsFunc(everyRule(), func(r *advisor.Rule) bool { return names(id, r) }) {
			return unknownRule(id, everyRule())
		}
		f.levels = append(f.levels, settings.RuleSeverity{Rule: id, Severity: severity})
	}
	return nil
}

// withSeverities gives copies of the rules that are named another severity, also to findings that set their own.
func withSeverities(rules []*advisor.Rule, levels []settings.RuleSeverity) []*advisor.Rule {
	out := slices.Clone(rules)
	for _, l := range levels {
		for i, r := range out {
			if names(l.Rule, r) {
				changed := *r
				changed.Force = l.Severity
				out[i] = &changed
			}
		}
	}
	return out
}

// selectRules gives the rules that --select and --ignore leave: ids or categories; an empty selection is every rule. A name that is neither is an
// error, with the nearest rule named.
func selectRules(all []*advisor.Rule, selected, ignored []string) ([]*advisor.Rule, error) {
	for _, name := range slices.Concat(selected, ignored) {
		// One settings file serves check and diagnose: a name that means nothing here may mean something there.
		if known := slices.Concat(all, everyRule()); !slices.ContainsFunc(known, func(r *advisor.Rule) bool { return names(name, r) }) {
			return nil, unknownRule(name, known)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(r *advisor.Rule) bool {
		in := len(selected) == 0 || slices.ContainsFunc(selected, func(n string) bool { return names(n, r) })
		out := slices.ContainsFunc(ignored, func(n string) bool { return names(n, r) })
		return !in || out
	}), nil
}

// ofProfile leaves preview rules to the profile "all" and to those who select them by id.
func ofProfile(rules []*advisor.Rule, profile string, selected []string) ([]*advisor.Rule, error) {
	if profile != "" && !slices.Contains(settings.Profiles, profile) {
		return nil, fmt.Errorf("--profile: %q is not one of %s", profile, strings.Join(settings.Profiles, ", "))
	}
	return slices.DeleteFunc(rules, func(r *advisor.Rule) bool {
		return r.Preview && profile != "all" && !slices.Contains(selected, r.ID)
	}), nil
}

// names tells whether name is the rule's id or its category.
func names(name string, r *advisor.Rule) bool {
	return name == r.ID || strings.HasPrefix(r.ID, name+"/")
}

func unknownRule(name string, all []*advisor.Rule) error {
	ids := make([]string, 0, len(all))
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return fmt.Errorf("there is no rule or category %q%s", name, didYouMean(name, ids))
}
