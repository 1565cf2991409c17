package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor/suppress"
)

// baselineFile is where the baseline goes when no path is named.
const baselineFile = ".flinkadvise-baseline.json"

func (c *command) baseline() *cobra.Command {
	f := &checkFlags{}
	var output string
	var acceptNew bool
	cmd := &cobra.Command{
		Use:   "baseline [flags] FILE...",
		Short: "Write the baseline of known findings, or shrink it to those that are left",
		Long: `baseline writes the findings of today to a file that check --baseline lets pass. They are keyed by rule, file and option, never by line. An
existing baseline only shrinks: what is gone is dropped, what is new stays out unless --accept-new says otherwise.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.parse(); err != nil {
				return err
			}
			return c.runBaseline(cmd, args, f, output, acceptNew)
		},
	}
	f.inputFlags.register(cmd)
	f.settingsFlags.register(cmd)
	f.ruleFlags.register(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", baselineFile, "the baseline's file")
	cmd.Flags().BoolVar(&acceptNew, "accept-new", false, "take new findings into an existing baseline")
	// What the gate would hide is known all the same.
	f.failOn, f.minSeverity, f.minConfidence = "never", "advice", "possible"
	return cmd
}

func (c *command) runBaseline(cmd *cobra.Command, args []string, f *checkFlags, output string, acceptNew bool) error {
	s, err := c.settings(f.settingsFlags, ".")
	if err != nil {
		return err
	}
	changed := func(name string) bool {
		return name == "fail-on" || name == "min-severity" || name == "min-confidence" || cmd.Flags().Changed(name)
	}
	report, err := c.report(args, f, s, changed)
	if err != nil {
		return err
	}
	if err := c.crashed(report, false); err != nil { // a baseline without its findings would let them go
		return err
	}
	var old *suppress.Baseline
	data, err := c.Files.ReadFile(output)
	switch {
	case err == nil:
		if old, err = suppress.ReadBaseline(output, data); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("baseline: %w", err)
	}
	base := old
	if acceptNew {
		base = nil
	}
	b := suppress.MakeBaseline(report.Findings, base)
	encoded, err := b.Encode()
	if err != nil {
		return err
	}
	if err := c.Files.WriteFile(output, encoded); err != nil {
		return err
	}
	was := ""
	if old != nil {
		was = fmt.Sprintf(", %d before", old.Total())
	}
	fmt.Fprintf(c.Stdout, "%s: %d known findings%s\n", output, b.Total(), was)
	return nil
}
