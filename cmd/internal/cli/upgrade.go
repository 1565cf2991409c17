package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/advisor/upgrade"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// writeBeside is what --write means without a path: the name that Flink gives the file, in the folder of the old one.
const writeBeside = "beside"

// upgradeFlags are the flags of upgrade.
type upgradeFlags struct {
	inputFlags
	settingsFlags
	to, write, output, color, failOn string
	all                              bool
}

func (c *command) upgrade() *cobra.Command {
	f := &upgradeFlags{}
	cmd := &cobra.Command{
		Use:   "upgrade --to X.Y [flags] FILE",
		Short: "Print what another Flink version does to a configuration; --write makes the new file",
		Long: `upgrade looks at one configuration with the eyes of two Flink versions: options that are renamed, gone or refused, defaults and behaviour that change
because nothing is set, what that does to the budgets, and the known defects that come and go.

--write makes the file that the new version reads: comments and order kept, new names, options that are gone as comments, values in quotes where standard
YAML needs them. Without a path it is written beside the old file under the name that Flink looks for; --write=- prints it and nothing else.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return c.runUpgrade(args, f) },
	}
	f.inputFlags.register(cmd)
	f.settingsFlags.register(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.to, "to", "", "the Flink version to upgrade to, such as 2.2")
	fl.StringVar(&f.flinkVersion, "from", "", "the Flink version that the configuration is for; else from the job file or the manifest")
	fl.StringVar(&f.write, "write", "", "write the new file: --write beside the old one, --write=PATH, --write=- to standard output")
	fl.Lookup("write").NoOptDefVal = writeBeside
	fl.BoolVar(&f.all, "all", false, "also list changed defaults of options that the configuration does not touch")
	fl.StringVar(&f.failOn, "fail-on", "never", "exit 1 for changes of this weight or above: breaks, changes, tidy, never")
	fl.StringVarP(&f.output, "output", "o", "text", "text, json or markdown")
	fl.StringVar(&f.color, "color", "auto", "auto, always or never")
	_ = fl.MarkHidden("flink-version") // --from says it here
	return cmd
}

func (c *command) runUpgrade(args []string, f *upgradeFlags) error {
	if f.to == "" {
		return errors.New("--to: name the Flink version to upgrade to, such as --to 2.2")
	}
	to, err := version.Parse(f.to)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	colour, err := c.colour(f.color)
	if err != nil {
		return err
	}
	var failOn upgrade.Weight
	if f.failOn != "never" {
		if failOn, err = upgrade.ParseWeight(f.failOn); err != nil {
			return fmt.Errorf("--fail-on: %w, never", err)
		}
	}
	if !slices.Contains([]string{"text", "json", "markdown"}, f.output) {
		return fmt.Errorf("--output: %q is not one of text, json, markdown", f.output)
	}
	s, err := c.settings(f.settingsFlags, ".")
	if err != nil {
		return err
	}
	inputs, err := c.inputs(args, &f.inputFlags, s)
	if err != nil {
		return err
	}
	reports := make([]*upgrade.Report, len(inputs))
	failed := false
	for i, in := range inputs {
		if reports[i], err = upgrade.Analyse(in.TargetInput, to, upgrade.Options{All: f.all}); err != nil {
			return err
		}
		heaviest := reports[i].Heaviest()
		failed = failed || failOn != 0 && heaviest != 0 && heaviest <= failOn
	}
	// The new file first: where it cannot be made there is no report that says it was.
	if f.write != "" {
		if err := c.writeUpgrade(args[0], reports, f.write); err != nil || f.write == "-" {
			return err
		}
	}
	switch f.output {
	case "json":
		err = render.UpgradeJSON(c.Stdout, toolVersion(), reports, failed)
	case "markdown":
		err = render.UpgradeMarkdown(c.Stdout, reports)
	default:
		err = render.UpgradeText(c.Stdout, reports, colour)
	}
	if err != nil {
		return err
	}
	if failed {
		return exitError{code: ExitFindings}
	}
	return nil
}

// writeUpgrade writes the new file. It replaces nothing but the old file itself, unless a path was named.
func (c *command) writeUpgrade(arg string, reports []*upgrade.Report, to string) error {
	if len(reports) != 1 {
		return fmt.Errorf("--write: %s holds %d configurations; only a configuration file of its own can be written", arg, len(reports))
	}
	name, data, err := reports[0].Rewrite()
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	switch to {
	case "-":
		_, err := c.Stdout.Write(data)
		return err
	case writeBeside:
		if arg == "-" {
			return errors.New("--write: standard input has no place; use --write=PATH or --write=-")
		}
		to = arg
		if reports[0].Moves() {
			to = filepath.Join(filepath.Dir(arg), name)
			if _, err := c.Files.Stat(to); err == nil && filepath.Clean(to) != filepath.Clean(arg) {
				return fmt.Errorf("--write: %s is there already; --write=PATH names another file, or this one", filepath.ToSlash(to))
			} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if err := c.Files.WriteFile(to, data); err != nil {
		return err
	}
	fmt.Fprintf(c.Stderr, "wrote %s\n", filepath.ToSlash(to))
	return nil
}
