package cli

import (
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
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

// targets reads everything that args and flags name.
func (c *command) targets(args []string, f *inputFlags) ([]*advisor.Target, error) {
	inputs, err := c.inputs(args, f)
	if err != nil {
		return nil, err
	}
	targets := make([]*advisor.Target, len(inputs))
	for i, in := range inputs {
		if targets[i], err = advisor.NewTarget(in); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// inputs reads the files and job facts and lays --set over each of them.
func (c *command) inputs(args []string, f *inputFlags) ([]advisor.TargetInput, error) {
	if len(args) == 0 {
		return nil, errors.New("nothing to check: name a configuration file, a folder or - for standard input")
	}
	facts, err := c.facts(f.jobFile)
	if err != nil {
		return nil, err
	}
	ver, from, err := resolveVersion(f.flinkVersion, facts)
	if err != nil {
		return nil, err
	}
	set, err := setLayer(f.sets)
	if err != nil {
		return nil, err
	}
	var inputs []advisor.TargetInput
	for _, arg := range args {
		doc, err := c.document(arg, f, ver)
		if err != nil {
			return nil, err
		}
		in := advisor.TargetInput{
			Name: doc.Path(), Documents: []*conf.Document{doc}, Job: facts, Version: ver, VersionFrom: from,
			Layers:     []conf.Layer{{Name: doc.Path(), Dialect: doc.Dialect, Entries: doc.Entries}},
			Deployment: budget.DeploymentOf(facts.Deployment.Target.V),
		}
		if len(set.Entries) > 0 {
			in.Layers = append(in.Layers, set)
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

func (c *command) document(arg string, f *inputFlags, _ version.Version) (*conf.Document, error) {
	data, name, err := c.read(arg, f.stdinFilename)
	if err != nil {
		return nil, err
	}
	if len(strings.TrimSpace(string(data))) == 0 {
		return nil, fmt.Errorf("%s is empty: nothing to check", name)
	}
	view := source.NewFile(name, data).Whole()
	switch f.dialect {
	case "flat":
		return conf.ParseFlat(view)
	case "yaml":
		return conf.ParseYAML(view)
	case "auto":
		if path.Base(name) == "config.yaml" || path.Base(name) == "config.yml" {
			return conf.ParseYAML(view)
		}
		return conf.ParseFlat(view)
	}
	return nil, fmt.Errorf("--dialect: %q is not one of auto, flat, yaml", f.dialect)
}

// read reads a file or standard input, and gives the name that reports use: forward slashes on every system.
func (c *command) read(arg, stdinFilename string) (data []byte, name string, err error) {
	if arg != "-" {
		data, err = c.Files.ReadFile(arg)
		return data, filepath.ToSlash(arg), err
	}
	name = "-"
	if stdinFilename != "" {
		name = filepath.ToSlash(stdinFilename)
	}
	data, err = io.ReadAll(io.LimitReader(c.Stdin, conf.MaxFileSize+1))
	if err != nil {
		return nil, name, fmt.Errorf("reading standard input: %w", err)
	}
	return data, name, nil
}

// facts reads the job file; no file gives no facts.
func (c *command) facts(file string) (*job.Facts, error) {
	if file == "" {
		return &job.Facts{}, nil
	}
	data, err := c.Files.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("job file: %w", err)
	}
	return job.Parse(source.NewFile(filepath.ToSlash(file), data), c.Files.ReadFile)
}

// resolveVersion takes the version from the flag or the job file; unknown when neither names one.
func resolveVersion(flag string, facts *job.Facts) (version.Version, string, error) {
	if flag != "" {
		v, err := version.Parse(flag)
		if err != nil {
			return v, "", fmt.Errorf("--flink-version: %w", err)
		}
		return v, "--flink-version", nil
	}
	if facts.Flink.Known {
		return facts.Flink.V, facts.Flink.Origin(), nil
	}
	return version.Version{}, "", nil
}

// setLayer reads --set KEY=VALUE.
func setLayer(sets []string) (conf.Layer, error) {
	layer := conf.Layer{Name: "--set", Dialect: conf.Arguments}
	for _, s := range sets {
		key, value, ok := strings.Cut(s, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return layer, fmt.Errorf("--set: %q is not KEY=VALUE", s)
		}
		layer.Entries = append(layer.Entries, conf.Entry{Key: key, Value: value, Text: value, Raw: value, Layer: "--set"})
	}
	return layer, nil
}
