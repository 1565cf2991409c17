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
	"github.com/flinkadvise/flinkadvise/checks"
)

func (c *command) rules() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List every rule",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			rules := checks.All()
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

// selectRules gives the rules that --select and --ignore leave: ids or categories; an empty selection is every rule. A name that is neither is an
// error, with the nearest rule named.
func selectRules(all []*advisor.Rule, selected, ignored []string) ([]*advisor.Rule, error) {
	for _, name := range slices.Concat(selected, ignored) {
		if !slices.ContainsFunc(all, func(r *advisor.Rule) bool { return names(name, r) }) {
			return nil, unknownRule(name, all)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(r *advisor.Rule) bool {
		in := len(selected) == 0 || slices.ContainsFunc(selected, func(n string) bool { return names(n, r) })
		out := slices.ContainsFunc(ignored, func(n string) bool { return names(n, r) })
		return !in || out
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
