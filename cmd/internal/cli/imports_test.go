package cli

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/flinkadvise/flinkadvise"

// listed is what go list says of a package.
type listed struct {
	ImportPath                string
	Imports, Deps             []string
	TestImports, XTestImports []string
}

func goList(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps,TestImports,XTestImports", module+"/...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var packages []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// in tells whether path is the package at root or below it.
func in(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// floors are the houses from the ground up: a package may import its own floor and those below it.
var floors = []string{"schema", "advisor/budget", "advisor/defect", "advisor", "checks", "cmd"}

func floor(path string) int {
	rel := strings.TrimPrefix(path, module+"/")
	for i, f := range floors {
		if in(rel, f) {
			return i
		}
	}
	return len(floors)
}

// TestImportsRunDownwards keeps the houses apart: what may be written knows nothing of what it means, and that nothing of how it is shown.
func TestImportsRunDownwards(t *testing.T) {
	for _, p := range goList(t) {
		for _, i := range p.Imports {
			if in(i, module) && floor(i) > floor(p.ImportPath) {
				t.Errorf("%s imports %s, which stands above it", p.ImportPath, i)
			}
		}
	}
}

// restricted lists packages that only some of ours may import, and why.
var restricted = []struct {
	prefix  string
	allowed []string
	reason  string
}{
	{"github.com/knadh/koanf", []string{"schema/conf", "schema/job", "advisor/settings"}, "layers are merged in one place each"},
	{"go.yaml.in/yaml", []string{"schema/conf", "schema/job", "advisor/settings"}, "YAML is read where spans are made, nowhere else"},
	{"gopkg.in/yaml", nil, "go.yaml.in/yaml is the maintained one"},
	{"github.com/olekukonko/tablewriter", []string{"advisor/render"}, "only renderers draw"},
	{"github.com/google/go-cmp", nil, "for tests"},
	{"pgregory.net/rapid", nil, "for tests"},
	{"net/http", nil, "no network"},
	{"net", nil, "no network"},
	{"os/exec", []string{"cmd/internal/cli"}, "only the command line starts programs (git)"},
	{"os", []string{"cmd"}, "files are read by the command line; everything else takes bytes"},
}

func TestRestrictedImports(t *testing.T) {
	for _, p := range goList(t) {
		if slices.ContainsFunc([]string{"checks/internal/checktest", "schema/option/generate", "schema/conformance"}, func(dir string) bool { return in(p.ImportPath, module+"/"+dir) }) {
			continue // test support and generators: they run beside the program, never in it
		}
		for _, i := range p.Imports {
			for _, r := range restricted {
				exact := i == r.prefix || strings.Contains(r.prefix, ".") && strings.HasPrefix(i, r.prefix)
				if exact && !slices.ContainsFunc(r.allowed, func(a string) bool { return in(p.ImportPath, module+"/"+a) }) {
					t.Errorf("%s imports %s: %s", p.ImportPath, i, r.reason)
				}
			}
		}
	}
}

// TestNoNetwork looks through everything that the program links.
func TestNoNetwork(t *testing.T) {
	for _, p := range goList(t) {
		if p.ImportPath == module+"/cmd/flinkadvise" && slices.Contains(p.Deps, "net/http") {
			t.Error("the program links net/http")
		}
	}
}

// TestRulesDoNotKnowEachOther keeps the categories apart.
func TestRulesDoNotKnowEachOther(t *testing.T) {
	for _, p := range goList(t) {
		if !strings.HasPrefix(p.ImportPath, module+"/checks/") {
			continue
		}
		for _, i := range p.Imports {
			if strings.HasPrefix(i, module+"/checks/") && !in(i, module+"/checks/internal") {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
	}
}
