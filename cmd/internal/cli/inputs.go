package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// inputFlags are the flags that say what is looked at; check, budget and others share them.
type inputFlags struct {
	flinkVersion  string
	jobFile       string
	sets          []string
	stdinFilename string
	dialect       string
}

func (f *inputFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.flinkVersion, "flink-version", "", "the Flink version, such as 1.20.3; else from the job file or the manifest")
	fl.StringVar(&f.jobFile, "job", "", "a file of job facts, job.yaml")
	fl.StringArrayVar(&f.sets, "set", nil, "KEY=VALUE, laid over the configuration as -D does")
	fl.StringVar(&f.stdinFilename, "stdin-filename", "", "the name that standard input (-) goes by")
	fl.StringVar(&f.dialect, "dialect", "auto", "auto, flat (flink-conf.yaml) or yaml (config.yaml)")
}

// An input is one configuration to look at, with the settings that count for it.
type input struct {
	advisor.TargetInput
	group settings.Group
}

// targets reads everything that args and flags name.
func (c *command) targets(args []string, f *inputFlags, s *settings.Settings) ([]*advisor.Target, error) {
	inputs, err := c.inputs(args, f, s)
	if err != nil {
		return nil, err
	}
	targets := make([]*advisor.Target, len(inputs))
	for i, in := range inputs {
		if targets[i], err = advisor.NewTarget(in.TargetInput); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// inputs reads the files and job facts and lays --set over each of them.
func (c *command) inputs(args []string, f *inputFlags, s *settings.Settings) ([]input, error) {
	if len(args) == 0 {
		return nil, errors.New("nothing to check: name a configuration file, a folder or - for standard input")
	}
	set, err := conf.ParseArguments("--set", f.sets...)
	if err != nil {
		return nil, err
	}
	kept := make([]string, 0, len(args))
	for _, arg := range args {
		if !settings.Match(s.Exclude, c.relativeTo(s, c.name(arg, f))) {
			kept = append(kept, arg)
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("nothing to check: the settings exclude %s", strings.Join(args, ", "))
	}
	return parallel(kept, func(arg string) (input, error) {
		name := c.name(arg, f)
		in, err := c.input(arg, name, f, s, s.For(c.relativeTo(s, name)))
		if len(set.Entries) > 0 {
			in.Layers = append(in.Layers, set)
		}
		return in, err
	})
}

func (c *command) input(arg, name string, f *inputFlags, s *settings.Settings, g settings.Group) (input, error) {
	in := input{group: g}
	facts, err := c.facts(f.jobFile, s, g)
	if err != nil {
		return in, err
	}
	ver, from, err := resolveVersion(f, s, g, facts)
	if err != nil {
		return in, err
	}
	dialect, err := f.dialectFor(c.relativeTo(s, name), s)
	if err != nil {
		return in, err
	}
	data, err := c.read(arg)
	if err != nil {
		return in, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return in, fmt.Errorf("%s is empty: nothing to check", name)
	}
	doc, err := conf.Open(source.NewFile(name, data).Whole(), conf.Options{Dialect: dialect, Version: ver})
	if err != nil {
		return in, err
	}
	in.TargetInput = advisor.TargetInput{
		Name: name, Documents: []*conf.Document{doc}, Layers: []conf.Layer{doc.Layer()},
		Job: facts, Version: ver, VersionFrom: from, Deployment: budget.DeploymentOf(facts.Deployment.Target.V),
	}
	return in, nil
}

// name is what reports call an argument: forward slashes on every system, --stdin-filename for standard input.
func (c *command) name(arg string, f *inputFlags) string {
	if arg == "-" && f.stdinFilename != "" {
		arg = f.stdinFilename
	}
	return filepath.ToSlash(arg)
}

// read reads a file or standard input.
func (c *command) read(arg string) ([]byte, error) {
	if arg != "-" {
		return c.Files.ReadFile(arg)
	}
	data, err := io.ReadAll(io.LimitReader(c.Stdin, conf.MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading standard input: %w", err)
	}
	return data, nil
}

// dialectFor is the dialect that the flag or the settings force; zero leaves it to the name.
func (f *inputFlags) dialectFor(file string, s *settings.Settings) (conf.Dialect, error) {
	name := f.dialect
	for _, d := range s.Dialects {
		if name == "auto" && settings.Match([]string{d.Glob}, file) {
			name = d.Dialect
		}
	}
	switch name {
	case "auto":
		return 0, nil
	case "flat":
		return conf.Flat, nil
	case "yaml":
		return conf.YAML, nil
	}
	return 0, fmt.Errorf("--dialect: %q is not one of auto, flat, yaml", name)
}

// facts reads the job file that the flag or the settings name; no file gives no facts.
func (c *command) facts(file string, s *settings.Settings, g settings.Group) (*job.Facts, error) {
	if file == "" && g.Job != "" {
		file = filepath.Join(filepath.Dir(s.File.Path), g.Job)
	}
	if file == "" {
		return job.Default(), nil
	}
	data, err := c.Files.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("job file: %w", err)
	}
	return job.Parse(source.NewFile(filepath.ToSlash(file), data), c.Files.ReadFile)
}

// resolveVersion takes the version from the flag, the job file of the flag, the settings, or the job file of the settings; unknown when none names one.
func resolveVersion(f *inputFlags, s *settings.Settings, g settings.Group, facts *job.Facts) (version.Version, string, error) {
	switch {
	case f.flinkVersion != "":
		v, err := version.Parse(f.flinkVersion)
		if err != nil {
			return v, "", fmt.Errorf("--flink-version: %w", err)
		}
		return v, "--flink-version", nil
	case facts.Flink.Known && (f.jobFile != "" || g.FlinkVersion == ""):
		return facts.Flink.V, facts.Flink.Origin(), nil
	case g.FlinkVersion != "":
		v, err := version.Parse(g.FlinkVersion)
		return v, s.File.Path, err
	}
	return version.Version{}, "", nil
}
