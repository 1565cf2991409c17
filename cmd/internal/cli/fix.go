package cli

import (
	"fmt"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// fixFlags say what becomes of the findings' edits.
type fixFlags struct {
	diff, fix, unsafe bool
}

func (f *fixFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.BoolVar(&f.diff, "diff", false, "print what --fix would write (with --unsafe-fixes: what that would), and exit 1 if there is anything")
	fl.BoolVar(&f.fix, "fix", false, "make the safe edits, those that keep what a running job does, and report what is left")
	fl.BoolVar(&f.unsafe, "unsafe-fixes", false, "make all edits, also those that change what a running job does")
}

// fixed is one file with its edits made.
type fixed struct {
	file *source.File
	data []byte
	made int
}

// fixedFiles makes the plan's edits, file by file, in the order in which findings name the files.
func fixedFiles(report *render.Report, unsafe bool) []fixed {
	plan := advisor.MakePlan(report.Findings)
	edits := slices.DeleteFunc(plan.Edits, func(e advisor.Edit) bool { return !e.Span.Valid() || !e.Safe && !unsafe })
	var files []*source.File
	for _, e := range edits {
		if !slices.Contains(files, e.Span.File) {
			files = append(files, e.Span.File)
		}
	}
	out := make([]fixed, 0, len(files))
	for _, f := range files {
		data, done := advisor.ApplyEdits(f, edits)
		out = append(out, fixed{f, data, len(done)})
	}
	return out
}

// printDiff prints the files as they would be.
func (c *command) printDiff(report *render.Report, unsafe bool) error {
	files := fixedFiles(report, unsafe)
	for _, f := range files {
		if _, err := c.Stdout.Write(diff.Diff(f.file.Path, f.file.Data, f.file.Path, f.data)); err != nil {
			return fmt.Errorf("writing to standard output: %w", err)
		}
	}
	if len(files) > 0 {
		return exitError{code: ExitFindings}
	}
	return nil
}

// fix writes the files; standard input is written nowhere.
func (c *command) fix(report *render.Report, unsafe bool) error {
	for _, f := range fixedFiles(report, unsafe) {
		if f.file.Path == "-" {
			return fmt.Errorf("--fix cannot write standard input; use --diff")
		}
		if err := c.Files.WriteFile(f.file.Path, f.data); err != nil {
			return err
		}
		fmt.Fprintf(c.Stderr, "fixed %s: %d edits\n", f.file.Path, f.made)
	}
	return nil
}
