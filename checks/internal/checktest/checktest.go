// Package checktest runs a rule over its cases.
//
// A case is a txtar file in testdata/<name of the rule>/, for example testdata/no-separator/tab.txtar:
//
//	Why this case is here. Lines "flink: 1.13.1", "deployment: kubernetes-native" and "set: key=value" are settings.
//	-- flink-conf.yaml --
//	taskmanager.numberOfTaskSlots:4 # want "no blank"
//	-- job.yaml --
//	job: {parallelism: 4}
//	-- want.txt --
//	warning[syntax/no-separator]: …
//
// The configuration may stand in any carrier: a case with deployment.yaml or docker-compose.yml is read as the command reads it.
//
// A "# want" comment holds a regular expression (several: several strings) for a finding whose primary label is on that line; it is removed before the
// rule sees the file. A finding without place in the configuration is wanted by a line "want-anywhere: regexp" of the head. A case that wants
// nothing must stay silent. "not-assessed: fact, fact" in the head demands that entry. want.txt is what the user reads; go test -update writes it.
package checktest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

var update = flag.Bool("update", false, "rewrite the want.txt of every case")

const golden = "want.txt"

// settings are what the head of a case says.
type settings struct {
	version     version.Version
	deployment  budget.Deployment
	sets        []string
	anywhere    []string
	notAssessed []string
}

// Run runs the rule over every case of testdata/<name> and over the examples of its page. It demands a firing and a silent case.
func Run(t *testing.T, rule *advisor.Rule) {
	t.Helper()
	_, name, _ := strings.Cut(rule.ID, "/")
	files, err := filepath.Glob(filepath.Join("testdata", name, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	firing, silent := 0, 0
	for _, file := range files {
		t.Run(name+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			if runCase(t, rule, file) {
				firing++
			} else {
				silent++
			}
		})
	}
	if !t.Failed() && (firing == 0 || silent == 0) {
		t.Errorf("%s has %d firing and %d silent cases in testdata/%s; it needs one of each", rule.ID, firing, silent, name)
	}
	t.Run(name+"/page", func(t *testing.T) { runPage(t, rule) })
}

var wantComment = regexp.MustCompile(`[ \t]*# want((?: "(?:[^"\\]|\\.)*")+)[ \t]*$`)

// want is an expectation on a line.
type want struct {
	line    int
	pattern string
}

// strip removes the want comments of a file and returns them.
func strip(t *testing.T, data []byte) ([]byte, []want) {
	t.Helper()
	var wants []want
	lines := strings.Split(string(data), "\n")
	for i, l := range lines {
		m := wantComment.FindStringSubmatchIndex(l)
		if m == nil {
			continue
		}
		for rest := strings.TrimSpace(l[m[2]:m[3]]); rest != ""; rest = strings.TrimSpace(rest) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			pattern, _ := strconv.Unquote(quoted)
			wants = append(wants, want{i + 1, pattern})
			rest = rest[len(quoted):]
		}
		lines[i] = l[:m[0]]
	}
	return []byte(strings.Join(lines, "\n")), wants
}

func parseHead(t *testing.T, head []byte) settings {
	t.Helper()
	var s settings
	for line := range strings.Lines(string(head)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "flink":
			s.version = version.MustParse(value)
		case "deployment":
			s.deployment = budget.DeploymentOf(value)
		case "set":
			s.sets = append(s.sets, value)
		case "want-anywhere":
			s.anywhere = append(s.anywhere, value)
		case "not-assessed":
			s.notAssessed = strings.Split(value, ", ")
		}
	}
	return s
}

// Target reads a configuration, job facts and settings into a target, as the command does.
func target(t *testing.T, configName string, config, facts []byte, s settings) *advisor.Target {
	t.Helper()
	ver := s.version
	facted := job.Default()
	if len(facts) > 0 {
		var err error
		if facted, err = job.Parse(source.NewFile("job.yaml", facts), os.ReadFile); err != nil {
			t.Fatal(err)
		}
		if facted.Flink.Known {
			ver = facted.Flink.V
		}
		if facted.Deployment.Target.Known {
			s.deployment = budget.DeploymentOf(facted.Deployment.Target.V)
		}
	}
	found, err := carrier.Open(source.NewFile(configName, config), conf.Options{Version: ver})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("%s holds %d configurations; a case has one", configName, len(found))
	}
	carried := found[0]
	facted = job.Merge(carried.Facts, facted)
	from := "case"
	if !ver.Known() && carried.Facts.Flink.Known {
		ver, from = carried.Facts.Flink.V, carried.Facts.Flink.Origin()
	}
	if carried.Facts.Deployment.Target.Known {
		s.deployment = budget.DeploymentOf(facted.Deployment.Target.V)
	}
	set, err := conf.ParseArguments("--set", s.sets...)
	if err != nil {
		t.Fatal(err)
	}
	in := advisor.TargetInput{
		Name: configName, Documents: carried.Documents, Version: ver, VersionFrom: from, Deployment: s.deployment, Job: facted, Carried: carried,
		Layers: append(carried.Layers, set),
	}
	if facted.Flink.Known {
		in.VersionFrom = facted.Flink.Origin()
	}
	target, err := advisor.NewTarget(in)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// runCase runs one case and tells whether it wants findings.
func runCase(t *testing.T, rule *advisor.Rule, file string) bool {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(data)
	s := parseHead(t, archive.Comment)
	var configName string
	var config, facts, expected []byte
	var wants []want
	for _, f := range archive.Files {
		switch f.Name {
		case "job.yaml":
			facts = f.Data
		case golden:
			expected = f.Data
		default:
			configName = f.Name
			config, wants = strip(t, f.Data)
		}
	}
	res := advisor.Run(target(t, configName, config, facts, s), []*advisor.Rule{rule})
	if len(res.Panics) > 0 {
		t.Fatalf("the rule panicked: %s\n%s", res.Panics[0].Value, res.Panics[0].Stack)
	}
	compare(t, res.Findings, wants, s.anywhere)
	if s.notAssessed != nil {
		var needs []string
		for _, n := range res.NotAssessed {
			needs = append(needs, n.Needs...)
		}
		slices.Sort(s.notAssessed)
		if diff := cmp.Diff(s.notAssessed, needs); diff != "" {
			t.Errorf("not assessed (-want +got):\n%s", diff)
		}
	}
	checkText(t, file, archive, expected, res)
	return len(wants)+len(s.anywhere) > 0
}

// compare matches findings and expectations one to one.
func compare(t *testing.T, findings []*advisor.Finding, wants []want, anywhere []string) {
	t.Helper()
	for _, f := range findings {
		line := f.Primary().Span.Line
		i := slices.IndexFunc(wants, func(w want) bool { return w.line == line && regexp.MustCompile(w.pattern).MatchString(f.Message) })
		if i >= 0 {
			wants = slices.Delete(slices.Clone(wants), i, i+1)
			continue
		}
		i = slices.IndexFunc(anywhere, func(p string) bool { return regexp.MustCompile(p).MatchString(f.Message) })
		if i >= 0 {
			anywhere = slices.Delete(slices.Clone(anywhere), i, i+1)
			continue
		}
		t.Errorf("unexpected finding on line %d: %s", line, f.Message)
	}
	for _, w := range wants {
		t.Errorf("no finding on line %d matches %q", w.line, w.pattern)
	}
	for _, p := range anywhere {
		t.Errorf("no finding matches %q", p)
	}
}

// checkText compares what the user reads with want.txt, or writes it.
func checkText(t *testing.T, file string, archive *txtar.Archive, expected []byte, res *advisor.Result) {
	t.Helper()
	var buf bytes.Buffer
	report := render.NewReport("test", []*advisor.Result{res})
	if err := render.Findings(&buf, report); err != nil {
		t.Fatal(err)
	}
	if *update {
		archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == golden })
		if buf.Len() > 0 {
			archive.Files = append(archive.Files, txtar.File{Name: golden, Data: buf.Bytes()})
		}
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(expected), buf.String()); diff != "" {
		t.Errorf("text (-%s +got), go test -update rewrites it:\n%s", golden, diff)
	}
}

// Headings are those of every page, in order.
var Headings = []string{
	"What it finds", "Why it matters", "Example", "Instead", "How the figure is made", "Options", "When to ignore it", "Flink versions", "Sources",
}

// fence is a code block of a page: "```yaml flink-conf.yaml 1.18", the version being optional.
var fence = regexp.MustCompile("(?ms)^```yaml ([a-zA-Z.-]+)(?: ([0-9.]+))?\n(.*?)^```")

// runPage checks the page: title, summary, headings in order; the blocks below Example make the rule fire, those below Instead leave it silent.
func runPage(t *testing.T, rule *advisor.Rule) {
	t.Helper()
	if !strings.HasPrefix(rule.Doc, "# "+rule.ID+"\n") {
		t.Errorf("the page does not begin with %q", "# "+rule.ID)
	}
	if render.Summary(rule) == "" || strings.HasPrefix(render.Summary(rule), "#") {
		t.Error("the page has no summary below its title")
	}
	var headings []string
	sections := map[string]string{}
	for _, section := range strings.Split(rule.Doc, "\n## ")[1:] {
		heading, body, _ := strings.Cut(section, "\n")
		headings = append(headings, heading)
		sections[heading] = body
	}
	if diff := cmp.Diff(Headings, headings); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
	if n := pageFindings(t, rule, sections["Example"]); n == 0 {
		t.Error("the example does not make the rule fire")
	}
	if n := pageFindings(t, rule, sections["Instead"]); n != 0 {
		t.Errorf("the block below Instead still gives %d findings", n)
	}
}

func pageFindings(t *testing.T, rule *advisor.Rule, section string) int {
	t.Helper()
	var name string
	var config, facts []byte
	var s settings
	for _, m := range fence.FindAllStringSubmatch(section, -1) {
		if m[1] == "job.yaml" {
			facts = []byte(m[3])
			continue
		}
		name, config = m[1], []byte(m[3])
		if m[2] != "" {
			s.version = version.MustParse(m[2])
		}
	}
	if name == "" {
		t.Fatal("a section has no block ```yaml flink-conf.yaml")
	}
	return len(advisor.Run(target(t, name, config, facts, s), []*advisor.Rule{rule}).Findings)
}
