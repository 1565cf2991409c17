package carrier

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A setting of the property test: values are such that every carrier can hold them as they are.
type setting struct{ key, value string }

func settings() *rapid.Generator[[]setting] {
	key := rapid.SampledFrom([]string{"taskmanager.numberOfTaskSlots", "taskmanager.memory.process.size", "state.backend", "state.backend.incremental", "parallelism.default",
		"execution.checkpointing.interval", "execution.checkpointing.dir", "high-availability", "high-availability.storageDir", "my.own.key", "metrics.reporter.x.factory.class"})
	value := rapid.OneOf(rapid.StringMatching(`[1-9][0-9]{0,3}(m|g|s|min)?`), rapid.StringMatching(`[a-z]{2,6}://[a-z]{1,5}/[a-z]{1,4}:[a-z]`), rapid.SampledFrom([]string{"rocksdb", "true", "a;b", "Xy-z_1"}))
	return rapid.Custom(func(t *rapid.T) []setting {
		var out []setting
		seen := map[string]bool{}
		for range rapid.IntRange(1, 6).Draw(t, "n") {
			if k := key.Draw(t, "key"); !seen[k] {
				seen[k] = true
				out = append(out, setting{k, value.Draw(t, "value")})
			}
		}
		return out
	})
}

func lines(settings []setting, format string) string {
	var b strings.Builder
	for _, s := range settings {
		fmt.Fprintf(&b, format, s.key, s.value)
	}
	return b.String()
}

// nestedYAML writes settings as a tree as far as no key is another's beginning.
func nestedYAML(settings []setting) string {
	var b strings.Builder
	for _, s := range settings {
		first, rest, ok := strings.Cut(s.key, ".")
		alone := ok
		for _, o := range settings {
			if o != s && (strings.HasPrefix(o.key, first+".") || o.key == first) {
				alone = false
			}
		}
		if alone {
			fmt.Fprintf(&b, "%s:\n  %s: %s\n", first, rest, s.value)
		} else {
			fmt.Fprintf(&b, "%s: %s\n", s.key, s.value)
		}
	}
	return b.String()
}

func indented(text, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(indent + line)
	}
	return b.String()
}

func TestEveryCarrierGivesTheSameConfiguration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := settings().Draw(t, "settings")
		flat := lines(s, "%s: %s\n")
		quoted := lines(s, "%s: \"%s\"\n")
		var want []string
		for _, x := range s {
			want = append(want, x.key+"="+x.value)
		}
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		for name, text := range map[string]string{
			"flink-conf.yaml": flat,
			"config.yaml":     nestedYAML(s),
			"deployment.yaml": "apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nmetadata: {name: a}\nspec:\n  flinkConfiguration:\n" + indented(quoted, "    "),
			"configmap.yaml":  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  flink-conf.yaml: |\n" + indented(flat, "    "),
			"standard.yaml":   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  config.yaml: |\n    taskmanager.host: h\n" + indented(nestedYAML(s), "    "),
			"compose.yaml":    "services:\n  jobmanager:\n    image: my/flink-job\n    environment:\n      - |\n        FLINK_PROPERTIES=\n" + indented(flat, "        "),
			"new.yaml":        "services:\n  jobmanager:\n    image: cp-flink:1.20\n    environment:\n      FLINK_PROPERTIES: |\n" + indented(flat, "        "),
			"values.yaml":     "x:\n  flinkConfiguration:\n" + indented(quoted, "    "),
			"run.sh":          "flink run" + lines(s, " -D'%s=%s'") + " job.jar\n",
			"pod.yaml":        "apiVersion: v1\nkind: Pod\nmetadata: {name: flink}\nspec:\n  containers:\n  - name: a\n    image: x\n    args: [jobmanager" + lines(s, ", \"-D%s=%s\"") + "]\n",
			"job.sql":         lines(s, "SET '%s' = '%s';\n"),
		} {
			text = strings.ReplaceAll(text, "\n", eol)
			found, err := Open(source.NewFile(name, []byte(text)), conf.Options{})
			if err != nil || len(found) != 1 {
				t.Fatalf("%s: %d configurations, %v\n%s", name, len(found), err, text)
			}
			e, err := conf.Merge(version.Of(1, 20), found[0].Layers...)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range e.Entries() {
				if x.Key == "taskmanager.host" && x.Value == "h" {
					continue // makes the ConfigMap's config.yaml look like Flink
				}
				got = append(got, x.Key+"="+x.Text)
				if at := strings.Trim(x.ValueSpan.Text(), `"'`); at != x.Text {
					t.Fatalf("%s: %s is %q, its span holds %q\n%s", name, x.Key, x.Text, at, text)
				}
				if x.ValueSpan.File.Path != name {
					t.Fatalf("%s: a span in %s", name, x.ValueSpan.File.Path)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s (-want +got)\n%s\n%s", name, diff, text)
			}
		}
	})
}

func FuzzOpen(f *testing.F) {
	for name, text := range map[string]string{
		"d.yaml": deployment, "docker-compose.yml": fmt.Sprintf(composeFile, "1.20"), "a.sql": "SET 'a.b' = 'c'; /* x", "a.sh": "flink run -D a.b='c \\\n d' x.jar",
		"c.yaml": "apiVersion: v1\nkind: ConfigMap\ndata:\n  flink-conf.yaml: |2-\n     a: b\n  config.yaml: \"taskmanager:\\n  x: \\u00e9\"\n", "-": "a: &x {flinkConfiguration: *x}",
		"l.json": `{"kind":"List","apiVersion":"v1","items":[{"kind":"FlinkSessionJob","apiVersion":"x","spec":null}]}`,
	} {
		f.Add(name, []byte(text))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		found, err := Open(source.NewFile(name, data), conf.Options{})
		if err != nil {
			return
		}
		inside := func(s source.Span) {
			if s.Valid() && (s.Start < 0 || s.Start > s.End || s.End > len(data)) {
				t.Fatalf("%q: span %d..%d", data, s.Start, s.End)
			}
		}
		for _, c := range found {
			inside(c.Span)
			for _, l := range c.Layers {
				for _, e := range l.Entries {
					inside(e.KeySpan)
					inside(e.ValueSpan)
				}
			}
			for _, d := range c.Documents {
				for _, x := range d.Faults {
					inside(x.Span)
				}
			}
			if _, err := conf.Merge(version.Newest(), c.Layers...); err != nil {
				t.Fatal(err)
			}
		}
	})
}
