// Command flinkadvise lints and tunes Apache Flink configuration.
package main

import (
	"os"
	"time"

	"github.com/flinkadvise/flinkadvise/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Files: cli.OS{}, Git: cli.Git, Terminal: isTerminal(os.Stdout), StderrTerminal: isTerminal(os.Stderr), Today: time.Now(),
	}))
}

// isTerminal tells whether f is a character device; good enough to choose colours, which --color overrides.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
