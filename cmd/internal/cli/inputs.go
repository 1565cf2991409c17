package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
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
	// operatorConfig is the configuration of the Kubernetes operator, whose defaults lie below every manifest.
	operatorConfig string
	operator       *conf.Document
}

func (f *inputFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.flinkVersion, "flink-version", "", "the Flink version, such as 1.20.3; else from the job file or the manifest")
	fl.StringVar(&f.jobFile, "job", "", "a file of job facts, job.yaml")
	fl.StringArrayVar(&f.sets, "set", nil, "KEY=VALUE, laid over the configuration as -D does")
	fl.StringVar(&f.stdinFilename, "stdin-filename", "", "the name that standard input (-) goes by")
	fl.StringVar(&f.operatorConfig, "operator-config", "", "the Kubernetes operator's own configuration, whose defaults every FlinkDeployment gets")
	fl.StringVar(&f.dialect, "dialect", "auto", "auto, flat (flink-conf.yaml) or yaml (config.yaml)")
}

// An input is one configuration to look at, with the settings that count for it.
type input struct {
	advisor.TargetInput
	group settings.Group
	file  opened
}

// targets reads everything that args and flags name.
func (c *command) targets(args []string, f *inputFlags, s *settings.Settings) ([]*advisor.Target, error) {
	inputs, err := c.inputs(args, f, s)
	if err != nil {
		return nil, err
	}
	return parallel(inputs, func(in input) (*advisor.Target, error) { return advisor.NewTarget(in.TargetInput) })
}

// inputs reads the files and job facts and lays --set over each configuration. It fails when there is none.
func (c *command) inputs(args []string, f *inputFlags, s *settings.Settings) ([]input, error) {
	if len(args) == 0 {
		return nil, errors.New("nothing to check: name a configuration file, a folder or - for standard input")
	}
	set, err := conf.ParseArguments("--set", f.sets...)
	if err != nil {
		return nil, err
	}
	if err := c.readOperator(f); err != nil {
		return nil, err
	}
	files, err := c.expand(args, f, s)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("nothing to check in %s: no Flink configuration was found there, or the settings exclude it", strings.Join(args, ", "))
	}
	lists, err := parallel(files, func(x opened) ([]input, error) { return c.open(x, f, s) })
	if err != nil {
		return nil, err
	}
	var inputs []input
	for i, list := range lists {
		if len(list) == 0 && files[i].named {
			fmt.Fprintf(c.Stderr, "flinkadvise: %s holds no Flink configuration; --dialect forces a way of reading it\n", files[i].name)
		}
		for _, in := range list {
			if len(set.Entries) > 0 {
				in.Layers = append(in.Layers, set)
			}
			inputs = append(inputs, in)
		}
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("nothing to check in %s", strings.Join(args, ", "))
	}
	return inputs, nil
}

// readOperator reads the operator's configuration: a file of its own, or the ConfigMap that carries it.
func (c *command) readOperator(f *inputFlags) error {
	if f.operatorConfig == "" || f.operator != nil {
		return nil
	}
	data, err := c.Files.ReadFile(f.operatorConfig)
	if err != nil {
		return fmt.Errorf("--operator-config: %w", err)
	}
	carried, err := carrier.Open(source.NewFile(filepath.ToSlash(f.operatorConfig), data), conf.Options{})
	switch {
	case err != nil:
		return fmt.Errorf("--operator-config: %w", err)
	case len(carried) == 0 || len(carried[0].Documents) == 0:
		return fmt.Errorf("--operator-config: %s holds no configuration", f.operatorConfig)
	}
	f.operator = carried[0].Documents[0]
	return nil
}

// opened is a file to open: how to read it, and what reports call it.
type opened struct {
	arg, name string
	// named tells that the user named the file itself, not a folder above it.
	named      bool
	flatBeside bool
	// data is the text where it does not lie in the file itself: an older revision of it.
	data []byte
}

// expand finds the files that the arguments name: files as they are, folders and globs searched. What the settings exclude is left out even when it is named:
// hooks name files one by one.
func (c *command) expand(args []string, f *inputFlags, s *settings.Settings) ([]opened, error) {
	var out []opened
	add := func(x opened) {
		if !settings.Match(s.Exclude, c.relativeTo(s, x.name)) && !slices.ContainsFunc(out, func(o opened) bool { return o.arg == x.arg }) {
			out = append(out, x)
		}
	}
	for _, arg := range args {
		if arg == "-" {
			add(opened{arg: arg, name: c.name(arg, f), named: true})
			continue
		}
		info, err := c.Files.Stat(arg)
		switch {
		case err == nil && !info.IsDir():
			add(opened{arg: arg, name: c.name(arg, f), named: true})
			continue
		case err != nil && !strings.ContainsAny(arg, "*?["):
			return nil, err
		}
		root, options := arg, carrier.FindOptions{}
		if err != nil {
			base, pattern := doublestar.SplitPattern(filepath.ToSlash(arg))
			root, options.Include = base, []string{pattern}
		}
		found, err := carrier.Find(c.Files.Sub(root), ".", options)
		if err != nil {
			return nil, fmt.Errorf("looking for configurations in %s: %w", arg, err)
		}
		for _, x := range found {
			file := filepath.Join(root, filepath.FromSlash(x.Path))
			add(opened{arg: file, name: filepath.ToSlash(file), flatBeside: x.FlatBeside})
		}
	}
	return out, nil
}

// open reads the configurations of one file.
func (c *command) open(x opened, f *inputFlags, s *settings.Settings) ([]input, error) {
	group := s.For(c.relativeTo(s, x.name))
	facts, err := c.facts(f.jobFile, s, group)
	if err != nil {
		return nil, err
	}
	ver, from, err := resolveVersion(f, s, group, facts)
	if err != nil {
		return nil, err
	}
	dialect, err := f.dialectFor(c.relativeTo(s, x.name), s)
	if err != nil {
		return nil, err
	}
	data := x.data
	if data == nil {
		if data, err = c.read(x.arg); err != nil {
			return nil, err
		}
	}
	if x.named && len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%s is empty: nothing to check", x.name)
	}
	carried, err := carrier.Open(source.NewFile(x.name, data), conf.Options{Dialect: dialect, Version: ver, FlatBeside: x.flatBeside})
	if err != nil {
		return nil, err
	}
	inputs := make([]input, 0, len(carried))
	for _, k := range carried {
		in := input{group: group, file: x, TargetInput: advisor.TargetInput{
			Name: x.name, Documents: k.Documents, Layers: k.Layers, Job: merged(k.Facts, facts), Version: ver, VersionFrom: from, Carried: k, AllowKeys: s.AllowKeys, Thresholds: s.Thresholds,
		}}
		if k.Name != "" && len(carried) > 1 {
			in.Name = x.name + " (" + k.Name + ")"
		}
		if !ver.Known() && k.Facts.Flink.Known {
			in.Version, in.VersionFrom = k.Facts.Flink.V, k.Facts.Flink.Origin()
		}
		if f.operator != nil && (k.Kind == carrier.Deployment || k.Kind == carrier.SessionJob) {
			below := carrier.OperatorConfiguration(f.operator, k.Manifest.Namespace.V, in.Version)
			in.Layers = append([]conf.Layer{below}, in.Layers...)
		}
		in.Deployment = budget.DeploymentOf(in.Job.Deployment.Target.V)
		inputs = append(inputs, in)
	}
	return inputs, nil
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
		return noFacts, nil
	}
	return c.readFacts(file)
}

// noFacts are the facts where there is no job file.
var noFacts = job.Default()

// merged lays the job file's facts over what the carrier knows.
func merged(carried, facts *job.Facts) *job.Facts {
	if facts == noFacts {
		return carried
	}
	return job.Merge(carried, facts)
}

func (c *command) readFacts(file string) (*job.Facts, error) {
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
