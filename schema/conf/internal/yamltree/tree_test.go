package yamltree

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/flinkadvise/flinkadvise/schema/source"
)

// fatal is what testing.T and rapid.T have in common.
type fatal interface{ Fatalf(string, ...any) }

func parse(t fatal, text string) *Stream {
	s, err := Parse([]byte(text), 64)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return s
}

func TestScalarsKnowTheirBytes(t *testing.T) {
	for _, c := range []struct{ text, value, span string }{
		{"k: plain  # c\n", "plain", "plain"},
		{"k: two\n  lines\nx: 1\n", "two lines", "two\n  lines"},
		{"k: 'it''s'\n", "it's", "'it''s'"},
		{"k: \"a\\\"b\\u00e9\"\n", "a\"bé", "\"a\\\"b\\u00e9\""},
		{"k: &a !!str v\n", "v", "v"},
		{"k:\n  # c\n  v\n", "v", "v"},
		{"k: |\n  a\n   b\n\n  c\n\nx: 1\n", "a\n b\n\nc\n", "|\n  a\n   b\n\n  c"},
		{"k: >-\n  a\n  b\n\n  c\n", "a b\nc", ">-\n  a\n  b\n\n  c"},
		{"k: |2\n    a\n", "  a\n", "|2\n    a"},
		{"k: {{ a }}/{{ b }}\n", "{{ a }}/{{ b }}", "{{ a }}/{{ b }}"},
		{"é: ü\n", "ü", "ü"},
		{"\uFEFFk: v\n", "v", "v"},
		{"k: v\r\nx: y\r\n", "v", "v"},
	} {
		n := parse(t, c.text).Docs[0].Root.Pairs[0].Value
		if n.Value != c.value || c.text[n.Start:n.End] != c.span {
			t.Errorf("%q: value %q, span %q", c.text, n.Value, c.text[n.Start:n.End])
		}
	}
}

// A view's text is the scalar's value, and each of its bytes that stands in the file as it is points there.
func checkView(t fatal, text string, n *Node) {
	f := source.NewFile("x", []byte(text))
	v := n.View(f)
	if string(v.Data) != n.Value {
		t.Fatalf("%q: the view holds %q, the value is %q", text, v.Data, n.Value)
	}
	for i, b := range v.Data {
		at := v.Offset(i)
		if at < 0 || at > len(text) {
			t.Fatalf("%q: byte %d of %q lies at %d", text, i, n.Value, at)
		}
		if b > ' ' && b != '\\' && n.Style != DoubleQuoted && (at == len(text) || text[at] != b) {
			t.Fatalf("%q: byte %d (%q) of %q points at offset %d", text, i, b, n.Value, at)
		}
	}
}

func TestViewsOfBlocks(t *testing.T) {
	lines := rapid.SliceOfN(rapid.StringMatching(`( {0,3}[a-z:#'"]{1,5}( [a-z]{1,3}){0,2})?`), 1, 6)
	rapid.Check(t, func(t *rapid.T) {
		header := rapid.SampledFrom([]string{"|", "|-", "|+", ">", ">-", ">+"}).Draw(t, "header")
		indent := strings.Repeat(" ", rapid.IntRange(1, 4).Draw(t, "indent"))
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		content := lines.Draw(t, "lines")
		content[0] = "first"
		text := "é: 1" + eol + "k: " + header + eol
		for _, l := range content {
			if l != "" {
				text += indent + l
			}
			text += eol
		}
		text += "z: 1" + eol
		s, err := Parse([]byte(text), 64)
		if err != nil || len(s.Problems) > 0 {
			t.Fatalf("%q: %v %v", text, err, s.Problems)
		}
		checkView(t, text, s.Docs[0].Root.Get("k"))
	})
}

func TestViewsOfQuotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[a-z '"\\:#\n\t]{0,12}`).Draw(t, "value")
		text := "k: '" + strings.ReplaceAll(strings.NewReplacer("\n", "", "\t", "").Replace(value), "'", "''") + "'\n"
		if rapid.Bool().Draw(t, "double") {
			text = "k: \"" + strings.NewReplacer("\\", `\\`, "\"", `\"`, "\n", `\n`, "\t", `\t`).Replace(value) + "\"\n"
		}
		checkView(t, text, parse(t, text).Docs[0].Root.Get("k"))
	})
}

func TestProblemsLeaveTheRestReadable(t *testing.T) {
	for _, c := range []struct {
		text     string
		problems []string
		keys     []string
	}{
		{"a: 1\nb: c: d\ne: 2\n", []string{"c: d"}, []string{"a", "e"}},
		{"a: 1\nb: *x\ne: 2\n", []string{"*x"}, []string{"a", "e"}},
		{"a: 1\n  b: 2\nc: 3\n", []string{"b: 2"}, []string{"a", "c"}},
		{"a:\n  b: 1\n c: 2\nd: 3\n", []string{"c: 2"}, []string{"a", "d"}},
		{"a: [1, 2\nb: 3\n", []string{"[1, 2"}, []string{"b"}},
		{"a: \"x\nb: 3\n", []string{"\"x"}, []string{"b"}},
		{"a: &x 1\nb: *x\nc: d: e\n", []string{"d: e"}, []string{"a"}},
	} {
		s := parse(t, c.text)
		var problems, keys []string
		for _, p := range s.Problems {
			problems = append(problems, c.text[p.Start:p.End])
		}
		for _, d := range s.Docs {
			for _, p := range d.Root.Pairs {
				keys = append(keys, p.Key.Value)
			}
		}
		if diff := cmp.Diff(c.problems, problems); diff != "" {
			t.Errorf("%q: problems\n%s", c.text, diff)
		}
		if diff := cmp.Diff(c.keys, keys); diff != "" {
			t.Errorf("%q: keys\n%s", c.text, diff)
		}
	}
}

func TestTemplatesAreMasked(t *testing.T) {
	s := parse(t, "{{- if .a }}\na: {{ .b }}\n{{- end }}\n{# x\ny #}\nb: [{{ .c }}, d]\nc: {{}, {}}\n")
	if !s.Templated || !s.Conditional {
		t.Errorf("%+v", s)
	}
	s = parse(t, "a: {b: {c: d}}\ne: '%d{HH}'\nf: {g: {}}\n")
	if s.Templated || len(s.Problems) > 0 {
		t.Errorf("mappings of YAML's were taken for templates: %+v", s)
	}
}

func TestDepthIsBounded(t *testing.T) {
	if _, err := Parse([]byte("a: "+strings.Repeat("[", 65)+strings.Repeat("]", 65)), 64); !errors.Is(err, ErrTooDeep) {
		t.Errorf("error %v", err)
	}
	var text strings.Builder
	for i := range 70 {
		fmt.Fprintf(&text, "%sa:\n", strings.Repeat(" ", i))
	}
	if _, err := Parse([]byte(text.String()), 64); !errors.Is(err, ErrTooDeep) {
		t.Errorf("error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a: |\n  b\n   c\n", "a: >2-\n\n    b\n", "a: 'x\n\n  y'\n", "a: \"x\\\n  y\\u00e9\"\n", "a: &x [b, {c: d}]\ne: *x\n", "a: {{ b }}\n{% if c %}\n", "a: b: c\nd:\n\te\n", "a: x\u2028y\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse([]byte(text), 64)
		if err != nil {
			return
		}
		var walk func(n *Node, depth int)
		walk = func(n *Node, depth int) {
			if n == nil || depth > 70 {
				return
			}
			if n.Start < 0 || n.Start > n.End || n.End > len(text) {
				t.Fatalf("%q: a node has the span %d..%d", text, n.Start, n.End)
			}
			if n.Kind == Scalar {
				v := n.View(source.NewFile("x", []byte(text)))
				for i := range v.Data {
					if at := v.Offset(i); at < 0 || at > len(text) {
						t.Fatalf("%q: byte %d of a view lies at %d", text, i, at)
					}
				}
			}
			for _, p := range n.Pairs {
				walk(p.Key, depth+1)
				walk(p.Value, depth+1)
			}
			for _, i := range n.Items {
				walk(i, depth+1)
			}
		}
		for _, d := range s.Docs {
			walk(d.Root, 0)
		}
		for _, p := range s.Problems {
			if p.Start < 0 || p.Start > p.End || p.End > len(text) {
				t.Fatalf("%q: a problem has the span %d..%d", text, p.Start, p.End)
			}
		}
	})
}
