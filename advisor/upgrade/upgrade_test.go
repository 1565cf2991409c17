package upgrade_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/advisor/upgrade"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// input is a configuration file of its own.
func input(t testing.TB, name string, data []byte, from string, facts *job.Facts) advisor.TargetInput {
	t.Helper()
	parse := conf.ParseFlat
	if path.Base(name) == conf.YAMLName {
		parse = conf.ParseYAML
	}
	d, err := parse(source.NewFile(name, data).Whole())
	if err != nil {
		t.Fatal(err)
	}
	if facts == nil {
		facts = job.Default()
	}
	return advisor.TargetInput{
		Name: name, Documents: []*conf.Document{d}, Layers: []conf.Layer{d.Layer()}, Job: facts, Version: version.MustParse(from), VersionFrom: "test",
		Deployment: budget.DeploymentOf(facts.Deployment.Target.V),
	}
}

func analyse(t testing.TB, in advisor.TargetInput, to string) *upgrade.Report {
	t.Helper()
	r, err := upgrade.Analyse(in, version.MustParse(to), upgrade.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The cases are a txtar each: a comment with "from to", the old file, the expected new file, and the changes that the report lists.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var from, to string
			head, _, _ := strings.Cut(string(a.Comment), "\n")
			if _, err := fmt.Sscan(head, &from, &to); err != nil {
				t.Fatal(err)
			}
			in := input(t, a.Files[0].Name, a.Files[0].Data, from, nil)
			r := analyse(t, in, to)
			name, data, err := r.Rewrite()
			if err != nil {
				t.Fatal(err)
			}
			var changes strings.Builder
			for _, c := range r.Changes {
				if c.Kind != upgrade.Behaviour && c.Kind != upgrade.Default {
					fmt.Fprintf(&changes, "%s %s %s:%d %s (written %v)\n", c.Weight, c.Kind, c.Key, c.Span.Line, c.Message, c.Written)
				}
			}
			got := []txtar.File{a.Files[0], {Name: "new/" + name, Data: data}, {Name: "changes", Data: []byte(changes.String())}}
			if *update {
				if err := os.WriteFile(file, txtar.Format(&txtar.Archive{Comment: a.Comment, Files: got}), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(a.Files, got); diff != "" {
				t.Error(diff)
			}
			checkLoads(t, in, r, data)
		})
	}
}

// The incident: from 1.17 on network memory is no longer capped at 1 GiB, and takes from the heap.
func TestIncident(t *testing.T) {
	const folder = "../../examples/tm-crash/"
	data, err := os.ReadFile(folder + "flink-conf.yaml")
	if err != nil {
		t.Fatal(err)
	}
	jobData, err := os.ReadFile(folder + "job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	facts, err := job.Parse(source.NewFile("job.yaml", jobData), nil)
	if err != nil {
		t.Fatal(err)
	}
	// 1 GiB and 3.75 GiB, 2.656 and 2.312 GiB. The incident's log prints the slot profile with 2852126690 bytes.
	want := map[string][2]int64{"network memory": {1073741824, 4026531900}, "task heap of a slot": {2852126690, 2483027930}}
	for _, to := range []string{"1.17.2", "1.20.3", "2.2.1"} {
		r := analyse(t, input(t, "flink-conf.yaml", data, "1.13.1", facts), to)
		i := slices.IndexFunc(r.Changes, func(c upgrade.Change) bool { return c.Key == "taskmanager.memory.network.max" })
		if i < 0 {
			t.Fatalf("%s: no change of taskmanager.memory.network.max", to)
		}
		got := map[string][2]int64{}
		for _, b := range r.Changes[i].Effect {
			if _, ok := want[b.Name]; ok {
				got[b.Name] = [2]int64{*b.Old, *b.New}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", to, diff)
		}
		// The deadlock that the incident was is left behind.
		if !slices.ContainsFunc(r.Left, func(h defect.Hit) bool { return h.ID == "FLINK-22946" }) {
			t.Errorf("%s: FLINK-22946 is not left behind", to)
		}
	}
	// With the old cap written down nothing moves.
	r := analyse(t, input(t, "flink-conf.yaml", append(data, "taskmanager.memory.network.max: 1g\n"...), "1.13.1", facts), "1.17")
	for _, b := range r.Budgets {
		if b.Name == "network memory" || b.Name == "task heap" {
			t.Errorf("%s moves although the cap is set", b.Name)
		}
	}
}

func TestRefusesWhatIsNoUpgrade(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"1.20", "1.18", "1.18 is no upgrade from 1.20"}, {"1.20", "1.20", "1.20 is no upgrade"}, {"1.20.3", "1.20.1", "no upgrade"}, {"1.20", "9.9", "newest Flink that is known"},
	} {
		_, err := upgrade.Analyse(input(t, "flink-conf.yaml", []byte("parallelism.default: 1\n"), test.from, nil), version.MustParse(test.to), upgrade.Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s to %s: %v", test.from, test.to, err)
		}
	}
	if _, err := upgrade.Analyse(input(t, "flink-conf.yaml", []byte("parallelism.default: 1\n"), "1.20.1", nil), version.MustParse("1.20.3"), upgrade.Options{}); err != nil {
		t.Errorf("a patch release is an upgrade: %v", err)
	}
}

func TestTemplatesAreNotWritten(t *testing.T) {
	r := analyse(t, input(t, "flink-conf.yaml", []byte("parallelism.default: {{ n }}\n"), "1.13", nil), "2.2")
	if _, _, err := r.Rewrite(); err == nil || !strings.Contains(err.Error(), "template") {
		t.Errorf("got %v", err)
	}
}

// tester is what checkLoads needs of a test.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// checkLoads demands that the new version loads the new file, that what survives means the same, and that no comment is lost.
func checkLoads(t tester, in advisor.TargetInput, r *upgrade.Report, data []byte) {
	t.Helper()
	old := in.Documents[0]
	parse := conf.ParseFlat
	if old.Dialect == conf.YAML || r.Moves() {
		parse = conf.ParseYAML
	}
	d, err := parse(source.NewFile("new", data).Whole())
	if err != nil {
		t.Fatal(err)
	}
	if d.Fatal() {
		t.Fatalf("Flink would not load the new file: %+v\n%s", d.Faults, data)
	}
	after, err := conf.Merge(r.To, d.Layer())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range r.Before.Conf.Entries() {
		if e.Nested || strings.HasPrefix(e.Key, "\ufeff") || e.Placeholder {
			continue
		}
		m, ok := option.Lookup(e.Key, r.To)
		if !ok || m.Option == nil {
			continue
		}
		if _, read := option.Lookup(e.Key, r.From); !read {
			continue
		}
		before := r.Before.Conf.String(e.Key)
		if before.Entry != e {
			continue // another name of the option counts
		}
		was, is := value(r.Before.Conf, e.Key, m.Option.Kind), value(after, m.Option.Key, m.Option.Kind)
		if m.Via == option.ByPrefix || m.Via == option.ByFamily {
			was, is = e.Text, ""
			if x := after.Entry(e.Key); x != nil {
				is = x.Text
			}
		}
		if was != is && !known(e) {
			t.Errorf("%s: %q became %q", e.Key, was, is)
		}
	}
	at := 0
	for line := range strings.Lines(string(old.View.Data)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.Index(string(data[at:]), line)
		if i < 0 {
			t.Errorf("comment lost or moved: %q", line)
			continue
		}
		at += i + len(line)
	}
}

// known are values that are meant to change: their old form does not exist any more, or quotes that Flink took for a part of them are gone.
func known(e *conf.Entry) bool {
	switch strings.ToLower(e.Value) {
	case "filesystem", "jobmanager", "ng":
		return strings.HasPrefix(e.Key, "state.backend") || e.Key == "jobmanager.scheduler"
	}
	return strings.HasPrefix(e.Value, `"`) || strings.HasPrefix(e.Value, "'") || strings.HasPrefix(e.Key, "metrics.reporter.") && strings.HasSuffix(e.Key, ".class")
}

// value reads an option by its kind, as Flink's code would, and prints it.
func value(c *conf.Effective, key string, kind option.Kind) string {
	switch kind {
	case option.Boolean:
		return printed(c.Bool(key))
	case option.Int:
		return printed(c.Int(key))
	case option.Long:
		return printed(c.Long(key))
	case option.Double:
		return printed(c.Double(key))
	case option.Float:
		return printed(c.Fraction(key))
	case option.Memory:
		return printed(c.Memory(key))
	case option.Duration:
		return printed(c.Duration(key))
	case option.List:
		return printed(c.List(key))
	case option.Map:
		v := c.Map(key)
		slices.SortFunc(v.V, func(a, b quantity.Pair) int { return strings.Compare(a.Key, b.Key) })
		return printed(v)
	case option.Enum:
		return strings.ToLower(printed(c.String(key)))
	}
	return printed(c.String(key))
}

func printed[T any](v conf.Value[T]) string {
	if v.Err != nil {
		return "refused"
	}
	return fmt.Sprint(v.V)
}

// TestCorpus upgrades real files; it needs a folder of them.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("FLINKADVISE_CORPUS")
	if corpus == "" {
		t.Skip("FLINKADVISE_CORPUS names no folder with real files")
	}
	files, err := filepath.Glob(filepath.Join(corpus, "legacy-conf", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	written := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{"1.10", "1.13", "1.16", "1.20"} {
			for _, to := range []string{"1.20", "2.2"} {
				if from == to {
					continue
				}
				t.Run(filepath.Base(file)+" "+from+" "+to, func(t *testing.T) {
					in := input(t, "flink-conf.yaml", data, from, nil)
					r := analyse(t, in, to)
					_, out, err := r.Rewrite()
					if err != nil {
						if in.Documents[0].Templated {
							return
						}
						t.Fatal(err)
					}
					written++
					checkLoads(t, in, r, out)
				})
			}
		}
	}
	t.Logf("%d files written", written)
}

// Whatever stands in a flat file, the new file loads and means the same.
func TestAnyFlatFileBecomesLoadable(t *testing.T) {
	keys := []string{
		"taskmanager.memory.process.size", "parallelism.default", "state.checkpoints.dir", "state.backend", "high-availability", "high-availability.storageDir", "env.java.opts",
		"metrics.reporter.p.class", "pipeline.jars", "pipeline.global-job-parameters", "akka.ask.timeout", "pekko.ask.timeout", "web.port", "rest.port", "my.own.key",
		"taskmanager.network.numberOfBuffers", "taskmanager.heap.mb", "security.ssl.enabled", "execution.checkpointing.interval", "restart-strategy", "1", "true", "a b", "*x", "- y",
	}
	values := []string{
		"4", "010", "1.20", "1e3", "true", "True", "yes", "null", "~", "*:*:*", "a: b", "x#y", "'q'", `"q"`, `"open`, "[a, b]", "{a: b}", "a;b", "a:1,b:2", `k:'v:w'`, "10 s", "1728m", "hdfs://h:1/p", "@at", "%p", "`t`", "!t",
		"&a", "|", ">", "- x", "? x", "\u00e9", "\u00a0v", "0x1F", ".inf", "-Dx=y -Dz", "${HOME}", "=", "<<", "a\tb", `back\slash`, "12e4567", "filesystem", "ng",
	}
	rapid.Check(t, func(rt *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 8).Draw(rt, "lines") {
			switch rapid.IntRange(0, 9).Draw(rt, "kind") {
			case 0:
				b.WriteString(rapid.SampledFrom([]string{"# note", "", "  ", "\t# tab", "---", "stray", "key:", "  nested: 1", "...", "# \u2028 odd"}).Draw(rt, "other"))
			default:
				b.WriteString(rapid.SampledFrom([]string{"", "", "", "  ", "\t"}).Draw(rt, "indent"))
				b.WriteString(rapid.SampledFrom(keys).Draw(rt, "key") + rapid.SampledFrom([]string{": ", ": ", ":  ", " : ", ": \t"}).Draw(rt, "sep") + rapid.SampledFrom(values).Draw(rt, "value"))
				b.WriteString(rapid.SampledFrom([]string{"", "", " # c", "# c", "\t# c", "  "}).Draw(rt, "tail"))
			}
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n"}).Draw(rt, "end"))
		}
		text := b.String()
		from := rapid.SampledFrom([]string{"1.11", "1.13", "1.18", "1.20"}).Draw(rt, "from")
		in := input(t, "flink-conf.yaml", []byte(text), from, nil)
		r := analyse(t, in, "2.2")
		_, out, err := r.Rewrite()
		if err != nil {
			rt.Fatalf("%v\n%q", err, text)
		}
		d, err := conf.ParseYAML(source.NewFile("config.yaml", out).Whole())
		if err != nil || d.Fatal() {
			rt.Fatalf("not loadable: %v %+v\n%s", err, d.Faults, out)
		}
	})
}

// A config.yaml that loads stays one, however its keys are nested.
func TestAnyConfigYAMLStaysLoadable(t *testing.T) {
	keys := []string{
		"state.backend.type", "state.backend.incremental", "state.backend.local-recovery", "state.checkpoints.dir", "state.savepoints.dir", "execution.checkpointing.alignment-timeout",
		"execution.checkpointing.interval", "taskmanager.memory.process.size", "taskmanager.network.memory.buffers-per-channel", "taskmanager.network.memory.max", "akka.ask.timeout",
		"cluster.evenly-spread-out-slots", "security.ssl.enabled", "pipeline.jars", "web.port", "my.own.key", "jobmanager.scheduler",
	}
	values := map[string][]string{
		"pipeline.jars": {"a.jar;b.jar", "[a.jar, b.jar]", "\n- a.jar\n- b.jar"}, "my.own.key": {"x", "'quoted # text'", "|\n  block\n  text", "1.20"},
		"state.backend.incremental": {"true"}, "state.backend.local-recovery": {"true", "false"}, "cluster.evenly-spread-out-slots": {"true", "false"}, "security.ssl.enabled": {"true", "false"},
		"jobmanager.scheduler": {"Ng", "Adaptive"}, "state.backend.type": {"filesystem", "rocksdb"},
	}
	rapid.Check(t, func(rt *rapid.T) {
		chosen := map[string]string{}
		drawn := rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 1, 8, rapid.ID[string]).Draw(rt, "keys")
		for _, k := range drawn {
			list := values[k]
			if list == nil {
				list = []string{"10"}
			}
			chosen[k] = rapid.SampledFrom(list).Draw(rt, "value")
		}
		var b strings.Builder
		writeNested(rt, &b, drawn, chosen, "")
		text := b.String()
		in := input(t, "config.yaml", []byte(text), "1.19", nil)
		if in.Documents[0].Fatal() {
			rt.Fatalf("the test writes what Flink refuses:\n%s", text)
		}
		r := analyse(t, in, "2.2")
		_, out, err := r.Rewrite()
		if err != nil {
			rt.Fatalf("%v\n%s", err, text)
		}
		checkLoads(rt, in, r, out)
		if rt.Failed() {
			rt.Logf("from\n%s\nto\n%s", text, out)
		}
	})
}

// writeNested writes settings as YAML: each key dotted, or below headings that keys with the same beginning share.
func writeNested(rt *rapid.T, b *strings.Builder, keys []string, values map[string]string, indent string) {
	for len(keys) > 0 {
		if rapid.Bool().Draw(rt, "comment") {
			b.WriteString(indent + "# note\n")
		}
		first := keys[0]
		head, _, nested := strings.Cut(first, ".")
		if !nested || rapid.IntRange(0, 2).Draw(rt, "dotted") == 0 {
			b.WriteString(indent + first + ": " + strings.ReplaceAll(values[first], "\n", "\n"+indent+"  ") + "\n")
			keys = keys[1:]
			continue
		}
		var inner, rest []string
		below := map[string]string{}
		for _, k := range keys {
			if name, ok := strings.CutPrefix(k, head+"."); ok {
				inner = append(inner, name)
				below[name] = values[k]
			} else {
				rest = append(rest, k)
			}
		}
		b.WriteString(indent + head + ":\n")
		writeNested(rt, b, inner, below, indent+"  ")
		keys = rest
	}
}
