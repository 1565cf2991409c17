package conf

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf/internal/yamltree"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// A typedScalar is what the loader makes of a scalar: value is Java's toString of the object, text is toYAMLString of it.
type typedScalar struct {
	kind        Kind
	value, text string
	null        bool
}

func textScalar(s string) typedScalar { return typedScalar{kind: Text, value: s, text: s} }

// typed resolves a scalar by the core schema. bad is the loader's complaint.
func typed(n *yamltree.Node) (t typedScalar, bad string) {
	s := n.Value
	switch tag := n.Type(); tag {
	case "!!str", "!":
		return textScalar(s), ""
	case "!!null":
		return typedScalar{null: true}, ""
	case "!!bool":
		switch strings.ToLower(s) {
		case "true", "false":
			b := strings.ToLower(s)
			return typedScalar{kind: Bool, value: b, text: b}, ""
		}
		return typedScalar{null: true}, ""
	case "!!int":
		if !yamltree.IsInt(s) {
			return t, fmt.Sprintf("%q is not a whole number", s)
		}
		return integer(s), ""
	case "!!float":
		if !yamltree.IsFloat(s) {
			return t, fmt.Sprintf("%q is not a number", s)
		}
		if strings.EqualFold(s, "+.inf") {
			return t, "snakeyaml takes +.inf for a number and then cannot read it; write .inf"
		}
		return double(s), ""
	case "!!binary":
		raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
		if err != nil {
			return t, "the value is not base64"
		}
		return typedScalar{kind: Binary, value: string(raw), text: string(raw)}, ""
	default:
		return t, fmt.Sprintf("the tag %s has no meaning to Flink's loader", tag)
	}
}

// integer is ConstructYamlCoreInt: a leading zero does not make it octal.
func integer(s string) typedScalar {
	digits, base, negative := s, 10, false
	switch {
	case strings.HasPrefix(s, "-"):
		digits, negative = s[1:], true
	case strings.HasPrefix(s, "+"):
		digits = s[1:]
	case strings.HasPrefix(s, "0x"):
		digits, base = s[2:], 16
	case strings.HasPrefix(s, "0o"):
		digits, base = s[2:], 8
	}
	n, _ := new(big.Int).SetString(digits, base)
	if negative {
		n.Neg(n)
	}
	t := typedScalar{kind: Int, value: n.String()}
	if !n.IsInt64() {
		t.kind = BigInt
	}
	t.text = t.value
	return t
}

// double is ConstructYamlCoreFloat; beyond the range of a double it becomes infinity, silently.
func double(s string) typedScalar {
	var d float64
	switch low := strings.ToLower(s); low {
	case ".inf":
		d = math.Inf(1)
	case "-.inf":
		d = math.Inf(-1)
	case ".nan":
		d = math.NaN()
	default:
		d, _ = strconv.ParseFloat(low, 64)
	}
	t := typedScalar{kind: Double, value: quantity.FormatDouble(d)}
	switch {
	case math.IsNaN(d):
		t.text = ".nan"
	case math.IsInf(d, 1):
		t.text = ".inf"
	case math.IsInf(d, -1):
		t.text = "-.inf"
	default:
		t.text = t.value
	}
	return t
}

// dumper prints a node as snakeyaml-engine prints it in flow style on one line (YamlParserUtils.toYAMLString).
type dumper struct {
	bad    *yamltree.Node
	reason string
	// count is the number of nodes, aliases that of aliases to mappings and lists.
	count, aliases int
}

func (d *dumper) node(n *yamltree.Node, depth int) string {
	r := n.Resolve()
	if d.count++; r == nil || depth > MaxDepth || d.count > maxEntries {
		d.fail(n, "the value contains itself through an alias")
		return ""
	}
	if n.Kind == yamltree.Alias && r.Kind != yamltree.Scalar {
		if d.aliases++; d.aliases > maxAliases {
			d.fail(n, fmt.Sprintf("more than %d aliases of mappings and lists", maxAliases))
			return ""
		}
	}
	switch r.Kind {
	case yamltree.Sequence:
		parts := make([]string, 0, len(r.Items))
		for _, item := range r.Items {
			parts = append(parts, d.node(item, depth+1))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case yamltree.Mapping:
		parts := make([]string, 0, len(r.Pairs))
		for _, p := range r.Pairs {
			parts = append(parts, d.node(p.Key, depth+1)+": "+d.node(p.Value, depth+1))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	if r.Masked {
		return r.Value
	}
	t, bad := typed(r)
	switch {
	case bad != "":
		d.fail(r, bad)
		return ""
	case t.null:
		return "null"
	case t.kind == Text:
		return dumpText(t.text)
	}
	return t.text
}

func (d *dumper) fail(n *yamltree.Node, reason string) {
	if d.bad == nil {
		d.bad, d.reason = n, reason
	}
}

// yamlEscapes are the characters that snakeyaml-engine escapes by a letter (Emitter.ESCAPE_REPLACEMENTS).
var yamlEscapes = map[rune]byte{
	0: '0', 7: 'a', 8: 'b', '\t': 't', '\n': 'n', 0xB: 'v', 0xC: 'f', '\r': 'r', 0x1B: 'e', '"': '"', '\\': '\\',
	0x85: 'N', 0xA0: '_', 0x2028: 'L', 0x2029: 'P',
}

// dumpText prints a text as a flow scalar: plain where that reads back as the same text, quoted otherwise (Emitter.analyzeScalar).
func dumpText(s string) string {
	plain, single := s != "" && yamltree.PlainType(s) == "!!str", true
	for i, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r < ' ' || r >= 0x7F && r < 0xA0 || r == '\u2028' || r == '\u2029':
			plain, single = false, false
		case i == 0 && strings.ContainsRune("#,[]{}&*!|>'\"%@`?:", r), strings.ContainsRune(",?[]{}:", r):
			plain = false
		case r == '#' && i > 0 && s[i-1] == ' ':
			plain = false
		case r == '-' && i == 0 && (len(s) == 1 || s[1] == ' '):
			plain = false
		}
	}
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		plain = false
	}
	switch {
	case plain:
		return s
	case single:
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if e, ok := yamlEscapes[r]; ok {
			b.WriteByte('\\')
			b.WriteByte(e)
			continue
		}
		switch {
		case r < ' ' || r >= 0x7F && r < 0xA0:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
