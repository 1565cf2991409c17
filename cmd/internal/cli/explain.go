package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks"
)

func (c *command) explain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain RULE",
		Short: "Print a rule's page",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			all := checks.All()
			i := slices.IndexFunc(all, func(r *advisor.Rule) bool { return r.ID == args[0] })
			if i < 0 {
				return unknownRule(args[0], all)
			}
			_, err := fmt.Fprintln(c.Stdout, strings.TrimSpace(all[i].Doc))
			return err
		},
	}
	return cmd
}
