package cli

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The incident's configuration in the versions after: what people read, and the file that is written.
func TestUpgradeOfTheIncident(t *testing.T) {
	rewrite := flag.Lookup("update") != nil && flag.Lookup("update").Value.String() == "true"
	for _, test := range []struct {
		golden string
		args   []string
	}{
		{"testdata/upgrade/tm-crash-1.17.txt", []string{"--to", "1.17.2"}},
		{"testdata/upgrade/tm-crash-2.2.txt", []string{"--to", "2.2.1"}},
		{"testdata/upgrade/tm-crash-2.2.md", []string{"--to", "2.2.1", "-o", "markdown"}},
		{"testdata/upgrade/tm-crash-2.2.json", []string{"--to", "2.2.1", "-o", "json"}},
		{"testdata/upgrade/tm-crash-2.2.yaml", []string{"--to", "2.2.1", "--write=-"}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			args := append([]string{"upgrade", "examples/tm-crash/flink-conf.yaml", "--job", "examples/tm-crash/job.yaml"}, test.args...)
			out, errs, code := inRoot(t, args...)
			if code != ExitOK || errs != "" {
				t.Fatalf("exit %d: %s", code, errs)
			}
			golden := "cmd/internal/cli/" + test.golden
			if rewrite {
				if err := os.WriteFile(golden, []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), out); diff != "" {
				t.Error(diff)
			}
		})
	}
}
