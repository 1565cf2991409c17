package render_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	secret = "s3cr3t-value-that-must-not-show"
	config = "# Our cluster\n" +
		"taskmanager.memory.process.size: 2g\n" +
		"taskmanager.memory.task.heap.size: 1g\n" +
		"s3.secret-key: " + secret + "\n" +
		"# fs.s3a.secret.key: old-" + secret + "\n" +
		"parallelism.default: 4 # \x1b[31mred\n" +
		"metrics.reporter.prom.filter.includes: *:numRecordsIn:counter,meter;*:numRecordsOut:counter,meter;*:a-long-tail-that-goes-on-and-on\n"
)

const page = "# test/rule\n\nA rule that tests the renderers.\n"

// report is one of everything.
func report(t *testing.T) *render.Report {
	t.Helper()
	doc, err := conf.ParseFlat(source.NewFile("conf/flink-conf.yaml", []byte(config)).Whole())
	if err != nil {
		t.Fatal(err)
	}
	target, err := advisor.NewTarget(advisor.TargetInput{
		Name: "conf/flink-conf.yaml", Documents: []*conf.Document{doc}, Version: version.MustParse("1.20.3"), VersionFrom: "job.yaml:2",
		Layers: []conf.Layer{{Name: doc.Path(), Dialect: conf.Flat, Entries: doc.Entries}},
	})
	if err != nil {
		t.Fatal(err)
	}
	base := advisor.Rule{Since: "0.1", Severity: advisor.Warning, Impact: advisor.Unstable, Confidence: advisor.Likely, Doc: page}
	with := func(id string, check func(*advisor.Target, *advisor.Report)) *advisor.Rule {
		r := base
		r.ID, r.Check = id, check
		return &r
	}
	rules := []*advisor.Rule{
		with("test/sum", func(t *advisor.Target, r *advisor.Report) {
			r.Find(advisor.Finding{
				Severity: advisor.Error, Impact: advisor.WontStart, Confidence: advisor.Certain,
				Message: "TaskManager parts need 2.66 GiB, the process is capped at 2 GiB",
				Labels: t.Labels("taskmanager.memory.process.size", "cap for the whole process",
					"taskmanager.memory.task.heap.size", "1 GiB task heap"),
				Terms: []budget.Term{
					{Name: "task heap", Value: 1 << 30, Unit: budget.Bytes, Origin: conf.Given, From: "conf/flink-conf.yaml:3"},
					{Name: "framework heap", Value: 128 << 20, Unit: budget.Bytes, Origin: conf.Default, From: "default of Flink 1.20"},
					{Name: "storage", Value: 80e6, Unit: budget.BytesPerSecond, Origin: conf.Assumed, From: "checkpointStorage.throughput would replace it"},
				},
				Notes: []string{"Flink 1.20 stops at start-up with this configuration"},
				Help:  "raise the cap, or unset one part so that Flink derives it",
				Edits: []advisor.Edit{advisor.Set("taskmanager.memory.process.size", "2816m", false), advisor.Set("taskmanager.memory.managed.fraction", "0.3", false)},
			})
		}),
		with("test/follow", func(t *advisor.Target, r *advisor.Report) {
			r.Find(advisor.Finding{Message: "a consequence", CausedBy: []string{"test/sum"}})
		}),
		with("test/secret", func(t *advisor.Target, r *advisor.Report) {
			r.Find(advisor.Finding{
				Message: "the key is " + secret, Labels: t.Labels("s3.secret-key", "the value "+secret), Notes: []string{secret}, Help: "remove " + secret,
				Edits: []advisor.Edit{advisor.Unset("s3.secret-key", true)},
			})
			l, _ := t.Label("parallelism.default", "\x1b[2J escapes")
			r.Find(advisor.Finding{Severity: advisor.Advice, Message: "control \x1b[31mcharacters | and <b>markup</b>", Labels: []advisor.Label{l}})
			m, _ := t.Label("metrics.reporter.prom.filter.includes", "long")
			r.Find(advisor.Finding{Severity: advisor.Advice, Impact: advisor.Hygiene, Message: "a long line", Labels: []advisor.Label{m}})
			r.NotAssessed("state.size", "checkpointStorage.throughput")
		}),
		with("test/quiet", func(*advisor.Target, *advisor.Report) {}),
	}
	r := render.NewReport("1.2.3", []*advisor.Result{advisor.Run(target, rules)})
	r.FailOn, r.Failed = advisor.Error, true
	return r
}

var outputs = []struct {
	name  string
	write func(io.Writer, *render.Report) error
}{
	{"report.txt", func(w io.Writer, r *render.Report) error { return render.Text(w, r, false) }},
	{"report-colour.txt", func(w io.Writer, r *render.Report) error { return render.Text(w, r, true) }},
	{"report.compact", render.Compact},
	{"report.json", render.JSON},
	{"report.sarif", render.SARIF},
	{"report.github", render.GitHub},
	{"report.gitlab.json", render.GitLab},
	{"report.junit.xml", render.JUnit},
	{"report.md", render.Markdown},
}

func TestGolden(t *testing.T) {
	for _, o := range outputs {
		var buf bytes.Buffer
		if err := o.write(&buf, report(t)); err != nil {
			t.Fatalf("%s: %v", o.name, err)
		}
		file := filepath.Join("testdata", o.name)
		if *update {
			if err := os.WriteFile(file, buf.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), buf.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", o.name, diff)
		}
	}
}

func TestSecretsAndEscapesNeverShow(t *testing.T) {
	for _, o := range outputs {
		var buf bytes.Buffer
		if err := o.write(&buf, report(t)); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(buf.String(), secret) {
			t.Errorf("%s prints a secret", o.name)
		}
		text := buf.String()
		if o.name == "report-colour.txt" {
			for _, sgr := range []string{"[1;31m", "[1;33m", "[1;36m", "[34m", "[32m", "[1m", "[2m", "[0m"} {
				text = strings.ReplaceAll(text, "\x1b"+sgr, "")
			}
		}
		if strings.ContainsRune(text, '\x1b') {
			t.Errorf("%s passes a terminal escape through", o.name)
		}
		for line := range strings.Lines(buf.String()) {
			if strings.TrimRight(line, " \n") != strings.TrimRight(line, "\n") && o.name == "report.txt" {
				t.Errorf("%s: line ends in blanks: %q", o.name, line)
			}
		}
	}
}

func TestFormatsAreWellFormed(t *testing.T) {
	for _, o := range outputs {
		var buf bytes.Buffer
		if err := o.write(&buf, report(t)); err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(o.name, ".json"), strings.HasSuffix(o.name, ".sarif"):
			if !json.Valid(buf.Bytes()) {
				t.Errorf("%s is not JSON", o.name)
			}
		case strings.HasSuffix(o.name, ".xml"):
			if err := xml.Unmarshal(buf.Bytes(), new(struct{ XMLName xml.Name })); err != nil {
				t.Errorf("%s: %v", o.name, err)
			}
		}
	}
}
