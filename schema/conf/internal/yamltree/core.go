package yamltree

import "regexp"

// The core schema of YAML 1.2 as snakeyaml-engine 2.6 has it (CoreScalarResolver): which plain scalars are numbers.
var (
	coreInt   = regexp.MustCompile(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	coreFloat = regexp.MustCompile(`^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// Type is the tag of a scalar by the core schema: the explicit one, "!!str" for what is quoted, else what the text looks like.
func (n *Node) Type() string {
	switch {
	case n.Tag != "":
		return n.Tag
	case n.Style != Plain || n.Masked:
		return "!!str"
	}
	return PlainType(n.Value)
}

// IsNull tells a missing value and a null.
func (n *Node) IsNull() bool {
	return n == nil || n.Kind == Scalar && n.Type() == "!!null"
}

// PlainType is the tag of an unquoted text by the core schema.
func PlainType(s string) string {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return "!!null"
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return "!!bool"
	}
	// Nearly all texts are words: look at the first letter before trying the patterns.
	if c := s[0]; c != '+' && c != '-' && c != '.' && (c < '0' || c > '9') {
		return "!!str"
	}
	switch {
	case coreInt.MatchString(s):
		return "!!int"
	case coreFloat.MatchString(s):
		return "!!float"
	}
	return "!!str"
}

// IsInt and IsFloat tell whether a text is a number of the core schema.
func IsInt(s string) bool { return coreInt.MatchString(s) }

// IsFloat tells whether a text is a number with fraction or exponent, or one of the special ones.
func IsFloat(s string) bool { return coreFloat.MatchString(s) }
