package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
)

func (c *command) diff() *cobra.Command {
	f := &checkFlags{}
	var output, color string
	cmd := &cobra.Command{
		Use:   "diff [flags] OLD NEW",
		Short: "Print what a change does: options, budgets, new and fixed findings",
		Long: `diff compares two configurations: files, or files at a git revision written REVISION:PATH (HEAD~1:conf/flink-conf.yaml). Exit code 1 means that
something at or above --fail-on is new.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.parse(); err != nil {
				return err
			}
			return c.runDiff(cmd, args, f, output, color)
		},
	}
	f.inputFlags.register(cmd)
	f.settingsFlags.register(cmd)
	f.ruleFlags.register(cmd)
	cmd.Flags().StringVar(&f.failOn, "fail-on", "error", "exit 1 for new findings of this severity or above: error, warning, advice, never")
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, json or markdown")
	cmd.Flags().StringVar(&color, "color", "auto", "auto, always or never")
	f.minSeverity, f.minConfidence = "advice", "possible"
	return cmd
}

func (c *command) runDiff(cmd *cobra.Command, args []string, f *checkFlags, output, color string) error {
	colour, err := c.colour(color)
	if err != nil {
		return err
	}
	failOn, err := parseFailOn(f.failOn)
	if err != nil {
		return err
	}
	s, err := c.settings(f.settingsFlags, ".")
	if err != nil {
		return err
	}
	sides := make([]*render.Report, 2)
	for i, arg := range args {
		if sides[i], err = c.side(arg, f, s, cmd.Flags().Changed); err != nil {
			return err
		}
	}
	d := render.NewDiff(args[0], args[1], sides[0], sides[1])
	d.Failed = d.Fails(failOn)
	switch output {
	case "text":
		err = render.DiffText(c.Stdout, d, colour)
	case "json":
		err = render.DiffJSON(c.Stdout, d)
	case "markdown":
		err = render.DiffMarkdown(c.Stdout, d)
	default:
		return fmt.Errorf("--output: %q is not one of text, json, markdown", output)
	}
	if err != nil {
		return err
	}
	for _, side := range sides {
		if err := c.crashed(side, false); err != nil {
			return err
		}
	}
	if d.Failed {
		return exitError{code: ExitFindings}
	}
	return nil
}

// side reads and judges one side of a diff: a file, a folder, or REVISION:PATH.
func (c *command) side(arg string, f *checkFlags, s *settings.Settings, changed func(string) bool) (*render.Report, error) {
	inputs, err := c.sideInputs(arg, f, s)
	if err != nil {
		return nil, err
	}
	report, _, err := c.judge(inputs, f, s, changed)
	return report, err
}

func (c *command) sideInputs(arg string, f *checkFlags, s *settings.Settings) ([]input, error) {
	rev, file, isRevision := strings.Cut(arg, ":")
	if _, err := c.Files.Stat(arg); err == nil || !isRevision {
		return c.inputs([]string{arg}, &f.inputFlags, s)
	}
	data, ok, err := c.revision(rev, file)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s was not there at %s", file, rev)
	}
	list, err := c.open(opened{arg: file, name: filepath.ToSlash(file), named: true, data: data}, &f.inputFlags, s)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("nothing to compare in %s", arg)
	}
	return list, err
}
