package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/checks"
)

func (c *command) configEffective() *cobra.Command {
	f := &inputFlags{}
	var sf settingsFlags
	var output, color string
	cmd := &cobra.Command{
		Use:   "effective [flags] FILE...",
		Short: "Print the configuration that Flink will see: every option that is set or used, where it is from, what it means and what became of it",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := c.settings(sf, ".")
			if err != nil {
				return err
			}
			targets, err := c.targets(args, f, s)
			if err != nil {
				return err
			}
			results := make([]*advisor.Result, len(targets))
			for i, t := range targets {
				results[i] = advisor.Run(t, checks.All())
			}
			switch output {
			case "text":
				colour, err := c.colour(color)
				if err != nil {
					return err
				}
				return render.Effective(c.Stdout, results, colour)
			case "json":
				return render.EffectiveJSON(c.Stdout, results)
			}
			return fmt.Errorf("--output: %q is not one of text, json", output)
		},
	}
	f.register(cmd)
	sf.register(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	cmd.Flags().StringVar(&color, "color", "auto", "auto, always or never")
	return cmd
}
