package cli

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/checks"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

// corpusVariable names a folder of real files, a subfolder per kind; the files are not ours to ship, so the tests are for those who have some.
const corpusVariable = "FLINKADVISE_CORPUS"

// corpus copies the real files under the names that they had where they come from, and gives their paths.
func corpus(t *testing.T) []string {
	t.Helper()
	root := os.Getenv(corpusVariable)
	if root == "" {
		t.Skip(corpusVariable + " is not set")
	}
	var files []string
	to := t.TempDir()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == root {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		// The files' names are repository and name, joined by underscores.
		base := filepath.Base(path)
		at := max(strings.LastIndex(base, "__")+2, 0)
		file := filepath.Join(to, filepath.Base(filepath.Dir(path)), strings.TrimRight(base[:at], "_"), base[at:])
		files = append(files, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// a fixing runs check over one file and makes its edits.
type fixing struct {
	*command
	flags    *checkFlags
	settings *settings.Settings
}

func newFixing(unsafe bool) fixing {
	flags := &checkFlags{failOn: "never", minSeverity: "advice", minConfidence: "possible", fixFlags: fixFlags{fix: true, unsafe: unsafe}}
	flags.dialect = "auto"
	return fixing{&command{Env: Env{checks: checks.All, Files: OS{}, Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }}}, flags, &settings.Settings{}}
}

func (x fixing) look(file string) (*render.Report, error) {
	return x.report([]string{file}, x.flags, x.settings, func(string) bool { return false })
}

func (x fixing) fixes(t *testing.T, file string, r *render.Report) []fixed {
	t.Helper()
	files, err := x.fixedFiles([]string{file}, r, x.flags, x.settings, func(string) bool { return false })
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return files
}

// faults counts what is wrong with the text.
func faults(r *render.Report) (fatal, duplicates int) {
	for _, res := range r.Results {
		for _, d := range res.Target.Documents {
			for _, x := range d.Faults {
				if x.Fatal {
					fatal++
				}
				if x.Kind == conf.FaultDuplicateKey {
					duplicates++
				}
			}
		}
	}
	return fatal, duplicates
}

// kept are the lines of a text that are comments, without those that explain an option by standing behind it.
func kept(data []byte) []string {
	var out []string
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); bytes.HasPrefix(line, []byte("#")) {
			out = append(out, string(line))
		}
	}
	return out
}

// errorsOf are the errors of a report by name, follow-ons too.
func errorsOf(findings []*advisor.Finding) []string {
	var out []string
	for _, f := range findings {
		if f.Severity == advisor.Error {
			out = append(out, name(f))
		}
		out = append(out, errorsOf(f.FollowOns)...)
	}
	return out
}

// TestFixesOfCorpus makes the edits in real files of every carrier: the file still reads, comments stay in their order, no error is new, no option is
// doubled, Flink takes what it took before, and another run has nothing to change.
func TestFixesOfCorpus(t *testing.T) {
	files := corpus(t)
	for _, unsafe := range []bool{false, true} {
		x := newFixing(unsafe)
		changed, edits, left := 0, 0, 0
		for _, file := range files {
			before, err := x.look(file)
			if err != nil {
				continue // no configuration in it
			}
			for _, f := range x.fixes(t, file, before) {
				left += len(f.left)
				if f.made == 0 {
					continue
				}
				changed, edits = changed+1, edits+f.made
				if err := os.WriteFile(file, f.data, 0o644); err != nil {
					t.Fatal(err)
				}
				checkFixed(t, x, file, f, before)
				if err := os.WriteFile(file, f.file.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Logf("unsafe %v: %d edits in %d files, those of %d findings left out", unsafe, edits, changed, left)
	}
}

func checkFixed(t *testing.T, x fixing, file string, f fixed, before *render.Report) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Errorf("%s (unsafe %v): %s", file, x.flags.unsafe, fmt.Sprintf(format, args...))
	}
	after, err := x.look(file)
	if err != nil {
		fail("%v", err)
		return
	}
	if len(after.Results) != len(before.Results) {
		fail("%d configurations before, %d after", len(before.Results), len(after.Results))
	}
	fatal, duplicates := faults(before)
	if a, b := faults(after); a > fatal || b > duplicates {
		fail("%d fatal faults and %d duplicate keys before, %d and %d after", fatal, duplicates, a, b)
	}
	if !slices.Equal(kept(f.file.Data), kept(f.data)) {
		fail("comments changed")
	}
	was := errorsOf(before.Findings)
	for _, e := range errorsOf(after.Findings) {
		if !slices.Contains(was, e) {
			fail("new: %q", e)
		}
	}
	for i, r := range after.Results {
		if refusals(r) > refusals(before.Results[i]) {
			fail("Flink refuses more than before")
		}
	}
	for _, again := range x.fixes(t, file, after) {
		if again.made > 0 {
			fail("another run makes %d edits", again.made)
		}
	}
}

func refusals(r *advisor.Result) int {
	return len(r.Target.TaskManager.Refusals) + len(r.Target.JobManager.Refusals)
}
