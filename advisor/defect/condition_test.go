package defect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// contextOf is a context of a Flink release, lines of flink-conf.yaml and a job file; the job file may be empty.
func contextOf(t testing.TB, flink, lines, jobFile string) *Context {
	t.Helper()
	c := &Context{Flink: version.MustParse(flink)}
	doc, err := conf.ParseFlat(source.NewFile("flink-conf.yaml", []byte(strings.ReplaceAll(lines, "; ", "\n"))).Whole())
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range doc.Faults {
		if fault.Kind != conf.FaultQuotesKept {
			t.Fatalf("a fault in the configuration of the test: %+v", fault)
		}
	}
	c.Conf, err = conf.Merge(c.Flink, conf.Layer{Name: "flink-conf.yaml", Dialect: conf.Flat, Entries: doc.Entries})
	if err != nil {
		t.Fatal(err)
	}
	c.Job, err = job.Parse(source.NewFile("job.yaml", []byte("version: 1\n"+jobFile)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConditions(t *testing.T) {
	const configuration = `execution.checkpointing.unaligned: true
execution.checkpointing.interval: 30 s
taskmanager.memory.process.size: 4g
metrics.reporter.prom.port: 9250
s3.entropy.key: "_entropy_"
state.backend: RocksDB`
	const jobFile = `java: 11
job:
  api: sql
  vertices:
    - {id: a, source: {kind: kafka}}
    - {id: b, sink: {kind: kafka, guarantee: exactly-once}}
    - {id: c, sink: {kind: jdbc}}
  edges:
    - {from: a, to: b, shipStrategy: HASH}
    - {from: a, to: c}
`
	cases := []struct {
		condition string
		want      Truth
		missing   string
	}{
		{"always", True, ""},
		{"not always", False, ""},
		{"execution.checkpointing.unaligned.enabled == true", True, ""}, // today's name on 1.13
		{"execution.checkpointing.unaligned == true", True, ""},
		{"execution.checkpointing.unaligned.enabled != true", False, ""},
		{"execution.checkpointing.interval < 1min", True, ""},
		{"execution.checkpointing.interval >= 31s", False, ""},
		{"execution.checkpointing.timeout == 10min", True, ""}, // Flink's default
		{"execution.checkpointing.max-concurrent-checkpoints > 1", False, ""},
		{"taskmanager.memory.process.size > 4gb", False, ""},
		{"taskmanager.memory.process.size == 4096m", True, ""},
		{"state.backend.type in [forst, rocksdb]", True, ""},
		{"state.backend.type in [forst]", False, ""},
		{"state.backend.type startsWith rocks", True, ""},
		{"execution.checkpointing.mode == exactly-once", False, ""}, // spelt as Flink prints it
		{"execution.checkpointing.mode == EXACTLY_ONCE", True, ""},
		{"set(execution.checkpointing.timeout)", False, ""},
		{"set(execution.checkpointing.interval)", True, ""},
		{"set(metrics.reporter.*.port)", True, ""},
		{"set(metrics.reporter.*.host)", False, ""},
		{"set(metrics.**)", True, ""},
		{"bare(metrics.reporter.*.port)", False, ""}, // the flat dialect knows text alone
		{"quoted(s3.entropy.key)", True, ""},
		{"quoted(metrics.reporter.*.port)", False, ""},
		{"table.optimizer.multi-join.enabled == true", False, ""}, // unknown to 1.13
		{"table.optimizer.multi-join.enabled != true", True, ""},
		{"java >= 11", True, ""},
		{"java < 11", False, ""},
		{"job.api == sql and java == 11", True, ""},
		{"job.type == batch", Unknown, "job.type"},
		{"not job.type == batch", Unknown, "job.type"},
		{"job.type == batch and always", Unknown, "job.type"},
		{"job.type == batch or always", True, ""},
		{"job.type == batch and not always", False, ""},
		{"job.type == batch or deployment.mode == session", Unknown, "deployment.mode job.type"},
		{`"the moon is full"`, Unknown, ""},
		{`"the moon is full" or java == 11`, True, ""},
		{"sink[kind == kafka and guarantee == exactly-once]", True, ""},
		{"sink[kind == file]", False, ""},
		{"sink[guarantee == at-least-once]", Unknown, "job.vertices.sink.guarantee"},
		{"source[kind == kafka]", True, ""},
		{"window[kind == sliding]", Unknown, "job.vertices.window"},
		{"edge[shipStrategy == HASH]", True, ""},
		{"edge[shipStrategy == BROADCAST]", Unknown, "job.edges.shipStrategy"},
		{"upgrade.from < 1.13.2", Unknown, "upgrade.from"},
		{"not (java == 11 and job.api == sql) or java == 11", True, ""},
		{"java == 8 or java == 11 and job.api == python", False, ""}, // and before or
	}
	c := contextOf(t, "1.13.1", configuration, jobFile)
	for _, tc := range cases {
		x, err := parseCondition(tc.condition, nil)
		if err != nil {
			t.Errorf("%s: %v", tc.condition, err)
			continue
		}
		v := x.eval(&scope{Context: c})
		if v.Truth != tc.want || strings.Join(v.Facts, " ") != tc.missing {
			t.Errorf("%s is %s, missing %v; want %s, %q", tc.condition, v.Truth, v.Facts, tc.want, tc.missing)
		}
	}
}

func TestFromIsAFact(t *testing.T) {
	x, err := parseCondition("upgrade.from >= 1.13.0 and upgrade.from < 1.13.2", nil)
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]Truth{"1.12.7": False, "1.13.0": True, "1.13.1": True, "1.13.2": False, "1.14.0": False} {
		if v := x.eval(&scope{Context: &Context{From: version.MustParse(from)}}); v.Truth != want {
			t.Errorf("from %s: %s, want %s", from, v.Truth, want)
		}
	}
}

// Without configuration and job nothing is true that asks for them, and facts are missing.
func TestEmptyContext(t *testing.T) {
	for _, d := range entries(t) {
		if v := d.Eval(&Context{}); v.Truth == True && !d.ByVersionAlone() && d.When != "not HA" {
			t.Errorf("%s: %s is true of nothing", d.ID, d.When)
		}
	}
}

func TestPlaceholdersAreUnknown(t *testing.T) {
	v := version.MustParse("1.13.1")
	e, err := conf.Merge(v, conf.Layer{Name: "values.yaml", Dialect: conf.Flat, Entries: []conf.Entry{
		{Key: "execution.checkpointing.unaligned", Value: "${UNALIGNED}", Text: "${UNALIGNED}", Placeholder: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := ByID("FLINK-22946")[0].Eval(&Context{Flink: v, Conf: e})
	if got.Truth != Unknown || len(got.Facts) != 1 || got.Facts[0] != "execution.checkpointing.unaligned" {
		t.Errorf("a placeholder gives %+v", got)
	}
}

// A plain number in config.yaml, and the same in quotes or in the flat dialect.
func TestBareValues(t *testing.T) {
	v := version.MustParse("1.20.4")
	for _, c := range []struct {
		entry conf.Entry
		want  Truth
	}{
		{conf.Entry{Key: "metrics.reporter.prom.port", Value: "9260", Text: "9260", Raw: "9260", Kind: conf.Int}, True},
		{conf.Entry{Key: "metrics.reporter.prom.port", Value: "9260", Text: "9260", Raw: `"9260"`, Kind: conf.Text}, False},
		{conf.Entry{Key: "metrics.reporter.prom.factory.class", Value: "true", Text: "true", Raw: "true", Kind: conf.Bool}, False},
	} {
		e, err := conf.Merge(v, conf.Layer{Name: "config.yaml", Dialect: conf.YAML, Entries: []conf.Entry{c.entry}})
		if err != nil {
			t.Fatal(err)
		}
		if got := ByID("FLINK-38704")[0].Eval(&Context{Flink: v, Conf: e}); got.Truth != c.want {
			t.Errorf("%s: %s gives %s, want %s", c.entry.Key, c.entry.Raw, got.Truth, c.want)
		}
	}
}

func TestReasonsNameThePlace(t *testing.T) {
	c := contextOf(t, "1.13.1", "state.backend: rocksdb; execution.checkpointing.unaligned: true", "")
	var got []string
	for _, r := range ByID("FLINK-22946")[0].Eval(c).Reasons {
		got = append(got, r.Name+" = "+r.Value+" ("+r.From+")")
	}
	want := []string{
		"execution.checkpointing.unaligned = true (flink-conf.yaml:2)",
		"execution.checkpointing.mode = EXACTLY_ONCE (default of Flink 1.13)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

func TestBrokenConditions(t *testing.T) {
	cases := map[string]string{
		"":                         "the condition ends where a condition is expected",
		"a ==":                     "the condition ends where a value is expected",
		"a":                        "the condition ends where a comparison of a is expected",
		"a == b c":                 "column 8: c where the end is expected",
		"(a == b":                  "the condition ends where ) is expected",
		"a in b":                   "column 6: b where [ is expected",
		"a in [b":                  "the condition ends where ] is expected",
		`"open`:                    "column 1: a text without closing quote",
		`""`:                       "a circumstance without words",
		"a = b":                    "column 3: = where a comparison of a is expected",
		"a == b & c == d":          `column 8: unexpected character '&'`,
		"set(":                     "the condition ends where a key is expected",
		"not":                      "the condition ends where a condition is expected",
		strings.Repeat("(", 50):    "the condition is nested deeper than 40 levels",
		strings.Repeat("not ", 50): "the condition is nested deeper than 40 levels",
	}
	for text, want := range cases {
		x, err := parseCondition(text, nil)
		if err == nil {
			t.Errorf("%q parses as %v", text, x)
		} else if err.Error() != want {
			t.Errorf("%q: %q, want %q", text, err, want)
		}
	}
}

// The parser and the evaluation take any text without panicking, and what parses is one of three values.
func FuzzCondition(f *testing.F) {
	c, err := decode(defectsText)
	if err != nil {
		f.Fatal(err)
	}
	for _, d := range c.defects {
		f.Add(d.When)
	}
	f.Add(`sink[kind in [a, "b c"]] and not (set(a.*.b) or quoted(c)) or x startsWith y`)
	for _, broken := range []string{"", "(", "a in [", `"`, "a == \"", "sink[sink[a == b]]", "not not not", "and", "a <"} {
		f.Add(broken)
	}
	ctx := contextOf(f, "1.13.1", "execution.checkpointing.unaligned: true; state.backend: rocksdb", "job:\n  vertices: [{id: a, sink: {kind: kafka}}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := parseCondition(text, nil)
		if err != nil {
			return
		}
		if v := x.eval(&scope{Context: ctx}); v.Truth < False || v.Truth > True {
			t.Errorf("%q is %d", text, v.Truth)
		}
		for _, v := range []Truth{False, True} {
			if !can(x, v) && x.eval(&scope{Context: ctx}).Truth == v {
				t.Errorf("%q is %s although it cannot be", text, v)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add("let A \"a\" = always\n\nid: X-1\nproduct: flink\nintroduced: 1.10.0\nfixed: open\nwhen: A\nsign: \"text\" in A.b < C\nedit: unset a\n")
	f.Add("id: X\nsign: \"\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := decode(text)
		if err != nil {
			return
		}
		for _, d := range c.defects {
			d.Eval(&Context{Flink: version.Newest()})
			d.Affects(version.Newest())
		}
	})
}

func TestConditionInWords(t *testing.T) {
	cases := map[string]string{
		"FLINK-22946":    "unaligned checkpoints",
		"CVE-2021-44228": "",
		"FLINK-18595":    "tasks are cancelled or fail over",
		"FLINK-22815":    "unaligned checkpoints and edge[shipStrategy == BROADCAST]",
		"FLINK-38574": "(the RocksDB state backend or the ForSt state backend) and incremental checkpoints and checkpoints and " +
			"(execution.checkpointing.interval < 10s or set(execution.checkpointing.min-pause) and execution.checkpointing.min-pause < 10s or " +
			"execution.checkpointing.max-concurrent-checkpoints > 1)",
	}
	for id, want := range cases {
		if got := ByID(id)[0].Condition(); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	for _, d := range entries(t) {
		if got := d.Condition(); strings.Contains(got, "_ALIGNED") || !d.ByVersionAlone() && got == "" {
			t.Errorf("%s: %q", d.ID, got)
		}
	}
}
