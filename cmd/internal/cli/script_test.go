package cli

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"flinkadvise": func() {
			os.Exit(Main(os.Args[1:], Env{
				Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Files: OS{}, Git: Git,
				Today: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC),
			}))
		},
	})
}

// TestStories runs the end-to-end stories in testdata: each a script with its files, commands, outputs and exit codes.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"code": code},
		UpdateScripts: os.Getenv("UPDATE_STORIES") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			return nil
		},
	})
}

// code runs a command and demands its exit code: code N command args.
func code(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: code N command args")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want, _ := strconv.Atoi(args[0]); got != want {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}
