package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// memory is a file system of a few files.
type memory struct{ fstest.MapFS }

func (m memory) WriteFile(path string, data []byte) error {
	m.MapFS[path] = &fstest.MapFile{Data: data}
	return nil
}
func (m memory) Abs(path string) (string, error) { return filepath.Abs(path) }
func (m memory) Sub(string) fs.FS                { return m.MapFS }

// FuzzCheck sends any bytes through the whole way, from the configuration and the job file to every output: no rule and no renderer may crash, the exit codes
// are those that are promised, the outputs are UTF-8 without terminal escapes, and JSON is JSON.
func FuzzCheck(f *testing.F) {
	root := "../../../examples/"
	for _, e := range examples {
		config, err := os.ReadFile(root + e.config)
		if err != nil {
			f.Fatal(err)
		}
		job, err := os.ReadFile(filepath.Join(root, filepath.Dir(e.config), e.job))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Base(e.config), config, job)
	}
	f.Add("config.yaml", []byte("---\n---\n"), []byte("---\n"))
	f.Add("flink-conf.yaml", []byte("taskmanager.numberOfTaskSlots: 0\nparallelism.default: -1\n\x1b[31m: \xff\n"), []byte("version: 1\n"))
	f.Add("values.yaml", []byte("kind: ConfigMap\ndata:\n  flink-conf.yaml: |\n    \xff: \x1b[2J\n"), []byte(""))
	f.Fuzz(func(t *testing.T, name string, config, job []byte) {
		if !fs.ValidPath(name) || name == "." || name == "job.yaml" || strings.ContainsAny(name, "*?[{\\") || !utf8.ValidString(name) {
			t.Skip()
		}
		for _, args := range [][]string{
			{"check", "-o", "text", "-o", "json=r.json", "-o", "sarif=r.sarif", "-o", "github=r.github", "-o", "gitlab=r.gitlab", "-o", "junit=r.junit", "-o", "markdown=r.md", "-o", "compact=r.compact"},
			{"check", "--diff", "--unsafe-fixes"},
			{"budget"},
		} {
			files := memory{fstest.MapFS{name: {Data: config}, "job.yaml": {Data: job}}}
			var out, errs bytes.Buffer
			code := Main(append(args, "--isolated", "--job", "job.yaml", "--", name), Env{
				Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Files: files,
			})
			if code < ExitOK || code > ExitCannot || code == ExitCannot && errs.Len() == 0 {
				t.Fatalf("%v: exit code %d\n%s", args, code, errs.String())
			}
			if !utf8.Valid(out.Bytes()) && args[0] == "check" && len(args) > 3 {
				t.Fatalf("%v: not UTF-8: %q", args, out.String())
			}
			if bytes.ContainsRune(out.Bytes(), '\x1b') && len(args) != 3 { // a patch is the file's own bytes
				t.Fatalf("%v: a terminal escape in %q", args, out.String())
			}
			for path, file := range files.MapFS {
				switch path {
				case name, "job.yaml":
					continue
				case "r.json", "r.sarif", "r.gitlab":
					if !json.Valid(file.Data) {
						t.Fatalf("%s is no JSON: %q", path, file.Data)
					}
				}
				if bytes.ContainsRune(file.Data, '\x1b') || !utf8.Valid(file.Data) {
					t.Fatalf("%s: a terminal escape, or not UTF-8: %q", path, file.Data)
				}
			}
		}
	})
}
