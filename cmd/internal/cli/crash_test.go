package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// crash has one rule that crashes, with a text that no terminal should get, and one that works.
func crash() []*advisor.Rule {
	return []*advisor.Rule{
		{ID: "test/crashes", Severity: advisor.Error, Impact: advisor.WontStart, Confidence: advisor.Certain, Doc: "# test/crashes\n\nCrashes.\n",
			Check: func(*advisor.Target, *advisor.Report) { panic("boom \x1b[31m") }},
		{ID: "test/works", Severity: advisor.Advice, Impact: advisor.Hygiene, Confidence: advisor.Certain, Doc: "# test/works\n\nWorks.\n",
			Check: func(_ *advisor.Target, r *advisor.Report) { r.Find(advisor.Finding{Message: "still found"}) }},
	}
}

func TestACrashedRuleIsExit3AndNamedInEveryFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("flink-conf.yaml", []byte("parallelism.default: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	main := func(args ...string) (code int, stdout, stderr string) {
		var out, errs bytes.Buffer
		code = Main(args, Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Files: OS{}, checks: crash})
		return code, out.String(), errs.String()
	}
	for _, format := range formatNames(formats) {
		for _, extra := range [][]string{nil, {"--exit-zero"}, {"--fail-on", "never"}} {
			code, out, errs := main(append([]string{"check", "flink-conf.yaml", "-o", format}, extra...)...)
			if code != ExitBug {
				t.Errorf("%s %v: exit code %d", format, extra, code)
			}
			if !strings.HasPrefix(errs, "flinkadvise: rule test/crashes crashed on flink-conf.yaml: boom") || strings.ContainsRune(errs+out, '\x1b') {
				t.Errorf("%s: standard error is %q", format, errs)
			}
			if !strings.Contains(out, "still found") {
				t.Errorf("%s: the other rule's finding is missing:\n%s", format, out)
			}
		}
	}
	if _, out, errs := main("check", "flink-conf.yaml", "-v", "--select", "test/crashes"); strings.Contains(out, "ok:") || !strings.Contains(out, "incomplete: rule test/crashes") || !strings.Contains(errs, "crash_test.go") {
		t.Errorf("a report without the crashed rule's findings is not ok, and -v gives the stack:\n%s%s", out, errs)
	}
	if code, _, _ := main("diff", "flink-conf.yaml", "flink-conf.yaml"); code != ExitBug {
		t.Errorf("diff: exit code %d", code)
	}
	code, _, _ := main("baseline", "flink-conf.yaml", "-o", "baseline.json")
	if _, err := os.Stat("baseline.json"); code != ExitBug || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("baseline: exit code %d, and no file must be written: %v", code, err)
	}
}

// The line of a secret without a blank behind its colon has an edit that is the line itself.
func TestNoFormatPrintsTheSecretOfASkippedLine(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("flink-conf.yaml", []byte("s3.access-key:hunter2\ns3.secret-key: hunter3\nstate.backend: rocksdb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range formatNames(formats) {
		var out bytes.Buffer
		code := Main([]string{"check", "flink-conf.yaml", "--flink-version", "1.18", "-o", format}, Env{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }, Files: OS{},
		})
		if code > ExitFindings || out.Len() == 0 || strings.Contains(out.String(), "hunter") {
			t.Errorf("%s: exit code %d\n%s", format, code, out.String())
		}
	}
}

func TestColourIsWhereItIsWanted(t *testing.T) {
	tests := []struct {
		flag     string
		env      map[string]string
		terminal bool
		want     bool
	}{
		{flag: "auto", terminal: true, want: true},
		{flag: "auto", terminal: false, want: false},
		{flag: "auto", terminal: true, env: map[string]string{"CI": "true"}, want: false},
		{flag: "auto", terminal: true, env: map[string]string{"NO_COLOR": "1"}, want: false},
		{flag: "auto", terminal: true, env: map[string]string{"NO_COLOR": ""}, want: true}, // no-color.org: not when empty
		{flag: "auto", terminal: false, env: map[string]string{"FORCE_COLOR": "1"}, want: true},
		{flag: "auto", terminal: false, env: map[string]string{"FORCE_COLOR": "1", "CI": "true"}, want: true},
		{flag: "auto", terminal: false, env: map[string]string{"FORCE_COLOR": "0"}, want: false},
		{flag: "auto", terminal: true, env: map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, want: false},
		{flag: "always", terminal: false, env: map[string]string{"NO_COLOR": "1"}, want: true},
		{flag: "never", terminal: true, env: map[string]string{"FORCE_COLOR": "1"}, want: false},
	}
	for _, x := range tests {
		c := &command{Env: Env{Terminal: x.terminal, Getenv: func(name string) string { return x.env[name] }}}
		if got, err := c.colour(x.flag); err != nil || got != x.want {
			t.Errorf("--color %s, terminal %v, %v: %v, %v", x.flag, x.terminal, x.env, got, err)
		}
	}
	c := &command{Env: Env{Getenv: func(string) string { return "" }}}
	if _, err := c.colour("sometimes"); err == nil {
		t.Error("--color sometimes is taken")
	}
}
