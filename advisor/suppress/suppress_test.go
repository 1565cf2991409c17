package suppress_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/advisor/suppress"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

var policy = suppress.Policy{
	Today: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC),
	Known: func(name string) bool { return name == "test" || name == "test/x" || name == "test/y" },
	Ran:   func(id string) bool { return id == "test/x" },
}

// textX finds every parallelism.default and every taskmanager.numberOfTaskSlots.
var testX = &advisor.Rule{
	ID: "test/x", Severity: advisor.Warning, Impact: advisor.Slow, Confidence: advisor.Certain,
	Check: func(t *advisor.Target, r *advisor.Report) {
		for _, key := range []string{"parallelism.default", "taskmanager.numberOfTaskSlots"} {
			if l, ok := t.Label(key, ""); ok {
				r.Find(advisor.Finding{Message: key, Labels: []advisor.Label{l}})
			}
		}
	},
}

func run(t *testing.T, text string, s ...advisor.Suppressor) []string {
	t.Helper()
	doc, err := conf.ParseFlat(source.NewFile("flink-conf.yaml", []byte(text)).Whole())
	if err != nil {
		t.Fatal(err)
	}
	target, err := advisor.NewTarget(advisor.TargetInput{
		Name: "flink-conf.yaml", Documents: []*conf.Document{doc}, Version: version.Of(1, 20),
		Layers: []conf.Layer{{Name: "flink-conf.yaml", Dialect: conf.Flat, Entries: doc.Entries}},
	})
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range advisor.Run(target, []*advisor.Rule{testX}, s...).Findings {
		line := fmt.Sprintf("%d %s: %s", f.Primary().Span.Line, f.Rule.ID, f.Message)
		if f.Suppressed != nil {
			line += " (" + f.Suppressed.Kind + ": " + f.Suppressed.Reason + ")"
		}
		out = append(out, line)
	}
	return out
}

func TestComments(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"above", "# flinkadvise:ignore test/x -- sized with ops\nparallelism.default: 4\n", []string{"2 test/x: parallelism.default (inline: sized with ops)"}},
		{"above, with comments between", "# flinkadvise:ignore test/x -- r\n# more\n\nparallelism.default: 4\n", []string{"4 test/x: parallelism.default (inline: r)"}},
		{"at the end", "parallelism.default: 4 # flinkadvise:ignore test -- r\n", []string{"1 test/x: parallelism.default (inline: r)"}},
		{"this line only", "# flinkadvise:ignore test/x -- r\nparallelism.default: 4\ntaskmanager.numberOfTaskSlots: 2\n", []string{"2 test/x: parallelism.default (inline: r)", "3 test/x: taskmanager.numberOfTaskSlots"}},
		{"file", "# flinkadvise:ignore-file test/y,test/x -- r\nparallelism.default: 4\ntaskmanager.numberOfTaskSlots: 2\n", []string{"2 test/x: parallelism.default (inline: r)", "3 test/x: taskmanager.numberOfTaskSlots (inline: r)"}},
		{"file, too late", "a: b\n# flinkadvise:ignore-file test/x -- r\n", []string{"2 suppression/malformed: this suppression does not count: flinkadvise:ignore-file must stand before the first option"}},
		{"no reason", "parallelism.default: 4 # flinkadvise:ignore test/x\n", []string{
			"1 suppression/malformed: this suppression does not count: the reason is missing: write `-- why` at the end", "1 test/x: parallelism.default",
		}},
		{"unknown rule", "a: b # flinkadvise:ignore test/z -- r\n", []string{`1 suppression/malformed: this suppression does not count: there is no rule or category "test/z"`}},
		{"unknown verb", "a: b # flinkadvise:disable test/x -- r\n", []string{"1 suppression/malformed: this suppression does not count: flinkadvise:disable is not known; write flinkadvise:ignore or flinkadvise:ignore-file"}},
		{"still good today", "parallelism.default: 4 # flinkadvise:ignore test/x until 2026-12-01 -- r\n", []string{"1 test/x: parallelism.default (inline: r)"}},
		{"expired", "parallelism.default: 4 # flinkadvise:ignore test/x until 2026-11-30 -- r\n", []string{"1 test/x: parallelism.default", "1 suppression/expired: the reason given here ran out on 2026-11-30"}},
		{"unused", "a: b # flinkadvise:ignore test/x -- r\n", []string{"1 suppression/unused: this suppression hides nothing"}},
		{"of a rule that did not run", "a: b # flinkadvise:ignore test/y -- r\n", []string{}},
		{"not a comment", "a: b#flinkadvise:ignore test/x -- r\n", []string{}},
	} {
		if diff := cmp.Diff(c.want, run(t, c.text, suppress.Comments(policy))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestLockedRulesStay(t *testing.T) {
	locked := policy
	locked.Locked = []string{"test"}
	got := run(t, "parallelism.default: 4 # flinkadvise:ignore test/x -- r\n", suppress.Comments(locked))
	want := []string{"1 suppression/locked: test/x is locked by the settings and cannot be suppressed", "1 test/x: parallelism.default"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSettings(t *testing.T) {
	text := "parallelism.default: 4\ntaskmanager.numberOfTaskSlots: 2\n"
	got := run(t, text, suppress.Settings(policy, []settings.Ignore{
		{Rule: "test/x", Paths: []string{"flink-conf.yaml"}, Keys: []string{"parallelism.default"}, Reason: "ours"},
		{Rule: "test/x", Paths: []string{"other/**"}, Reason: "elsewhere"},
		{Rule: "test", Until: "2026-01-01", Reason: "old"},
	}))
	want := []string{
		"1 test/x: parallelism.default (settings: ours)", "2 test/x: taskmanager.numberOfTaskSlots",
		"0 suppression/expired: the suppression of test in the settings ran out on 2026-01-01",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBaselineSurvivesMovedLinesAndOnlyShrinks(t *testing.T) {
	findings := func(text string) []*advisor.Finding {
		doc, _ := conf.ParseFlat(source.NewFile("f", []byte(text)).Whole())
		target, err := advisor.NewTarget(advisor.TargetInput{Name: "f", Documents: []*conf.Document{doc}, Version: version.Of(1, 20), Layers: []conf.Layer{{Name: "f", Entries: doc.Entries}}})
		if err != nil {
			t.Fatal(err)
		}
		return advisor.Run(target, []*advisor.Rule{testX}).Findings
	}
	old := suppress.MakeBaseline(findings("parallelism.default: 4\n"), nil)
	data, err := old.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := suppress.ReadBaseline("b.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(old, read); diff != "" {
		t.Errorf("round trip:\n%s", diff)
	}
	now := findings("# moved\nparallelism.default: 8\ntaskmanager.numberOfTaskSlots: 2\n")
	if fixed := read.Apply(now); len(fixed) != 0 {
		t.Errorf("fixed: %v", fixed)
	}
	if now[0].Suppressed == nil || now[1].Suppressed != nil {
		t.Errorf("the known finding must pass and the new one must not")
	}
	if b := suppress.MakeBaseline(now, read); len(b.Findings) != 1 {
		t.Errorf("the baseline grew: %v", b.Findings)
	}
	if fixed := read.Apply(findings("a: b\n")); len(fixed) != 1 || fixed[0].Key != "parallelism.default" {
		t.Errorf("fixed: %v", fixed)
	}
	if _, err := suppress.ReadBaseline("b.json", []byte(`{"version": 9}`)); err == nil {
		t.Error("a baseline of an unknown version was read")
	}
}
