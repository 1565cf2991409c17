package quantity

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
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

// splitEscaped follows StructuredOptionsSplitter: white space before a token is skipped; a token is a quoted string, which only white space may
// follow, or a run up to the next delimiter, trimmed. An empty part between two delimiters is ""; a single leading or trailing delimiter
// adds nothing.
func splitEscaped(text string, delimiter byte) ([]string, error) {
	var parts []string
	afterDelimiter := false
	for i := skipWhite(text, 0); i < len(text); i = skipWhite(text, i) {
		switch text[i] {
		case delimiter:
			if afterDelimiter {
				parts = append(parts, "")
			}
			afterDelimiter = true
			i++
			continue
		case '\'', '"':
			part, length, err := quoted(text, i)
			if err != nil {
				return nil, err
			}
			i = skipWhite(text, i+length)
			if i < len(text) && text[i] != delimiter {
				return nil, fmt.Errorf("%q: text follows the closing quote at position %d", text, i)
			}
			parts = append(parts, part)
		default:
			end := strings.IndexByte(text[i:], delimiter)
			if end < 0 {
				end = len(text) - i
			}
			parts = append(parts, Trim(text[i:i+end]))
			i += end
		}
		afterDelimiter = false
	}
	return parts, nil
}

// skipWhite is the place of the first character from i on that Java's Character.isWhitespace does not count as white space.
func skipWhite(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		separator := r > unicode.MaxASCII && unicode.In(r, unicode.Z) && r != '\u00A0' && r != '\u2007' && r != '\u202F'
		if !separator && r != ' ' && (r < '\t' || r > '\r') && (r < 0x1C || r > 0x1F) {
			return i
		}
		i += size
	}
	return i
}

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
