package conf

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/flinkadvise/flinkadvise/schema/source"
)

func parseFlat(t testing.TB, text string) *Document {
	t.Helper()
	d, err := ParseFlat(source.NewFile("flink-conf.yaml", []byte(text)).Whole())
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

// Entries as Flink 1.20.1's legacy loader reads the same lines; the faults are what it does not say, or only in its log.
func TestFlatReadsAsFlinkDoes(t *testing.T) {
	for _, c := range []struct {
		text   string
		want   []string
		faults []string
	}{
		{"a.b: c\n", []string{"a.b = c"}, nil},
		{"  a.b  :   c d  \r\n\r\n# note\n", []string{"a.b = c d"}, nil},
		{"a: x\rb: y\r\nc: z", []string{"a = x", "b = y", "c = z"}, nil},
		{"a b: c\n- foo: bar\n", []string{"a b = c", "- foo = bar"}, nil},
		{"a: hdfs://h:1/p: x\n", []string{"a = hdfs://h:1/p: x"}, nil},
		{"---\na: [x, y]\n", []string{"a = [x, y]"}, nil},

		// Skipped lines.
		{"a.b:c\na.b:\tc\n", nil, []string{"no-separator at a.b:c", "no-separator at a.b:\tc"}},
		{"a.b = c\nhttp://host/path\n", nil, []string{"no-separator at a.b = c", "no-separator at http://host/path"}},
		{"parallelism.default：4\n", nil, []string{"no-separator at parallelism.default：4"}},
		{"a:\nb: \nc: # d\n: x\n", nil, []string{"empty-value at a:", "empty-value at b:", "empty-value at c:", "empty-value at : x"}},

		// Cut and glued values.
		{"a: x#y\n", []string{"a = x"}, []string{"cut-by-hash at #y"}},
		{"a: x # y\nb: 4# four\nc: 5##\n", []string{"a = x", "b = 4", "c = 5"}, nil},
		{"b: \"q # z\"\n", []string{`b = "q`}, []string{`cut-by-hash at  # z"`}},
		{"state.savepoints.dir: file:///tmp/savepointsjobmanager.rpc.address: 91a2\n", []string{"state.savepoints.dir = file:///tmp/savepointsjobmanager.rpc.address: 91a2"},
			[]string{"glued-lines at jobmanager.rpc.address: 91a2"}},
		{"a.b: 2048m # always setblob.server.port: 6124\n", []string{"a.b = 2048m"}, []string{"glued-lines at blob.server.port: 6124"}},
		{"# for example jobmanager.rpc.address: x\n#blob.server.port: 6124\n", nil, nil},

		// Quotes stay, but not for options of list and map type, nor where only a script reads the value.
		{"state.backend: 'rocksdb'\n", []string{"state.backend = 'rocksdb'"}, []string{"quotes-kept at 'rocksdb'"}},
		{"taskmanager.numberOfTaskSlots: \"4\"\n", []string{`taskmanager.numberOfTaskSlots = "4"`}, []string{`quotes-kept at "4"`}},
		{"pipeline.jars: 'a;b'\nenv.java.opts: \"-Dx=1\"\nmy.own.key: 'x'\n", []string{"pipeline.jars = 'a;b'", `env.java.opts = "-Dx=1"`, "my.own.key = 'x'"}, nil},
		{"pipeline.global-job-parameters: 'k:v'\n", []string{"pipeline.global-job-parameters = 'k:v'"}, nil},

		// Nested YAML is one fault, whatever its size.
		{"jobmanager:\n  rpc:\n    port: 6123\n    address: h\nrest.port: 1\n", []string{"port = 6123", "address = h", "rest.port = 1"}, []string{"nested-in-flat at jobmanager:"}},
		{"env.java.opts: |\n  -Da=b\n  -Dc: d\n", []string{"env.java.opts = |", "-Dc = d"}, []string{"nested-in-flat at env.java.opts: |"}},
		{"pipeline.jars:\n- a\n- b\nx: y\n", []string{"x = y"}, []string{"nested-in-flat at pipeline.jars:"}},
		{"high-availability:\n  high-availability.storageDir: s3://b\n", []string{"high-availability.storageDir = s3://b"}, []string{"empty-value at high-availability:"}},

		{"a: 1\nb: 2\na: 3\n", []string{"a = 1", "b = 2", "a = 3"}, []string{"duplicate-key at a"}},
		{"\uFEFFa: b\n", []string{"\uFEFFa = b"}, []string{"byte-order-mark at \uFEFF"}},
		{"a: \u00A0b\n", []string{"a = \u00A0b"}, []string{"invisible-character at \u00A0"}},
		{"a: \xff\n# \xff\n", []string{"a = \xff"}, []string{"encoding at a: \xff"}},

		// What is filled in later is present and unknown.
		{"a: ${X:-1}\nb: $Y\nc: %ZK%\nd: {{ x }}/y\ne: %d{HH}\nf: <your host>\ng: a$\n",
			[]string{"a = ${X:-1} (placeholder)", "b = $Y (placeholder)", "c = %ZK% (placeholder)", "d = {{ x }}/y (placeholder)", "e = %d{HH}", "f = <your host> (placeholder)", "g = a$"}, nil},
		{"{% if a %}\nx: 1\n{% else %}\nx: 2\n{% endif %}\n{{ k }}: v\n{{- range .x }}\n", []string{"x = 1", "x = 2"}, nil},

		{"{# a note on\ntwo lines #}\na: b\n{{/*\nanother: note\n*/}}\n%{ for k, v in x ~}\nc: d\n", []string{"a = b", "c = d"}, nil},

		{strings.Repeat("a line of prose\n", 12) + "a: b\n", []string{"a = b"}, []string{"not-configuration at a"}},
	} {
		d := parseFlat(t, c.text)
		if diff := cmp.Diff(c.want, entries(d)); diff != "" {
			t.Errorf("%q: entries (-want +got)\n%s", c.text, diff)
		}
		if diff := cmp.Diff(c.faults, faults(d)); diff != "" {
			t.Errorf("%q: faults (-want +got)\n%s", c.text, diff)
		}
	}
}

func TestFlatFixes(t *testing.T) {
	for text, want := range map[string]string{
		"a.b:c\n": "a.b: c", "a.b = c\n": "a.b: c", "a.b：c\n": "a.b: c", "state.backend: 'x'\n": "x", "\uFEFFa: b\n": "",
	} {
		d := parseFlat(t, text)
		if len(d.Faults) != 1 || d.Faults[0].Fix == nil || *d.Faults[0].Fix != want || d.Faults[0].FixSafe {
			t.Errorf("%q: %+v", text, d.Faults)
		}
	}
	if d := parseFlat(t, "jobmanager:\n  rpc:\n    port: 6123\n"); d.Faults[0].Detail != "jobmanager.rpc.port" || !d.Entries[0].Nested {
		t.Errorf("nested block: %+v", d.Faults[0])
	}
}

func TestFlatSpans(t *testing.T) {
	d := parseFlat(t, "# ü\r\n  é.b :  x y # z\n")
	e := d.Entries[0]
	if e.KeySpan.Text() != "é.b" || e.ValueSpan.Text() != "x y" || e.KeySpan.Line != 2 || e.KeySpan.Column != 3 || e.ValueSpan.Column != 10 {
		t.Errorf("spans: %+v %+v", e.KeySpan, e.ValueSpan)
	}
}

// reference reads the flat dialect straight from its grammar: lines as BufferedReader has them, cut at "#", trimmed, split at the first
// ": ", both parts trimmed; what lacks a part is skipped.
func reference(text string) (pairs [][2]string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	trim := func(s string) string { return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }) }
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		key, value, ok := strings.Cut(trim(line), ": ")
		if key, value = trim(key), trim(value); ok && key != "" && value != "" {
			pairs = append(pairs, [2]string{key, value})
		}
	}
	return pairs
}

func agrees(t testing.TB, data []byte) {
	d, err := ParseFlat(source.NewFile("x", data).Whole())
	if err != nil {
		return
	}
	if d.Templated {
		return // lines that are not text yet are left out
	}
	var got [][2]string
	for _, e := range d.Entries {
		got = append(got, [2]string{e.Key, e.Value})
		if e.KeySpan.Text() != e.Key || e.ValueSpan.Text() != e.Value {
			t.Fatalf("%q: the spans of %s hold %q and %q", data, e.Key, e.KeySpan.Text(), e.ValueSpan.Text())
		}
	}
	if diff := cmp.Diff(reference(string(data)), got); diff != "" {
		t.Fatalf("%q: differs from the grammar (-want +got)\n%s", data, diff)
	}
}

var flatPieces = []string{"a", "b.c", ": ", ":", " ", "\t", "#", "\n", "\r", "\r\n", "'", "\"", "x y", "{{", "}}", "${Z}", "\u00A0", "é", "\xff", "|", "- ", "state.backend", "\uFEFF", "  "}

func TestFlatAgreesWithItsGrammar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(flatPieces), 0, 40).Draw(t, "pieces"), "")
		d, err := ParseFlat(source.NewFile("x", []byte(text)).Whole())
		if err != nil {
			t.Fatal(err)
		}
		if d.Templated {
			return
		}
		var got [][2]string
		for _, e := range d.Entries {
			got = append(got, [2]string{e.Key, e.Value})
		}
		if diff := cmp.Diff(reference(text), got); diff != "" {
			t.Fatalf("%q (-want +got)\n%s", text, diff)
		}
	})
}

func FuzzParseFlat(f *testing.F) {
	for _, s := range []string{"a: b\n", "a:\n  b: c\n", "a: 'x # y'\r\n", "\uFEFFa: \u00A0b", "{% if x %}\na: {{ b }}\n", "a: |\n  b: c", "x:y\rz: \xff#"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ParseFlat(source.NewFile("x", data).Whole())
		if err != nil {
			return
		}
		checkSpans(t, d, data)
		agrees(t, data)
	})
}

func BenchmarkParseFlat(b *testing.B) {
	data := bytes.Repeat([]byte("# a comment\ntaskmanager.memory.process.size: 1728m\nstate.backend: 'rocksdb'\n"), 20)
	for b.Loop() {
		if _, err := ParseFlat(source.NewFile("flink-conf.yaml", data).Whole()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseYAML(b *testing.B) {
	var data bytes.Buffer
	for i := range 20 {
		data.WriteString("a" + strings.Repeat("x", i) + ":\n  memory:\n    process:\n      size: 1728m # c\n  b.c: 'd'\n")
	}
	for b.Loop() {
		if _, err := ParseYAML(source.NewFile("config.yaml", data.Bytes()).Whole()); err != nil {
			b.Fatal(err)
		}
	}
}
