package advisor_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func input(t *testing.T, text string) advisor.TargetInput {
	t.Helper()
	doc, err := conf.ParseFlat(source.NewFile("flink-conf.yaml", []byte(text)).Whole())
	if err != nil {
		t.Fatal(err)
	}
	return advisor.TargetInput{
		Name: "flink-conf.yaml", Documents: []*conf.Document{doc}, Version: version.MustParse("1.20.3"), VersionFrom: "test",
		Layers: []conf.Layer{{Name: "flink-conf.yaml", Dialect: conf.Flat, Entries: doc.Entries}},
	}
}

func target(t *testing.T, text string) *advisor.Target {
	t.Helper()
	out, err := advisor.NewTarget(input(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rule reports one finding.
func rule(id string, f advisor.Finding) *advisor.Rule {
	return &advisor.Rule{
		ID: id, Severity: advisor.Warning, Impact: advisor.Slow, Confidence: advisor.Likely,
		Check: func(_ *advisor.Target, r *advisor.Report) { r.Find(f) },
	}
}

func ids(findings []*advisor.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Rule.ID)
	}
	return out
}

func TestRankIsATotalOrderWhateverTheOrderOfRules(t *testing.T) {
	tg := target(t, "parallelism.default: 2\n")
	rules := []*advisor.Rule{
		rule("a/last", advisor.Finding{Severity: advisor.Advice, Message: "m"}),
		rule("a/error", advisor.Finding{Severity: advisor.Error, Impact: advisor.Hygiene, Message: "m"}),
		rule("a/worse-error", advisor.Finding{Severity: advisor.Error, Impact: advisor.WontStart, Message: "m"}),
		rule("a/sure", advisor.Finding{Confidence: advisor.Certain, Message: "m"}),
		rule("a/far", advisor.Finding{Beyond: 3, Message: "m"}),
		rule("a/near", advisor.Finding{Beyond: 1.1, Message: "m"}),
		rule("a/saves", advisor.Finding{Saves: 10, Message: "m"}),
		rule("a/plain", advisor.Finding{Message: "m"}),
		rule("b/plain", advisor.Finding{Message: "m"}),
	}
	want := []string{"a/worse-error", "a/error", "a/sure", "a/far", "a/near", "a/saves", "a/plain", "b/plain", "a/last"}
	for range 20 {
		rand.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
		res := advisor.Run(tg, rules)
		if diff := cmp.Diff(want, ids(res.Findings)); diff != "" {
			t.Fatalf("order (-want +got):\n%s", diff)
		}
		for i, f := range res.Findings {
			if f.Rank != i+1 {
				t.Fatalf("%s has rank %d at place %d", f.Rule.ID, f.Rank, i+1)
			}
		}
	}
}

func TestAFollowOnIsFoldedUnderItsCauseButNeverUnderAMilderOne(t *testing.T) {
	tg := target(t, "parallelism.default: 2\n")
	res := advisor.Run(tg, []*advisor.Rule{
		rule("c/cause", advisor.Finding{Severity: advisor.Warning, Message: "m"}),
		rule("c/follows", advisor.Finding{Message: "m", CausedBy: []string{"c/cause"}}),
		rule("c/follows-further", advisor.Finding{Message: "m", CausedBy: []string{"c/follows"}}),
		rule("c/error", advisor.Finding{Severity: advisor.Error, Message: "m", CausedBy: []string{"c/cause"}}),
		rule("c/absent", advisor.Finding{Message: "m", CausedBy: []string{"c/nothing"}}),
		rule("c/circle-a", advisor.Finding{Message: "m", CausedBy: []string{"c/circle-b"}}),
		rule("c/circle-b", advisor.Finding{Message: "m", CausedBy: []string{"c/circle-a"}}),
	})
	if diff := cmp.Diff([]string{"c/error", "c/absent", "c/cause", "c/circle-a", "c/circle-b"}, ids(res.Findings)); diff != "" {
		t.Errorf("top findings (-want +got):\n%s", diff)
	}
	i := slices.IndexFunc(res.Findings, func(f *advisor.Finding) bool { return f.Rule.ID == "c/cause" })
	if diff := cmp.Diff([]string{"c/follows", "c/follows-further"}, ids(res.Findings[i].FollowOns)); diff != "" {
		t.Errorf("folded (-want +got):\n%s", diff)
	}
	for _, f := range res.Findings[i].FollowOns {
		if f.Rank != res.Findings[i].Rank {
			t.Errorf("%s has rank %d, its cause %d", f.Rule.ID, f.Rank, res.Findings[i].Rank)
		}
	}
}

func TestAFollowOnGoesUnderTheCauseAtItsOwnPlace(t *testing.T) {
	tg := target(t, "parallelism.default: x\ntaskmanager.numberOfTaskSlots: y\n")
	at := func(key, id string) *advisor.Rule {
		l, _ := tg.Label(key, "")
		return rule(id, advisor.Finding{Message: key, Labels: []advisor.Label{l}, CausedBy: []string{"c/cause"}})
	}
	res := advisor.Run(tg, []*advisor.Rule{
		at("parallelism.default", "c/cause"), at("taskmanager.numberOfTaskSlots", "c/cause"),
		at("parallelism.default", "c/follows"), at("taskmanager.numberOfTaskSlots", "c/follows"),
	})
	for _, f := range res.Findings {
		if len(f.FollowOns) != 1 || f.FollowOns[0].Message != f.Message {
			t.Errorf("%s has %d follow-ons", f.Message, len(f.FollowOns))
		}
	}
}

func TestARuleThatPanicsIsNamedAndTheOthersRun(t *testing.T) {
	bad := &advisor.Rule{ID: "p/bad", Check: func(*advisor.Target, *advisor.Report) { panic("boom") }}
	res := advisor.Run(target(t, "parallelism.default: 2\n"), []*advisor.Rule{bad, rule("p/good", advisor.Finding{Message: "m"})})
	if len(res.Panics) != 1 || res.Panics[0].Rule != bad || res.Panics[0].Value != "boom" || len(res.Findings) != 1 {
		t.Errorf("got %d panics and %d findings, want one each", len(res.Panics), len(res.Findings))
	}
}

func TestEditsFindTheirPlace(t *testing.T) {
	text := "taskmanager.memory.process.size: 2g\nstate.backend: rocksdb\nparallelism.default: 4\n"
	tg := target(t, text)
	res := advisor.Run(tg, []*advisor.Rule{rule("e/x", advisor.Finding{Message: "m", Edits: []advisor.Edit{
		advisor.Set("taskmanager.memory.process.size", "4g", false),
		advisor.Set("state.backend.type", "hashmap", false), // set under its old name
		advisor.Unset("parallelism.default", true),
		advisor.Set("execution.checkpointing.interval", "1min", false), // not set yet
	}})})
	var keys []string
	for _, e := range res.Findings[0].Edits {
		keys = append(keys, e.Key+" was "+e.Old)
	}
	want := []string{"taskmanager.memory.process.size was 2g", "state.backend was rocksdb", "parallelism.default was 4", "execution.checkpointing.interval was "}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
	got, done := advisor.ApplyEdits(tg.Documents[0].View.File, res.Findings[0].Edits)
	if diff := cmp.Diff("taskmanager.memory.process.size: 4g\nstate.backend: hashmap\nexecution.checkpointing.interval: 1min\n", string(got)); diff != "" || len(done) != 4 {
		t.Errorf("%d edits made (-want +got):\n%s", len(done), diff)
	}
}

func TestEditsKeepTheRestByteForByte(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		edits            []advisor.Edit
		want             string
	}{
		{"comment behind", "flink-conf.yaml", "a: 1 # one\n", []advisor.Edit{advisor.Set("a", "2", true), advisor.Set("b", "3", true)}, "a: 2 # one\nb: 3\n"},
		{"no final line end", "flink-conf.yaml", "a: 1", []advisor.Edit{advisor.Set("b", "3", true)}, "a: 1\nb: 3"},
		{"windows", "flink-conf.yaml", "a: 1\r\nc: 2\r\n", []advisor.Edit{advisor.Set("b", "3", true), advisor.Unset("a", true)}, "c: 2\r\nb: 3\r\n"},
		{"two new ones keep their order", "flink-conf.yaml", "a: 1\n", []advisor.Edit{advisor.Set("b", "3", true), advisor.Set("c", "4", true)}, "a: 1\nb: 3\nc: 4\n"},
		{"quotes stay", "config.yaml", "a: \"1\"\nb: '2'\n", []advisor.Edit{advisor.Set("a", "x", true), advisor.Set("b", "it's", true)}, "a: \"x\"\nb: 'it''s'\n"},
		{"quotes where YAML needs them", "config.yaml", "a: 1\n", []advisor.Edit{advisor.Set("a", "*:x", true)}, "a: '*:x'\n"},
		{"new option beside a nested one", "config.yaml", "a:\n  b: 1 # one\n", []advisor.Edit{advisor.Set("c.d", "3 min", true)}, "a:\n  b: 1 # one\nc.d: 3 min\n"},
		{"nested with sibling", "config.yaml", "a:\n  b: 1\n  c: 2\n", []advisor.Edit{advisor.Unset("a.b", true)}, "a:\n  c: 2\n"},
		{"the only child stays", "config.yaml", "a:\n  b: 1\nc: 2\n", []advisor.Edit{advisor.Unset("a.b", true)}, "a:\n  b: 1\nc: 2\n"},
		{"inside a flow mapping nothing goes", "config.yaml", "a: {b: 1, c: 2}\n", []advisor.Edit{advisor.Unset("a.b", true)}, "a: {b: 1, c: 2}\n"},
		{"a list of lines goes whole", "config.yaml", "x: 1\na:\n  - b\n  - c\ny: 2\n", []advisor.Edit{advisor.Unset("a", true)}, "x: 1\ny: 2\n"},
	} {
		doc, err := conf.Open(source.NewFile(c.file, []byte(c.text)).Whole(), conf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tg, err := advisor.NewTarget(advisor.TargetInput{Name: c.file, Documents: []*conf.Document{doc}, Layers: []conf.Layer{doc.Layer()}, Version: version.Of(1, 20)})
		if err != nil {
			t.Fatal(err)
		}
		res := advisor.Run(tg, []*advisor.Rule{rule("e/x", advisor.Finding{Message: "m", Edits: c.edits})})
		got, _ := advisor.ApplyEdits(doc.View.File, res.Findings[0].Edits)
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestThePlanHoldsNoTwoValuesForOneOption(t *testing.T) {
	in := input(t, "taskmanager.memory.process.size: 2g\nparallelism.default: 4\n")
	tg, err := advisor.NewTarget(in)
	if err != nil {
		t.Fatal(err)
	}
	res := advisor.Run(tg, []*advisor.Rule{
		rule("p/second", advisor.Finding{Message: "m", Edits: []advisor.Edit{advisor.Set("taskmanager.memory.process.size", "3g", false)}}),
		rule("p/first", advisor.Finding{Severity: advisor.Error, Message: "m", Edits: []advisor.Edit{
			advisor.Set("taskmanager.memory.process.size", "4g", false), advisor.Unset("parallelism.default", false),
		}}),
	})
	plan := advisor.MakePlan(res.Findings)
	if len(plan.Edits) != 2 || len(plan.Dropped) != 1 || plan.Dropped[0].New != "3g" {
		t.Fatalf("plan: %d edits, dropped %v", len(plan.Edits), plan.Dropped)
	}
	after, err := plan.Apply(in)
	if err != nil {
		t.Fatal(err)
	}
	if v := after.Conf.Memory("taskmanager.memory.process.size"); v.V.Config() != "4g" {
		t.Errorf("process size after the plan is %s", v.V.Pretty())
	}
	if after.Conf.Entry("parallelism.default") != nil {
		t.Error("a removed option is still there")
	}
}

func TestThePlanAddsNothingForAnOptionThatItChanges(t *testing.T) {
	tg := target(t, "execution.checkpointing.unaligned: true\nparallelism.default: 4\n")
	about := func(key string, f advisor.Finding) advisor.Finding {
		f.Message, f.Labels = "m", tg.Labels(key, "")
		return f
	}
	res := advisor.Run(tg, []*advisor.Rule{
		rule("p/off", about("execution.checkpointing.unaligned", advisor.Finding{Severity: advisor.Error, Edits: []advisor.Edit{
			advisor.Set("execution.checkpointing.unaligned", "false", false),
		}})),
		rule("p/later", about("execution.checkpointing.unaligned", advisor.Finding{Edits: []advisor.Edit{
			advisor.Set("execution.checkpointing.alignment-timeout", "30 s", false),
		}})),
		rule("p/other", about("parallelism.default", advisor.Finding{Edits: []advisor.Edit{advisor.Set("pipeline.max-parallelism", "128", false)}})),
	})
	plan := advisor.MakePlan(res.Findings)
	if len(plan.Edits) != 2 || len(plan.Dropped) != 1 || plan.Dropped[0].New != "30 s" {
		t.Errorf("plan: %v, dropped %v", plan.Edits, plan.Dropped)
	}
}

func TestFingerprintsSurviveMovedLines(t *testing.T) {
	find := func(text string) string {
		tg := target(t, text)
		return advisor.Run(tg, []*advisor.Rule{{ID: "f/x", Severity: advisor.Advice, Impact: advisor.Slow, Confidence: advisor.Likely, Check: func(t *advisor.Target, r *advisor.Report) {
			r.Find(advisor.Finding{Message: "m", Labels: t.Labels("parallelism.default", "here")})
		}}}).Findings[0].Fingerprint()
	}
	a := find("parallelism.default: 4\n")
	if b := find("# moved\n\nparallelism.default: 4\n"); a != b {
		t.Error("a moved line changed the fingerprint")
	}
	if c := find("parallelism.default: 5\n"); a == c {
		t.Error("another value has the same fingerprint")
	}
	if strings.Contains(a, " ") || len(a) != 32 {
		t.Errorf("fingerprint %q", a)
	}
}

func TestAValueThatIsFilledInLaterIsNotAssessed(t *testing.T) {
	tg := target(t, "parallelism.default: {{ .Values.parallelism }}\ntaskmanager.numberOfTaskSlots: 2\n")
	r := &advisor.Rule{ID: "t/x", Reads: []string{"parallelism.default", "taskmanager.numberOfTaskSlots"}, Check: func(*advisor.Target, *advisor.Report) {}}
	res := advisor.Run(tg, []*advisor.Rule{r})
	if len(res.NotAssessed) != 1 || len(res.NotAssessed[0].Needs) != 1 || res.NotAssessed[0].Needs[0] != "parallelism.default" {
		t.Errorf("not assessed: %v", res.NotAssessed)
	}
}
