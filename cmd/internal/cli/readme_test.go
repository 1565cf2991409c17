package cli

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the reports in the README and in the examples")

// report is a block of the README that shows what a command prints.
var report = regexp.MustCompile("(?s)<!-- report: ([^\n]*) -->\n```text\n(.*?)```\n")

// TestReadmeShowsWhatTheToolPrints runs the commands behind the README's reports from the root of the repository.
func TestReadmeShowsWhatTheToolPrints(t *testing.T) {
	t.Chdir("../../..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	got := report.ReplaceAllStringFunc(string(readme), func(block string) string {
		blocks++
		m := report.FindStringSubmatch(block)
		var out bytes.Buffer
		code := Main(strings.Fields(m[1]), Env{Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }, Files: OS{}})
		if code > ExitFindings {
			t.Errorf("%s: exit code %d\n%s", m[1], code, out.String())
		}
		return "<!-- report: " + m[1] + " -->\n```text\n" + out.String() + "```\n"
	})
	if blocks == 0 {
		t.Fatal("the README shows no report")
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(readme), got); diff != "" {
		t.Errorf("README (-committed +printed), go test ./cmd/internal/cli -update rewrites it:\n%s", diff)
	}
}
