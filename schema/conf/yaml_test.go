package conf

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// got is what a test says about an entry: the key, Java's text of the value, and what a String option reads where that differs.
func entries(d *Document) []string {
	var out []string
	for _, e := range d.Entries {
		s := e.Key + " = " + e.Value
		if e.Text != e.Value {
			s += " | " + e.Text
		}
		if e.Placeholder {
			s += " (placeholder)"
		}
		out = append(out, s)
	}
	return out
}

// faults is one line for each fault: kind, what is marked, and whether Flink stops.
func faults(d *Document) []string {
	var out []string
	for _, f := range d.Faults {
		s := string(f.Kind) + " at " + f.Span.Text()
		if f.Fatal {
			s += ", fatal"
		}
		out = append(out, s)
	}
	return out
}

func parseYAML(t testing.TB, text string) *Document {
	t.Helper()
	d, err := ParseYAML(source.NewFile("config.yaml", []byte(text)).Whole())
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

// Results of Flink 1.20.1's GlobalConfiguration on the same texts.
func TestYAMLReadsAsFlinkDoes(t *testing.T) {
	for _, c := range []struct {
		text   string
		want   []string
		faults []string
	}{
		{"jobmanager:\n  rpc:\n    port: 6123\n  rpc.address: localhost\n", []string{"jobmanager.rpc.port = 6123", "jobmanager.rpc.address = localhost"}, nil},
		{"a: true\nb: True\nc: yes\nd: on\n", []string{"a = true", "b = true", "c = yes", "d = on"}, nil},
		{"a: 010\nb: 0o10\nc: 0x1F\nd: +5\ne: 1_000\n", []string{"a = 10", "b = 8", "c = 31", "d = 5", "e = 1_000"}, nil},
		{"a: 12345678901234567890\nb: -0\n", []string{"a = 12345678901234567890", "b = 0"}, nil},
		{"a: 1.20\nb: 1e3\nc: .5\nd: 1.\ne: 12e4567\nf: .nan\n", []string{"a = 1.2", "b = 1000.0", "c = 0.5", "d = 1.0", "e = Infinity | .inf", "f = NaN | .nan"}, nil},
		{"a: 2024-01-01\nb: 10:30\nc: 1:30:00\n", []string{"a = 2024-01-01", "b = 10:30", "c = 1:30:00"}, nil},
		{"a: x#y\nb: x #y\nc: 'x #y'\n", []string{"a = x#y", "b = x", "c = x #y"}, nil},
		{"a: ''\nb: {}\nc: []\nd: [x, 'y:z', 1.20, null]\n", []string{"a = ", "c = []", "d = [x, 'y:z', 1.2, null]"}, nil},
		{"a: |\n  x\n  y\nb: >-\n  x\n  y\n", []string{"a = x\ny\n", "b = x y"}, nil},
		{"a: &x 5\nb: *x\nm: &m {k: v}\nn: *m\n", []string{"a = 5", "b = 5", "m.k = v", "n.k = v"}, nil},
		{"a: !!str 123\nb: \"x\\ty\"\n", []string{"a = 123", "b = x\ty"}, nil},
		{"---\na: ${HOME}\n", []string{"a = ${HOME} (placeholder)"}, nil},
		{"\uFEFFa: b\n", []string{"a = b"}, nil},
		{"# only a comment\n", nil, nil},
		{"", nil, nil},
		{"a: b\r\nc:\r\n  d: e\r\n", []string{"a = b", "c.d = e"}, nil},
		{"a: x\u2028y\n", []string{"a = x\u2028y"}, nil},

		// What the loader refuses; what it would have read otherwise is read all the same.
		{"a:\nb: 1\n", []string{"b = 1"}, []string{"empty-value at a, fatal"}},
		{"a: ~\nb:\n  c: null\n", nil, []string{"empty-value at ~, fatal", "empty-value at null, fatal"}},
		{"a.b:\na:\n  b: 2\n", []string{"a.b = 2"}, nil}, // hidden by the later value
		{"a: 1\nb: 2\na: 3\n", []string{"a = 1", "b = 2", "a = 3"}, []string{"duplicate-key at a, fatal"}},
		{"a.b: 1\na: {b: 2}\n", []string{"a.b = 1", "a.b = 2"}, []string{"duplicate-key at b"}},
		{"1: x\ntrue: y\nz: 1\n", []string{"z = 1"}, []string{"not-loadable at 1, fatal", "not-loadable at true, fatal"}},
		{"a:b\n", nil, []string{"not-loadable at a:b, fatal"}},
		{"- a\n- b\n", nil, []string{"not-loadable at -, fatal"}},
		{"a: 1\n---\nb: 2\n", []string{"a = 1", "b = 2"}, []string{"not-loadable at b, fatal"}},
		{"a: 1\nb: x: y\nc: 2\n", []string{"b = x: y", "a = 1", "c = 2"}, []string{"not-loadable at x: y, fatal"}},
		{"a: *:*:*\nb: 1\n", []string{"a = *:*:*", "b = 1"}, []string{"not-loadable at *:*:*, fatal"}},
		{"a: @x\nb: %x\nc: `x`\nd: 1\n", []string{"a = @x", "b = %x", "c = `x`", "d = 1"},
			[]string{"not-loadable at @x, fatal", "not-loadable at %x, fatal", "not-loadable at `x`, fatal"}},
		{"a: !tag x\nb: 1\n", []string{"b = 1"}, []string{"not-loadable at x, fatal"}},
		{"a:\n\tb: 1\nc: 2\n", []string{"c = 2"}, []string{"not-loadable at \t, fatal"}},
		{"a:\tb\n", []string{"a = b"}, []string{"not-loadable at \t, fatal"}},
		{"a: \"it\\'s\"\nb: 'x'\t# c\n", []string{"a = it's", "b = x"}, []string{"not-loadable at \\', fatal", "not-loadable at \t, fatal"}},
		{"a: 'open\nb: 1\n", []string{"a = 'open", "b = 1"}, []string{"not-loadable at 'open, fatal"}},
		{"d: &d {x: 1}\na:\n  <<: *d\n  y: 2\n", []string{"d.x = 1", "a.<<.x = 1", "a.y = 2"}, []string{"merge-key at <<"}},
		{"a: &a\n  b: *a\n", nil, []string{"not-loadable at &, fatal"}},
		{"a: \xff\n", nil, []string{"encoding at \xff, fatal"}},

		// A number that a String option reads otherwise than written, and one that an Int option reads as written.
		{"kubernetes.cluster-id: 12e4567\nparallelism.default: 010\n", []string{"kubernetes.cluster-id = Infinity | .inf", "parallelism.default = 10"},
			[]string{"retyped-scalar at 12e4567"}},

		// Templates: what is literal is read, the rest is present and unknown, and nothing in them is a fault.
		{"a: {{ .Values.a }}\nb: x-{{ .b }}-y\n{{- if .c }}\nc: 1\n{{- else }}\nc: 2\n{{- end }}\nd: 3\n",
			[]string{"a = {{ .Values.a }} (placeholder)", "b = x-{{ .b }}-y (placeholder)", "c = 1", "c = 2", "d = 3"}, nil},
		{"a: \"{{ .Values.a | quote }}\"\n{{ .k }}: v\nb: {% if x %}1{% endif %}\n", []string{"a = {{ .Values.a | quote }} (placeholder)", "b = {% if x %}1{% endif %} (placeholder)"}, nil},
	} {
		d := parseYAML(t, c.text)
		if diff := cmp.Diff(c.want, entries(d)); diff != "" {
			t.Errorf("%q: entries (-want +got)\n%s", c.text, diff)
		}
		if diff := cmp.Diff(c.faults, faults(d)); diff != "" {
			t.Errorf("%q: faults (-want +got)\n%s", c.text, diff)
		}
	}
}

func TestYAMLSpansPointAtWhatIsWritten(t *testing.T) {
	text := "# ü\njobmanager:\n  memory:\n    process.size: 1600m # c\n\"quoted\": 'it''s'\nlist:\n  - a\n  - 'b c'\nflow: [x, {y: z}]\nblock: |\n  one\n   two\n\nanchored: &n !!str 5\nref: *n\nplain: two\n  lines\nlast: é\n"
	d := parseYAML(t, text)
	want := []string{
		"process.size -> 1600m", `"quoted" -> 'it''s'`, "list -> - a\n  - 'b c'", "flow -> [x, {y: z}]", "block -> |\n  one\n   two",
		"anchored -> 5", "ref -> *n", "plain -> two\n  lines", "last -> é",
	}
	var got []string
	for _, e := range d.Entries {
		got = append(got, e.KeySpan.Text()+" -> "+e.ValueSpan.Text())
		if e.Kind != Sequence && e.Raw != e.ValueSpan.Text() {
			t.Errorf("%s: Raw is %q, the span holds %q", e.Key, e.Raw, e.ValueSpan.Text())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spans (-want +got)\n%s", diff)
	}
	if e := d.Entries[0]; e.KeySpan.Line != 4 || e.KeySpan.Column != 5 || e.ValueSpan.EndColumn != 24 {
		t.Errorf("place of the first key: %+v", e.KeySpan)
	}
}

func TestYAMLListsAsOptionsReadThem(t *testing.T) {
	d := parseYAML(t, "l: [a, 'b;c', 1.20]\nempty: [a, null]\ntext: 'x;y'\nflow: '[p, q]'\ncomma: a,b\nm: 'k: v, x: 1'\nold: k:v,x:1\nbraces: '{k: v, x: 1.20}'\n")
	e, err := Merge(version.Of(1, 20), Layer{Name: "config.yaml", Dialect: YAML, Entries: d.Entries})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string][]string{
		"l": {"a", "b;c", "1.2"}, "empty": {"[a, null]"}, "text": {"x", "y"}, "flow": {"p", "q"}, "comma": {"a,b"},
	} {
		got, err := e.list(e.Entry(key))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("list %s: %v\n%s", key, err, diff)
		}
	}
	if _, ok := parseYAMLMap("k:v,x:1"); ok {
		t.Error("Flink's own map form was taken for YAML")
	}
	if pairs, ok := parseYAMLMap("{k: v, x: 1.20}"); !ok || len(pairs) != 2 || pairs[1].Value != "1.2" {
		t.Errorf("flow map: %v %v", pairs, ok)
	}
}

func TestYAMLIsBounded(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth+2) + strings.Repeat("]", MaxDepth+2)
	if _, err := ParseYAML(source.NewFile("x", []byte("a: "+deep)).Whole()); err == nil {
		t.Error("a list nested beyond MaxDepth was read")
	}
	// Each level doubles what the one before unfolds to.
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 {x: 1, y: 2}\n")
	for i := 1; i < 40; i++ {
		p := "*a" + string(rune('0'+(i-1)/10)) + string(rune('0'+(i-1)%10))
		if i == 1 {
			p = "*a0"
		}
		bomb.WriteString("a" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + ": &a" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + " {l: " + p + ", r: " + p + "}\n")
	}
	d := parseYAML(t, bomb.String())
	if len(d.Entries) > maxEntries {
		t.Errorf("aliases unfolded to %d entries", len(d.Entries))
	}
	if len(d.Faults) == 0 || !d.Faults[0].Fatal {
		t.Errorf("Flink's loader stops at %d aliases of mappings; no fault said so", maxAliases)
	}
	var list strings.Builder
	list.WriteString("b: &b [1, 2, 3, 4, 5, 6, 7, 8, 9]\nc: &c [*b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c]\ne: [" + strings.Repeat("*d, ", 3000) + "]\n")
	if d := parseYAML(t, list.String()); !d.Fatal() {
		t.Errorf("Flink's loader stops at %d aliases of lists; no fault said so", maxAliases)
	}
	if _, err := ParseYAML(source.NewFile("x", make([]byte, MaxFileSize+1)).Whole()); err == nil {
		t.Error("a file beyond MaxFileSize was read")
	}
}

func FuzzParseYAML(f *testing.F) {
	for _, s := range []string{"a: 1\n", "a:\n  b: [x, {y: z}]\n", "a: |2-\n   x\n\n  y\n", "a: 'x\n  y'\nb: \"\\u00e9\\\n  z\"\n", "a: &x {b: 1}\nc: *x\n", "\uFEFFa:\tb",
		"{{ if x }}\na: {{ .b }}\n{{ end }}", "a: >+\n\n  x\n   y\n\n", "? a\n: b\n", "- a\n---\nb: c\n...\n", "a: \xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ParseYAML(source.NewFile("x", data).Whole())
		if err == nil {
			checkSpans(t, d, data)
		}
	})
}

// checkSpans fails when a span leaves the input or when a fatal fault has no place.
func checkSpans(t *testing.T, d *Document, data []byte) {
	t.Helper()
	inside := func(what string, s source.Span) {
		if s.Valid() && (s.Start < 0 || s.Start > s.End || s.End > len(data)) {
			t.Fatalf("%q: %s has the span %d..%d of %d bytes", data, what, s.Start, s.End, len(data))
		}
	}
	for _, e := range d.Entries {
		inside("key "+e.Key, e.KeySpan)
		inside("value of "+e.Key, e.ValueSpan)
		if !e.KeySpan.Valid() || !e.ValueSpan.Valid() {
			t.Fatalf("%q: %s has no place", data, e.Key)
		}
	}
	for _, x := range d.Faults {
		inside(string(x.Kind), x.Span)
		inside(string(x.Kind), x.Related)
		if !x.Span.Valid() {
			t.Fatalf("%q: %s has no place", data, x.Kind)
		}
	}
}
