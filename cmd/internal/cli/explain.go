package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func (c *command) explain() *cobra.Command {
	var flinkVersion string
	cmd := &cobra.Command{
		Use:   "explain RULE | KEY",
		Short: "Print a rule's page, or what is known of a Flink option",
		Args:  cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleIDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var v version.Version
			if flinkVersion != "" {
				var err error
				if v, err = version.Parse(flinkVersion); err != nil {
					return fmt.Errorf("--flink-version: %w", err)
				}
			}
			return c.runExplain(args[0], v)
		},
	}
	cmd.Flags().StringVar(&flinkVersion, "flink-version", "", "the Flink version that a key is explained for; else the newest")
	return cmd
}

func (c *command) runExplain(name string, v version.Version) error {
	all := everyRule()
	if i := slices.IndexFunc(all, func(r *advisor.Rule) bool { return r.ID == name }); i >= 0 {
		_, err := fmt.Fprintln(c.Stdout, strings.TrimSpace(all[i].Doc))
		return err
	}
	if strings.Contains(name, "/") {
		return unknownRule(name, all)
	}
	if _, ok := option.History(name); !ok {
		_, known := option.Lookup(name, v)
		if _, gone := option.Departed(name, v); !known && !gone {
			hint := ""
			if near := option.Nearest(name, v, 1); len(near) > 0 {
				hint = fmt.Sprintf("; did you mean %s?", near[0].Key)
			}
			return fmt.Errorf("no version of Flink has an option %s%s", name, hint)
		}
	}
	return render.Option(c.Stdout, name, v, all)
}
