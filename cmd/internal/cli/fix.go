package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// fixFlags say what becomes of the findings' edits.
type fixFlags struct {
	diff, fix, unsafe bool
}

func (f *fixFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.BoolVar(&f.diff, "diff", false, "print what --fix would change (with --unsafe-fixes: what that would) with secrets hidden, and exit 1 if there is anything")
	fl.BoolVar(&f.fix, "fix", false, "make the safe edits, those that keep what a running job does, and report what is left")
	fl.BoolVar(&f.unsafe, "unsafe-fixes", false, "make all edits, also those that change what a running job does")
}

// fixed is one file with its edits made.
type fixed struct {
	file *source.File
	data []byte
	made int
	// left are findings whose edits were not made since they would have made the file worse.
	left []*advisor.Finding
}

// fixer makes edits file by file and lets the rules look at the result before it counts.
type fixer struct {
	*command
	flags    *checkFlags
	settings *settings.Settings
	changed  func(string) bool
	set      conf.Layer
	// inputs say how each file is read.
	inputs []opened
}

// maxPasses bounds how often a file is edited and looked at again: an edit may be what makes another one possible. Real files need two passes.
const maxPasses = 5

// fixedFiles makes the plan's edits, file by file, in the order in which findings name the files.
func (c *command) fixedFiles(args []string, report *render.Report, f *checkFlags, s *settings.Settings, changed func(string) bool) ([]fixed, error) {
	set, err := conf.ParseArguments("--set", f.sets...)
	if err != nil {
		return nil, err
	}
	inputs, err := c.expand(args, &f.inputFlags, s)
	if err != nil {
		return nil, err
	}
	x := fixer{c, f, s, changed, set, inputs}
	var files []*source.File
	for _, finding := range x.applicable(report.Findings) {
		for _, e := range finding.Edits {
			if !slices.Contains(files, e.Span.File) {
				files = append(files, e.Span.File)
			}
		}
	}
	return parallel(files, func(file *source.File) (fixed, error) {
		return x.fix(file, slices.DeleteFunc(slices.Clone(report.Findings), func(f *advisor.Finding) bool { return !edits(f, file) }))
	})
}

func edits(f *advisor.Finding, file *source.File) bool {
	return slices.ContainsFunc(f.Edits, func(e advisor.Edit) bool { return e.Span.File == file })
}

// applicable are the findings whose edits can all be made: each has a place, and is as safe as is asked for.
func (x *fixer) applicable(findings []*advisor.Finding) []*advisor.Finding {
	var out []*advisor.Finding
	for _, f := range findings {
		if len(f.Edits) > 0 && f.Suppressed == nil && !slices.ContainsFunc(f.Edits, func(e advisor.Edit) bool { return !e.Span.Valid() || !e.Safe && !x.flags.unsafe }) {
			out = append(out, f)
		}
	}
	return out
}

// fix makes the edits of findings in a file, as often as the result has more to make. Edits after which the file would be worse than it is are left out.
func (x *fixer) fix(file *source.File, findings []*advisor.Finding) (fixed, error) {
	out := fixed{file: file, data: file.Data}
	_, before, err := x.look(file.Path, file.Data)
	if err != nil {
		return out, err
	}
	for range maxPasses {
		kept := x.applicable(findings)
		data, done := apply(file, kept)
		if len(done) == 0 {
			break
		}
		_, after, err := x.look(file.Path, data)
		if err == nil && after.worse(before) {
			kept, err = x.harmless(file, kept, before, &out)
			if data, done = apply(file, kept); len(done) == 0 {
				break
			}
		}
		if err != nil {
			return out, err
		}
		out.data, out.made = data, out.made+len(done)
		if x.flags.baseline != "" || x.flags.since != "" {
			break // what another look finds may be old
		}
		next, _, err := x.look(file.Path, data)
		if err != nil {
			return out, err
		}
		findings = slices.DeleteFunc(next, func(f *advisor.Finding) bool {
			return slices.ContainsFunc(out.left, func(l *advisor.Finding) bool { return name(l) == name(f) })
		})
		for _, f := range x.applicable(findings) {
			file = f.Edits[0].Span.File // the same text as out.data, in which the new findings stand
		}
	}
	return out, nil
}

// harmless takes the findings one by one and keeps those after whose edits the file is not worse than before.
func (x *fixer) harmless(file *source.File, findings []*advisor.Finding, before health, out *fixed) ([]*advisor.Finding, error) {
	var kept []*advisor.Finding
	for _, f := range findings {
		trial := append(slices.Clip(kept), f)
		data, _ := apply(file, trial)
		_, after, err := x.look(file.Path, data)
		if err != nil {
			return nil, err
		}
		if after.worse(before) {
			out.left = append(out.left, f)
			continue
		}
		kept = trial
	}
	return kept, nil
}

func apply(file *source.File, findings []*advisor.Finding) ([]byte, []advisor.Edit) {
	return advisor.ApplyEdits(file, advisor.MakePlan(findings).Edits)
}

// health is what must not get worse: errors by name, what Flink refuses to derive, and what is wrong with the text.
type health struct {
	errors                      []string
	refusals, fatal, duplicates int
}

func (h health) worse(before health) bool {
	return h.refusals > before.refusals || h.fatal > before.fatal || h.duplicates > before.duplicates ||
		slices.ContainsFunc(h.errors, func(e string) bool { return !slices.Contains(before.errors, e) })
}

// name tells findings apart across edits, which move lines and change values.
func name(f *advisor.Finding) string {
	return strings.Join([]string{f.Rule.ID, f.Target, f.Primary().Key, f.Subject}, "\x00")
}

// look lets the rules look at a text in place of a file.
func (x *fixer) look(path string, data []byte) ([]*advisor.Finding, health, error) {
	var h health
	in := opened{name: path}
	if i := slices.IndexFunc(x.inputs, func(o opened) bool { return o.name == path }); i >= 0 {
		in = x.inputs[i]
	}
	in.data, in.named = data, false
	inputs, err := x.open(in, &x.flags.inputFlags, x.settings)
	if err != nil {
		return nil, h, err
	}
	for i := range inputs {
		if len(x.set.Entries) > 0 {
			inputs[i].Layers = append(inputs[i].Layers, x.set)
		}
	}
	report, runs, err := x.judge(inputs, x.flags, x.settings, x.changed)
	if err != nil {
		return nil, h, err
	}
	for _, r := range report.Results {
		h.add(r.Findings)
		h.refusals += len(r.Target.TaskManager.Refusals) + len(r.Target.JobManager.Refusals)
		for _, d := range r.Target.Documents {
			for _, fault := range d.Faults {
				if fault.Fatal {
					h.fatal++
				}
				if fault.Kind == conf.FaultDuplicateKey {
					h.duplicates++
				}
			}
		}
	}
	show := map[string]func(*advisor.Finding) bool{}
	for _, r := range runs {
		show[r.result.Target.Name] = r.show
	}
	report.Keep(func(f *advisor.Finding) bool { return show[f.Target](f) })
	return report.Findings, h, nil
}

func (h *health) add(findings []*advisor.Finding) {
	for _, f := range findings {
		if f.Severity == advisor.Error {
			h.errors = append(h.errors, name(f))
		}
		h.add(f.FollowOns)
	}
}

// printDiff prints how the files would change, with their secrets hidden: the diff is to be read; --fix is what makes the edits.
func (c *command) printDiff(report *render.Report, files []fixed) error {
	for _, f := range files {
		changes := diff.Diff(f.file.Path, f.file.Data, f.file.Path, f.data)
		if _, err := c.Stdout.Write(render.HideSecrets(report.Results, changes)); err != nil {
			return fmt.Errorf("writing to standard output: %w", err)
		}
		c.saysLeft(f)
	}
	if slices.ContainsFunc(files, func(f fixed) bool { return f.made > 0 }) {
		return exitError{code: ExitFindings}
	}
	return nil
}

// saysLeft tells on standard error which edits were not made.
func (c *command) saysLeft(f fixed) {
	for _, l := range f.left {
		fmt.Fprintf(c.Stderr, "left %s as it is: the edits of %s at line %d would make it worse\n", f.file.Path, l.Rule.ID, l.Primary().Span.Line)
	}
}

// fix writes the files; standard input is written nowhere.
func (c *command) fix(files []fixed) error {
	for _, f := range files {
		if f.file.Path == "-" {
			return fmt.Errorf("--fix cannot write standard input; use --diff")
		}
		c.saysLeft(f)
		if f.made == 0 {
			continue
		}
		if err := c.Files.WriteFile(f.file.Path, f.data); err != nil {
			return err
		}
		fmt.Fprintf(c.Stderr, "fixed %s: %d edits\n", f.file.Path, f.made)
	}
	return nil
}
