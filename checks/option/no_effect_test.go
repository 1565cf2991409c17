package option

import (
	"slices"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// leastEntries is how many conditions the project promised.
const leastEntries = 60

// TestNoEffectData demands of every entry: all fields, keys of the catalogue, a condition that the types of the catalogue allow in every line of its range,
// an example that fires and one that does not.
func TestNoEffectData(t *testing.T) {
	list, err := decodeInert(noEffectText)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < leastEntries {
		t.Errorf("%d entries, want %d", len(list), leastEntries)
	}
	seen := map[string]bool{}
	for _, x := range list {
		t.Run(x.id, func(t *testing.T) {
			if seen[x.id] || x.why == "" || x.help == "" || x.source == "" || len(x.keys) == 0 || x.condition == "" {
				t.Fatal("the id is taken or a field is missing")
			}
			seen[x.id] = true
			for _, key := range slices.Concat(x.keys, x.except) {
				if !inCatalogue(key) {
					t.Errorf("no version has an option %s", key)
				}
			}
			typeCheck(t, x)
			if got := found(t, x.fires); !slices.Contains(got, x.id) {
				t.Errorf("%s does not fire; found %v", x.fires, got)
			}
			if got := found(t, x.silent); slices.Contains(got, x.id) {
				t.Errorf("%s fires", x.silent)
			}
		})
	}
}

// inCatalogue tells whether a pattern meets an option or a family of some version.
func inCatalogue(pattern string) bool {
	for _, v := range version.Minors {
		for o := range option.All(v) {
			if defect.Matches(pattern, o.Key) {
				return true
			}
		}
		for _, member := range []string{"x.env.y", "master.env.y", "gpu.amount"} {
			if _, ok := option.Lookup(strings.NewReplacer("**", member, "*", "x").Replace(pattern), v); ok {
				return true
			}
		}
	}
	return false
}

func typeCheck(t *testing.T, x *inert) {
	t.Helper()
	c, err := x.when()
	if err != nil {
		t.Fatal(err)
	}
	absent := map[string]int{}
	lines := 0
	for _, line := range version.Minors {
		if x.from.Known() && line.Compare(x.from) < 0 || x.until.Known() && line.Compare(x.until) > 0 {
			continue
		}
		lines++
		missing, errs := c.Check(line)
		for _, err := range errs {
			t.Errorf("%s: %v", line, err)
		}
		slices.Sort(missing)
		for _, key := range slices.Compact(missing) {
			absent[key]++
		}
	}
	for key, n := range absent {
		if n == lines {
			t.Errorf("the condition asks for %s, which no line of its range has", key)
		}
	}
}

// found lists the entries that fire for an example "VERSION | configuration | facts".
func found(t *testing.T, example string) []string {
	t.Helper()
	parts := append(strings.Split(example, " | "), "")
	file := source.NewFile("flink-conf.yaml", []byte(strings.ReplaceAll(parts[1], "; ", "\n")+"\n"))
	doc, err := conf.ParseFlat(file.Whole())
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Faults) > 0 {
		t.Fatalf("%s: %+v", example, doc.Faults[0])
	}
	facts := job.Default()
	if parts[2] != "" {
		if facts, err = job.Parse(source.NewFile("job.yaml", []byte(parts[2]+"\n")), nil); err != nil {
			t.Fatal(err)
		}
	}
	target, err := advisor.NewTarget(advisor.TargetInput{
		Name: "flink-conf.yaml", Documents: []*conf.Document{doc}, Layers: []conf.Layer{doc.Layer()}, Job: facts, Version: version.MustParse(parts[0]),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range target.Conf.Entries() {
		if _, ok := option.Lookup(e.Key, target.Version); !ok {
			t.Errorf("%s: Flink %s does not know %s", example, target.Version, e.Key)
		}
	}
	var ids []string
	for _, f := range advisor.Run(target, []*advisor.Rule{NoEffect}).Findings {
		ids = append(ids, f.Subject)
	}
	return ids
}
