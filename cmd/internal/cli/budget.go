package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor/render"
)

func (c *command) budget() *cobra.Command {
	f := &inputFlags{}
	var sf settingsFlags
	var output, color string
	cmd := &cobra.Command{
		Use:   "budget [flags] [FILE|-]",
		Short: "Print the memory, network and checkpoint budgets, part by part, with origins",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := c.settings(sf, ".")
			if err != nil {
				return err
			}
			targets, err := c.targets(args, f, s)
			if err != nil {
				return err
			}
			switch output {
			case "text":
				colour, err := c.colour(color)
				if err != nil {
					return err
				}
				for _, t := range targets {
					if err := render.Budget(c.Stdout, t, colour); err != nil {
						return err
					}
				}
				return nil
			case "json":
				enc := json.NewEncoder(c.Stdout)
				enc.SetIndent("", "  ")
				return enc.Encode(render.BudgetsJSON(targets))
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
