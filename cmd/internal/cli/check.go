package cli

import (
	"bytes"
	"cmp"
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
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/advisor/suppress"
)

// checkFlags are the flags of check.
type checkFlags struct {
	inputFlags
	settingsFlags
	ruleFlags
	failOn          string
	minSeverity     string
	minConfidence   string
	exitZero        bool
	baseline        string
	since           string
	noInlineIgnores bool
	showSuppressed  bool
	outputs         []string
	sort            string
	top             int
	color           string
	quiet, verbose  bool
	fixFlags
}

func (c *command) check() *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check [flags] [FILE|DIR|-]...",
		Short: "Check configurations and print ranked findings",
		Long: `check reads each configuration, computes the budgets Flink will compute, and prints findings, ranked.

Exit codes: 0 nothing at or above --fail-on; 1 something at or above it; 2 could not do the job; 3 a bug in flinkadvise.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.parse(); err != nil {
				return err
			}
			return c.runCheck(cmd, args, f)
		},
	}
	f.inputFlags.register(cmd)
	f.settingsFlags.register(cmd)
	f.ruleFlags.register(cmd)
	f.fixFlags.register(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.failOn, "fail-on", "error", "exit 1 for findings of this severity or above: error, warning, advice, never")
	fl.StringVar(&f.minSeverity, "min-severity", "advice", "show findings of this severity or above")
	fl.StringVar(&f.minConfidence, "min-confidence", "possible", "show findings of this confidence or surer: certain, likely, possible")
	fl.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 in spite of findings")
	fl.StringVar(&f.baseline, "baseline", "", "a file of known findings, which pass")
	fl.StringVar(&f.since, "since", "", "a git revision: only what the files have more than there counts")
	fl.BoolVar(&f.noInlineIgnores, "no-inline-ignores", false, "do not heed flinkadvise:ignore comments")
	fl.BoolVar(&f.showSuppressed, "show-suppressed", false, "print suppressed findings too")
	fl.StringArrayVarP(&f.outputs, "output", "o", []string{"text"}, "FORMAT[=PATH], repeatable: "+strings.Join(formatNames(formats), ", "))
	fl.StringVar(&f.sort, "sort", "rank", "rank or position")
	fl.IntVar(&f.top, "top", 0, "show only the first N findings")
	fl.StringVar(&f.color, "color", "auto", "auto, always or never")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print the summary only")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "also print what was read and assumed, on standard error")
	return cmd
}

func (c *command) runCheck(cmd *cobra.Command, args []string, f *checkFlags) error {
	outputs, err := parseOutputs(f.outputs, formats)
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
	report, err := c.report(args, f, s, cmd.Flags().Changed)
	if err != nil {
		return err
	}
	switch {
	case f.diff:
		files, err := c.fixedFiles(args, report, f, s, cmd.Flags().Changed)
		if err != nil {
			return err
		}
		return c.printDiff(report, files)
	case f.fix || f.unsafe:
		files, err := c.fixedFiles(args, report, f, s, cmd.Flags().Changed)
		if err != nil {
			return err
		}
		if err := c.fix(files); err != nil {
			return err
		}
		if report, err = c.report(args, f, s, cmd.Flags().Changed); err != nil {
			return err
		}
	}
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
	report.Quiet, report.ShowSuppressed = f.quiet, f.showSuppressed
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

// crashed names the rules that crashed on standard error, whatever the output format; the error carries the exit code.
func (c *command) crashed(report *render.Report, stacks bool) error {
	if len(report.Crashed()) == 0 {
		return nil
	}
	if err := render.Crashes(c.Stderr, report, stacks); err != nil {
		return fmt.Errorf("writing to standard error: %w", err)
	}
	return exitError{code: ExitBug}
}

// report runs the rules over all inputs, each with the settings of its path, and judges the result. changed tells which flags the user gave: those beat the
// settings.
func (c *command) report(args []string, f *checkFlags, s *settings.Settings, changed func(string) bool) (*render.Report, error) {
	inputs, err := c.inputs(args, &f.inputFlags, s)
	if err != nil {
		return nil, err
	}
	report, runs, err := c.judge(inputs, f, s, changed)
	if err != nil {
		return nil, err
	}
	if f.since != "" {
		if err := c.dropOld(report, inputs, f, s, changed); err != nil {
			return nil, err
		}
	}
	if f.baseline != "" {
		data, err := c.Files.ReadFile(f.baseline)
		if err != nil {
			return nil, fmt.Errorf("baseline: %w", err)
		}
		known, err := suppress.ReadBaseline(f.baseline, data)
		if err != nil {
			return nil, err
		}
		for _, k := range known.Apply(report.Findings) {
			fmt.Fprintf(c.Stderr, "baseline: %s of %s is gone from %s; flinkadvise baseline shrinks the file\n", k.Rule, cmp.Or(k.Key, "the file"), k.File)
		}
		advisor.Rank(report.Findings)
	}
	byName := map[string]run{}
	for _, r := range runs {
		byName[r.result.Target.Name] = r
		report.FailOn = lowest(report.FailOn, r.failOn)
	}
	report.Failed = slices.ContainsFunc(report.Findings, func(x *advisor.Finding) bool { return fails(x, byName[x.Target].failOn) })
	report.Keep(func(x *advisor.Finding) bool { return byName[x.Target].show(x) })
	if report.Failed && !slices.ContainsFunc(report.Findings, func(x *advisor.Finding) bool { return fails(x, byName[x.Target].failOn) }) {
		fmt.Fprintln(c.Stderr, "flinkadvise: the check fails for findings that --min-severity or --min-confidence hides")
	}
	if f.verbose {
		c.describe(runs)
	}
	return report, nil
}

// judge runs the rules over inputs.
func (c *command) judge(inputs []input, f *checkFlags, s *settings.Settings, changed func(string) bool) (*render.Report, []run, error) {
	p := c.progress(len(inputs))
	defer p.clear()
	runs, err := parallel(inputs, func(in input) (run, error) {
		defer p.tick()
		return c.run(in, f.over(in.group, changed), f, s)
	})
	if err != nil {
		return nil, nil, err
	}
	results := make([]*advisor.Result, len(runs))
	for i, r := range runs {
		results[i] = r.result
	}
	return render.NewReport(toolVersion(), results), runs, nil
}

// lowest is the stricter of two gates; zero is "never".
func lowest(a, b advisor.Severity) advisor.Severity {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// run is what the rules say about one input, with what its settings make of the gate.
type run struct {
	result *advisor.Result
	failOn advisor.Severity
	show   func(*advisor.Finding) bool
}

func (c *command) run(in input, g settings.Group, f *checkFlags, s *settings.Settings) (r run, err error) {
	rules, err := selectRules(c.checks(), g.Select, g.IgnoreRules)
	if err != nil {
		return r, err
	}
	if rules, err = ofProfile(rules, g.Profile, g.Select); err != nil {
		return r, err
	}
	rules = withSeverities(rules, g.Severity)
	if r.failOn, err = parseFailOn(g.FailOn); err != nil {
		return r, err
	}
	if r.show, err = filter(g.MinSeverity, g.MinConfidence); err != nil {
		return r, err
	}
	target, err := advisor.NewTarget(in.TargetInput)
	if err != nil {
		return r, err
	}
	r.result = advisor.Run(target, rules, c.suppressors(s, rules, !f.noInlineIgnores)...)
	return r, nil
}

// over lays the flags that the user gave over a group of the settings, and the flags' defaults below it.
func (f *checkFlags) over(g settings.Group, changed func(string) bool) settings.Group {
	for _, x := range []struct {
		flag  string
		value string
		to    *string
	}{{"fail-on", f.failOn, &g.FailOn}, {"min-severity", f.minSeverity, &g.MinSeverity}, {"min-confidence", f.minConfidence, &g.MinConfidence}} {
		if changed(x.flag) || *x.to == "" {
			*x.to = x.value
		}
	}
	if len(f.selected) > 0 {
		g.Select = f.selected
	}
	if f.profile != "" {
		g.Profile = f.profile
	}
	g.IgnoreRules = slices.Concat(g.IgnoreRules, f.ignored)
	g.Severity = slices.Concat(g.Severity, f.levels)
	return g
}

// fails tells whether a finding, or one folded under it, is at or above the severity.
func fails(f *advisor.Finding, at advisor.Severity) bool {
	return at != 0 && f.Suppressed == nil && (f.Severity >= at || slices.ContainsFunc(f.FollowOns, func(o *advisor.Finding) bool { return fails(o, at) }))
}

// describe tells on standard error what was read and for which version.
func (c *command) describe(runs []run) {
	for _, r := range runs {
		t := r.result.Target
		n, noun := len(t.Conf.Entries()), "options"
		if n == 1 {
			noun = "option"
		}
		fmt.Fprintf(c.Stderr, "%s: %d %s, Flink %s (%s)\n", t.Name, n, noun, t.Version, t.VersionFrom)
	}
}

// parallel does the same with each of the items, side by side, and keeps their order. Of several errors the first in order counts.
func parallel[In, Out any](items []In, do func(In) (Out, error)) ([]Out, error) {
	out, errs := make([]Out, len(items)), make([]error, len(items))
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(items)) {
		wg.Go(func() {
			for i := range next {
				out[i], errs[i] = do(items[i])
			}
		})
	}
	for i := range items {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
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
func filter(minSeverity, minConfidence string) (func(*advisor.Finding) bool, error) {
	severity, err := advisor.ParseSeverity(minSeverity)
	if err != nil {
		return nil, fmt.Errorf("--min-severity: %w", err)
	}
	confidence, err := advisor.ParseConfidence(minConfidence)
	if err != nil {
		return nil, fmt.Errorf("--min-confidence: %w", err)
	}
	return func(x *advisor.Finding) bool { return x.Severity >= severity && x.Confidence <= confidence }, nil
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

func formatNames(formats []format) []string {
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

func parseOutputs(specs []string, formats []format) ([]output, error) {
	var out []output
	stdout := 0
	for _, spec := range specs {
		name, path, _ := strings.Cut(spec, "=")
		i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
		if i < 0 {
			return nil, fmt.Errorf("--output: %q is not one of %s%s", name, strings.Join(formatNames(formats), ", "), didYouMean(name, formatNames(formats)))
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

// colour decides whether standard output gets colours: the flag, then NO_COLOR and FORCE_COLOR (0 means no), then whether it is a terminal outside of CI.
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
		return c.Getenv("FORCE_COLOR") != "0", nil
	}
	return c.Terminal && c.Getenv("CI") == "", nil
}
