package quantity

import (
	"fmt"
	"strings"
)

// SplitList splits a list value in Flink's own form, elements separated by ";" (StructuredOptionsSplitter.splitEscaped).
// Unquoted elements are trimmed; an element may be quoted with ' or ", a doubled quote standing for one.
func SplitList(text string) ([]string, error) { return splitEscaped(text, ';') }

// A Pair is one entry of a map value.
type Pair struct{ Key, Value string }

// SplitMap splits a map value in Flink's own form, "key:value" pairs separated by ",". Keys keep their order; a repeated key
// and a part that is not exactly one key and one value are errors, as in ConfigurationUtils.
func SplitMap(text string) ([]Pair, error) {
	parts, err := splitEscaped(text, ',')
	if err != nil {
		return nil, err
	}
	pairs := make([]Pair, 0, len(parts))
	seen := map[string]bool{}
	for _, p := range parts {
		kv, err := splitEscaped(p, ':')
		if err != nil {
			return nil, err
		}
		if len(kv) != 2 {
			return nil, fmt.Errorf("map entry %q is not key:value", p)
		}
		if seen[kv[0]] {
			return nil, fmt.Errorf("map key %q stands twice", kv[0])
		}
		seen[kv[0]] = true
		pairs = append(pairs, Pair{kv[0], kv[1]})
	}
	return pairs, nil
}

// splitEscaped follows StructuredOptionsSplitter: tokens are quoted strings, unquoted runs and delimiters; text right after a
// closing quote is an error, an empty part between two delimiters is "", and leading or trailing delimiters add nothing.
func splitEscaped(text string, delimiter byte) ([]string, error) {
	var parts []string
	pending := false // a delimiter was seen since the last part
	first := true
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == delimiter:
			if pending && !first {
				parts = append(parts, "")
			}
			pending = true
			i++
		case c == '\'' || c == '"':
			part, next, err := quoted(text, i)
			if err != nil {
				return nil, err
			}
			rest := i + next
			for rest < len(text) && isBlank(text[rest]) {
				rest++
			}
			if rest < len(text) && text[rest] != delimiter {
				return nil, fmt.Errorf("%q: text follows the closing quote at position %d", text, rest)
			}
			parts, pending, first = append(parts, part), false, false
			i = rest
		default:
			end := strings.IndexByte(text[i:], delimiter)
			if end < 0 {
				end = len(text) - i
			}
			token := Trim(text[i : i+end])
			if token != "" {
				// A blank before a quote is not part of an unquoted token.
				if lead := strings.IndexFunc(text[i:i+end], func(r rune) bool { return r > ' ' }); lead > 0 && (token[0] == '\'' || token[0] == '"') {
					i += lead
					continue
				}
				parts, pending, first = append(parts, token), false, false
			}
			i += end
		}
	}
	return parts, nil
}

func isBlank(c byte) bool { return c <= ' ' }

// quoted reads the quoted token at text[start] and returns its value and length.
func quoted(text string, start int) (value string, length int, err error) {
	quote := text[start]
	var b strings.Builder
	for i := start + 1; i < len(text); i++ {
		if text[i] != quote {
			b.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		return b.String(), i + 1 - start, nil
	}
	return "", 0, fmt.Errorf("%q: the quote at position %d is not closed", text, start)
}
