package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/checks"
)

// checkFlags are the flags of check.
type checkFlags struct {
	inputFlags
	selected, ignored []string
	severities        []string
	failOn            string
	minSeverity       string
	minConfidence     string
	exitZero          bool
	outputs           []string
	sort              string
	top               int
	color             string
	quiet, verbose    bool
}

func (c *command) check() *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check [flags] [FILE|DIR|-]...",
		Short: "Check configurations and print ranked findings",
		Long: `check reads each configuration, computes the budgets Flink will compute, and prints findings, ranked.

Exit codes: 0 nothing at or above --fail-on; 1 something at or above it; 2 could not do the job; 3 a bug in flinkadvise.`,
		RunE: func(_ *cobra.Command, args []string) error { return c.runCheck(args, f) },
	}
	f.inputFlags.register(cmd)
	fl := cmd.Flags()
	fl.StringSliceVar(&f.selected, "select", nil, "run only these rules or categories")
	fl.StringSliceVar(&f.ignored, "ignore", nil, "leave out these rules or categories")
	fl.StringArrayVar(&f.severities, "severity", nil, "RULE=LEVEL: give a rule's findings another severity")
	fl.StringVar(&f.failOn, "fail-on", "error", "exit 1 for findings of this severity or above: error, warning, advice, never")
	fl.StringVar(&f.minSeverity, "min-severity", "advice", "show findings of this severity or above")
	fl.StringVar(&f.minConfidence, "min-confidence", "possible", "show findings of this confidence or surer: certain, likely, possible")
	fl.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 in spite of findings")
	fl.StringArrayVarP(&f.outputs, "output", "o", []string{"text"}, "FORMAT[=PATH], repeatable: "+strings.Join(formatNames(), ", "))
	fl.StringVar(&f.sort, "sort", "rank", "rank or position")
	fl.IntVar(&f.top, "top", 0, "show only the first N findings")
	fl.StringVar(&f.color, "color", "auto", "auto, always or never")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print the summary only")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "also print what was read and assumed, on standard error")
	return cmd
}

func (c *command) runCheck(args []string, f *checkFlags) error {
	rules, err := selectRules(checks.All(), f.selected, f.ignored)
	if err != nil {
		return err
	}
	if rules, err = withSeverities(rules, f.severities); err != nil {
		return err
	}
	outputs, err := parseOutputs(f.outputs)
	if err != nil {
		return err
	}
	show, err := f.filter()
	if err != nil {
		return err
	}
	targets, err := c.targets(args, &f.inputFlags)
	if err != nil {
		return err
	}
	report := render.NewReport(toolVersion(), runAll(targets, rules))
	report.Verbose = f.verbose
	if report.FailOn, err = parseFailOn(f.failOn); err != nil {
		return err
	}
	report.Failed = report.FailOn != 0 && slices.ContainsFunc(report.Findings, func(x *advisor.Finding) bool { return fails(x, report.FailOn) })
	report.Keep(show)
	switch f.sort {
	case "rank":
	case "position":
		slices.SortStableFunc(report.Findings, func(a, b *advisor.Finding) int {
			return a.Primary().Span.Compare(b.Primary().Span)
		})
	default:
		return fmt.Errorf("--sort: %q is not one of rank, position", f.sort)
	}
	report.Top(f.top)
	report.Quiet = f.quiet
	if f.verbose {
		c.describe(targets)
	}
	colour, err := c.colour(f.color)
	if err != nil {
		return err
	}
	if err := c.write(report, outputs, colour); err != nil {
		return err
	}
	switch {
	case slices.ContainsFunc(report.Results, func(r *advisor.Result) bool { return len(r.Panics) > 0 }):
		return exitError{code: ExitBug}
	case report.Failed && !f.exitZero:
		return exitError{code: ExitFindings}
	}
	return nil
}

// fails tells whether a finding, or one folded under it, is at or above the severity.
func fails(f *advisor.Finding, at advisor.Severity) bool {
	return f.Suppressed == nil && (f.Severity >= at || slices.ContainsFunc(f.FollowOns, func(o *advisor.Finding) bool { return fails(o, at) }))
}

// describe tells on standard error what was read and for which version.
func (c *command) describe(targets []*advisor.Target) {
	for _, t := range targets {
		fmt.Fprintf(c.Stderr, "%s: %d options, Flink %s (%s)\n", t.Name, len(t.Conf.Entries()), t.Version, t.VersionFrom)
	}
}

// runAll runs the rules over all targets, side by side; results keep the order of the targets.
func runAll(targets []*advisor.Target, rules []*advisor.Rule) []*advisor.Result {
	results := make([]*advisor.Result, len(targets))
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(targets)) {
		wg.Go(func() {
			for i := range next {
				results[i] = advisor.Run(targets[i], rules)
			}
		})
	}
	for i := range targets {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

func parseFailOn(name string) (advisor.Severity, error) {
	if name == "never" {
		return 0, nil
	}
	s, err := advisor.ParseSeverity(name)
	if err != nil {
		return 0, fmt.Errorf("--fail-on: %w, never", err)
	}
	return s, nil
}

// filter is what --min-severity and --min-confidence let through.
func (f *checkFlags) filter() (func(*advisor.Finding) bool, error) {
	severity, err := advisor.ParseSeverity(f.minSeverity)
	if err != nil {
		return nil, fmt.Errorf("--min-severity: %w", err)
	}
	confidence, err := advisor.ParseConfidence(f.minConfidence)
	if err != nil {
		return nil, fmt.Errorf("--min-confidence: %w", err)
	}
	return func(x *advisor.Finding) bool { return x.Severity >= severity && x.Confidence <= confidence }, nil
}

// withSeverities gives copies of the rules that --severity names another severity, also to findings that set their own.
func withSeverities(rules []*advisor.Rule, overrides []string) ([]*advisor.Rule, error) {
	out := slices.Clone(rules)
	for _, o := range overrides {
		id, level, ok := strings.Cut(o, "=")
		if !ok {
			return nil, fmt.Errorf("--severity: %q is not RULE=LEVEL", o)
		}
		severity, err := advisor.ParseSeverity(level)
		if err != nil {
			return nil, fmt.Errorf("--severity %s: %w", id, err)
		}
		found := false
		for i, r := range out {
			if names(id, r) {
				found = true
				changed := *r
				changed.Force = severity
				out[i] = &changed
			}
		}
		if !found {
			return nil, unknownRule(id, checks.All())
		}
	}
	return out, nil
}

// format is one output format of check.
type format struct {
	name  string
	write func(w io.Writer, r *render.Report, colour bool) error
}

// formats is every output format of check.
var formats = []format{
	{"text", render.Text},
	{"compact", plain(render.Compact)},
	{"json", plain(render.JSON)},
	{"sarif", plain(render.SARIF)},
	{"github", plain(render.GitHub)},
	{"gitlab", plain(render.GitLab)},
	{"junit", plain(render.JUnit)},
	{"markdown", plain(render.Markdown)},
}

func plain(write func(io.Writer, *render.Report) error) func(io.Writer, *render.Report, bool) error {
	return func(w io.Writer, r *render.Report, _ bool) error { return write(w, r) }
}

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// output is one -o: a format and where it goes; no path is standard output.
type output struct {
	format format
	path   string
}

func parseOutputs(specs []string) ([]output, error) {
	var out []output
	stdout := 0
	for _, spec := range specs {
		name, path, _ := strings.Cut(spec, "=")
		i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
		if i < 0 {
			return nil, fmt.Errorf("--output: %q is not one of %s%s", name, strings.Join(formatNames(), ", "), didYouMean(name, formatNames()))
		}
		if path == "" || path == "-" {
			path = ""
			stdout++
		}
		out = append(out, output{formats[i], path})
	}
	if stdout > 1 {
		return nil, errors.New("--output: only one format can go to standard output; give the others a path (-o json=report.json)")
	}
	return out, nil
}

// write renders everything first, so that no output is written when one of them fails.
func (c *command) write(r *render.Report, outputs []output, colour bool) error {
	rendered := make([]bytes.Buffer, len(outputs))
	for i, o := range outputs {
		if err := o.format.write(&rendered[i], r, colour && o.path == ""); err != nil {
			return fmt.Errorf("writing %s: %w", o.format.name, err)
		}
	}
	for i, o := range outputs {
		if o.path == "" {
			if _, err := c.Stdout.Write(rendered[i].Bytes()); err != nil {
				return fmt.Errorf("writing to standard output: %w", err)
			}
			continue
		}
		if err := c.Files.WriteFile(o.path, rendered[i].Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// colour decides whether standard output gets colours: the flag, then NO_COLOR and FORCE_COLOR, then whether it is a terminal outside of CI.
func (c *command) colour(when string) (bool, error) {
	switch when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
	default:
		return false, fmt.Errorf("--color: %q is not one of auto, always, never", when)
	}
	switch {
	case c.Getenv("NO_COLOR") != "":
		return false, nil
	case c.Getenv("FORCE_COLOR") != "":
		return true, nil
	}
	return c.Terminal && c.Getenv("CI") == "", nil
}
