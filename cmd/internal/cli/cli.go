// Package cli is the command line: flags, wiring, exit codes. It takes everything from outside (arguments, environment, streams, files, the day) and
// returns an exit code; only cmd/flinkadvise calls os.Exit.
package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks"
)

// Exit codes. They mean one thing each, and no output format changes them. The highest wins.
const (
	// ExitOK: ran to the end, nothing at or above --fail-on.
	ExitOK = 0
	// ExitFindings: ran to the end, something at or above --fail-on.
	ExitFindings = 1
	// ExitCannot: could not do the job: a bad flag, settings or job file, input unreadable or empty, nothing to check, output not writable.
	ExitCannot = 2
	// ExitBug: a bug in flinkadvise; a rule crashed, the others still ran.
	ExitBug = 3
)

// Env is the world around the command.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Files          Files
	// Terminal and StderrTerminal tell whether Stdout and Stderr are one.
	Terminal, StderrTerminal bool
	// Git runs git in a folder and gives its standard output; nil where there is no git.
	Git func(folder string, args ...string) ([]byte, error)
	// Today decides whether a suppression has run out.
	Today time.Time
	// checks are what configurations are checked with: checks.All; tests of what the command does with rules put their own here.
	checks func() []*advisor.Rule
}

// Files is the part of a file system that the command needs.
type Files interface {
	ReadFile(path string) ([]byte, error)
	// WriteFile replaces a file whole or leaves it as it was.
	WriteFile(path string, data []byte) error
	Stat(path string) (fs.FileInfo, error)
	// Abs is the path from the root of the file system.
	Abs(path string) (string, error)
	// Sub is the folder at path as a file system, for walking.
	Sub(path string) fs.FS
}

// OS is the real file system.
type OS struct{}

// ReadFile reads a file.
func (OS) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// WriteFile writes beside the file and renames, so that nothing is ever half written; an existing file keeps its mode.
func (OS) WriteFile(path string, data []byte) error { return writeFile(path, data) }

// Stat describes a file.
func (OS) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// Abs makes a path absolute.
func (OS) Abs(path string) (string, error) { return filepath.Abs(path) }

// Sub is the folder at path.
func (OS) Sub(path string) fs.FS { return os.DirFS(path) }

// Git runs the git command.
func Git(folder string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", folder}, args...)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
	}
	return out, err
}

// exitError carries an exit code through cobra. A nil err exits without a word: the report said it.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e exitError) Unwrap() error { return e.err }

// command is the state that the commands share.
type command struct {
	Env
}

// Main runs the command with args and returns the exit code.
func Main(args []string, env Env) int {
	if env.checks == nil {
		env.checks = checks.All
	}
	c := &command{Env: env}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	err := root.Execute()
	if err == nil {
		return ExitOK
	}
	code := ExitCannot
	var exit exitError
	if errors.As(err, &exit) {
		code = exit.code
		err = exit.err
	}
	if err != nil {
		fmt.Fprintf(env.Stderr, "flinkadvise: %v\n", err)
	}
	return code
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "flinkadvise",
		Short: "Lint and tune Apache Flink configuration before it is deployed",
		Long: `flinkadvise reads flink-conf.yaml, config.yaml or the manifest that carries them, computes the budgets that Flink will
compute, and prints recommendations ranked by what they save. No JVM, no cluster, no network.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmd.Help(); err != nil {
				return err
			}
			return exitError{code: ExitCannot}
		},
	}
	root.AddCommand(c.check(), c.budget(), c.explain(), c.rules(), c.diff(), c.baseline(), c.config(), c.job(), c.diagnose(), c.defects(), c.upgrade(), c.schema(), c.version())
	return root
}
