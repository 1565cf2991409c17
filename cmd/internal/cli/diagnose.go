package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/diagnose"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/checks"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

// everyRule is every rule there is: those about configurations, then those about logs.
func everyRule() []*advisor.Rule {
	return slices.Concat(checks.All(), (&diagnose.Diagnosis{}).Rules())
}

func (c *command) diagnose() *cobra.Command {
	f := &checkFlags{}
	var configuration string
	cmd := &cobra.Command{
		Use:   "diagnose [flags] LOG...",
		Short: "Tell from logs what went wrong, and what to do",
		Long: `diagnose reads logs of TaskManagers, JobManagers and clients: lines of log4j or logback, or JSON, gzip or not, - for standard input. It takes the
Flink version, settings, memory and the course of events out of them, recognises known failures and known defects of Flink, tells causes from
consequences, and asks the same rules as check about all of it. Logs of one cluster belong into one call.

Exit codes: 0 nothing at or above --fail-on; 1 something at or above it; 2 could not do the job; 3 a bug in flinkadvise.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.ruleFlags.parse(); err != nil {
				return err
			}
			return c.runDiagnose(cmd, args, configuration, f)
		},
	}
	f.inputFlags.register(cmd)
	f.settingsFlags.register(cmd)
	f.ruleFlags.register(cmd)
	fl := cmd.Flags()
	fl.StringVar(&configuration, "conf", "", "the configuration of the cluster: a file or manifest that counts before what the logs print")
	fl.StringVar(&f.failOn, "fail-on", "error", "exit 1 for findings of this severity or above: error, warning, advice, never")
	fl.StringVar(&f.minSeverity, "min-severity", "advice", "show findings of this severity or above")
	fl.StringVar(&f.minConfidence, "min-confidence", "possible", "show findings of this confidence or surer: certain, likely, possible")
	fl.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 in spite of findings")
	fl.StringArrayVarP(&f.outputs, "output", "o", []string{"text"}, "FORMAT[=PATH], repeatable: "+strings.Join(formatNames(diagnosisFormats(nil)), ", "))
	fl.IntVar(&f.top, "top", 0, "show only the first N findings")
	fl.StringVar(&f.color, "color", "auto", "auto, always or never")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print the summary only")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "also print what was read, on standard error")
	return cmd
}

// diagnosisFormats are the output formats of diagnose; d is filled in before one of them writes.
func diagnosisFormats(d *diagnose.Diagnosis) []format {
	return []format{
		{"text", func(w io.Writer, r *render.Report, colour bool) error { return render.DiagnosisText(w, r, d, colour) }},
		{"json", func(w io.Writer, r *render.Report, _ bool) error { return render.DiagnosisJSON(w, r, d) }},
		{"markdown", func(w io.Writer, r *render.Report, _ bool) error { return render.DiagnosisMarkdown(w, r, d) }},
	}
}

func (c *command) runDiagnose(cmd *cobra.Command, args []string, configuration string, f *checkFlags) error {
	d := &diagnose.Diagnosis{}
	outputs, err := parseOutputs(f.outputs, diagnosisFormats(d))
	if err != nil {
		return err
	}
	colour, err := c.colour(f.color)
	if err != nil {
		return err
	}
	s, err := c.settings(f.settingsFlags, ".")
	if err != nil {
		return err
	}
	group := s.For(c.relativeTo(s, c.name(args[0], &f.inputFlags)))
	given, err := c.given(configuration, &f.inputFlags, s, group)
	if err != nil {
		return err
	}
	evidence, err := c.readLogs(args, &f.inputFlags)
	if err != nil {
		return err
	}
	made, err := diagnose.New(evidence, given)
	if err != nil {
		return err
	}
	*d = *made
	g := f.over(group, cmd.Flags().Changed)
	rules, err := selectRules(append(c.checks(), d.Rules()...), g.Select, g.IgnoreRules)
	if err != nil {
		return err
	}
	failOn, err := parseFailOn(g.FailOn)
	if err != nil {
		return err
	}
	show, err := filter(g.MinSeverity, g.MinConfidence)
	if err != nil {
		return err
	}
	rules = withSeverities(rules, g.Severity)
	d.Run(rules, c.suppressors(s, rules, true)...)
	report := render.NewReport(toolVersion(), []*advisor.Result{d.Result})
	report.FailOn = failOn
	report.Failed = slices.ContainsFunc(report.Findings, func(x *advisor.Finding) bool { return fails(x, failOn) })
	report.Keep(show)
	report.Top(f.top)
	report.Quiet = f.quiet
	if f.verbose {
		for _, l := range d.Logs {
			fmt.Fprintf(c.Stderr, "%s: %d lines, %d bytes\n", l.Name, l.Lines, l.Bytes)
		}
	}
	if err := c.write(report, outputs, colour); err != nil {
		return err
	}
	if err := c.crashed(report, f.verbose); err != nil {
		return err
	}
	if report.Failed && !f.exitZero {
		return exitError{code: ExitFindings}
	}
	return nil
}

// given is what is known beside the logs: a configuration, job facts, a version, --set.
func (c *command) given(configuration string, f *inputFlags, s *settings.Settings, g settings.Group) (advisor.TargetInput, error) {
	var in advisor.TargetInput
	if configuration != "" {
		inputs, err := c.open(opened{arg: configuration, name: c.name(configuration, f), named: true}, f, s)
		if err != nil {
			return in, err
		}
		if len(inputs) != 1 {
			return in, fmt.Errorf("--conf: %s holds %d configurations; one is needed", configuration, len(inputs))
		}
		in = inputs[0].TargetInput
	} else {
		facts, err := c.facts(f.jobFile, s, g)
		if err != nil {
			return in, err
		}
		in.Job = facts
		if in.Version, in.VersionFrom, err = resolveVersion(f, s, g, facts); err != nil {
			return in, err
		}
	}
	set, err := conf.ParseArguments("--set", f.sets...)
	if err != nil {
		return in, err
	}
	if len(set.Entries) > 0 {
		in.Layers = append(in.Layers, set)
	}
	return in, nil
}

// readLogs reads the logs one after the other; folders are searched for files that look like logs.
func (c *command) readLogs(args []string, f *inputFlags) (*diagnose.Evidence, error) {
	e := diagnose.NewEvidence()
	for _, arg := range args {
		if arg == "-" {
			if err := e.Read(c.name(arg, f), c.Stdin); err != nil {
				return nil, err
			}
			continue
		}
		info, err := c.Files.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			if err := c.readLog(e, c.Files.Sub(filepath.Dir(arg)), filepath.Base(arg), filepath.ToSlash(arg)); err != nil {
				return nil, err
			}
			continue
		}
		files, err := logsBelow(c.Files.Sub(arg))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			name := filepath.ToSlash(filepath.Join(arg, filepath.FromSlash(file)))
			if err := c.readLog(e, c.Files.Sub(arg), file, name); err != nil && !errors.Is(err, diagnose.ErrEmpty) {
				return nil, err
			}
		}
	}
	if len(e.Logs) == 0 {
		return nil, fmt.Errorf("no log is in %s: files named *.log, *.log.*, *.out or *.gz are looked for", strings.Join(args, ", "))
	}
	e.Close()
	return e, nil
}

func (c *command) readLog(e *diagnose.Evidence, files fs.FS, file, name string) (err error) {
	r, err := files.Open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return e.Read(name, r)
}

// logsBelow finds the files below a folder that are named like logs, in order.
func logsBelow(files fs.FS) ([]string, error) {
	var out []string
	err := fs.WalkDir(files, ".", func(p string, x fs.DirEntry, err error) error {
		base := path.Base(p)
		if err == nil && x.Type().IsRegular() && (strings.HasSuffix(base, ".log") || strings.Contains(base, ".log.") || strings.HasSuffix(base, ".out") || strings.HasSuffix(base, ".gz")) {
			out = append(out, p)
		}
		return err
	})
	return out, err
}
