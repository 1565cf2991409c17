package checks

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/suppress"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// TestEveryRuleIsWhole demands of every rule what a user and a contributor rely on: an id, defaults, a page, known options, a firing and a silent case.
func TestEveryRuleIsWhole(t *testing.T) {
	id := regexp.MustCompile(`^[a-z]+/[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range All() {
		if !id.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("%q is not a good or not a new id", r.ID)
		}
		seen[r.ID] = true
		if r.Since == "" || r.Severity == 0 || r.Impact == 0 || r.Confidence == 0 || r.Check == nil {
			t.Errorf("%s: since, severity, impact, confidence and check are required", r.ID)
		}
		if !strings.HasPrefix(r.Doc, "# "+r.ID+"\n") {
			t.Errorf("%s: the page does not begin with its id", r.ID)
		}
		for _, key := range r.Reads {
			if _, ok := option.History(key); !ok && !knownNow(key) {
				t.Errorf("%s reads %s, which is no option of any version", r.ID, key)
			}
		}
		for _, fact := range r.Facts {
			if !slices.ContainsFunc(job.Names(), func(name string) bool { return name == fact || strings.HasPrefix(name, fact+".") }) {
				t.Errorf("%s uses %s, which is no fact of the job file", r.ID, fact)
			}
		}
		for _, th := range r.Thresholds {
			if th.Name == "" || th.Unit == "" || th.Why == "" || !strings.Contains(r.Doc, "`"+th.Name+"`") {
				t.Errorf("%s: the threshold %q needs a unit, a reason and a word on the page", r.ID, th.Name)
			}
		}
		if !slices.Contains(suppress.Rules, r) { // those have their cases beside the suppressors
			hasCases(t, r)
		}
	}
}

func knownNow(key string) bool {
	_, ok := option.Lookup(key, version.Newest())
	return ok
}

func hasCases(t *testing.T, r *advisor.Rule) {
	t.Helper()
	category, name, _ := strings.Cut(r.ID, "/")
	files, _ := filepath.Glob(filepath.Join(category, "testdata", name, "*.txtar"))
	firing := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), `# want "`) || strings.Contains(string(data), "want-anywhere: ") {
			firing++
		}
	}
	if firing == 0 || firing == len(files) {
		t.Errorf("%s: %d of %d cases in checks/%s/testdata/%s fire; one must and one must not", r.ID, firing, len(files), category, name)
	}
}

// TestEveryRuleIsListed finds rules that were written and forgotten: every page beside a rule belongs to a listed rule.
func TestEveryRuleIsListed(t *testing.T) {
	pages, _ := filepath.Glob("*/*.md")
	var listed []string
	for _, r := range All() {
		listed = append(listed, r.ID+".md")
	}
	for _, p := range pages {
		if !slices.Contains(listed, filepath.ToSlash(p)) {
			t.Errorf("%s is the page of no listed rule", p)
		}
	}
	if len(checktest.Headings) == 0 {
		t.Error("pages have no headings")
	}
}
