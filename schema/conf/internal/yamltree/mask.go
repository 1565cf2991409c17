package yamltree

import (
	"bytes"
	"regexp"
	"strings"
)

// A maskRange is a part of the text that a template engine fills in.
type maskRange struct{ start, end int }

// stand is what a template's text is replaced by for reading; a letter never means anything to YAML.
const stand = 'x'

// lineSeparators are line ends for the library (YAML 1.1) but content for YAML 1.2, each with a character of equal width that takes its
// place while the library reads.
var lineSeparators = [][2]string{{"\u0085", "\u0379"}, {"\u2028", "\uE028"}, {"\u2029", "\uE029"}}

// mask returns a text of equal length in which templates ({{ … }}, {% … %}) and foreign line separators are hidden. A line that holds
// nothing but template actions becomes blank.
func mask(data []byte, s *Stream) ([]byte, []maskRange) {
	directives := directiveLines(data)
	special := len(directives) > 0 || bytes.Contains(data, []byte("{{")) || bytes.Contains(data, []byte("{%"))
	for _, p := range lineSeparators {
		special = special || bytes.Contains(data, []byte(p[0]))
	}
	if !special {
		return data, nil
	}
	text := bytes.Clone(data)
	for _, d := range directives {
		for i := d.start; i < d.end; i++ {
			text[i] = ' '
		}
	}
	for _, p := range lineSeparators {
		text = bytes.ReplaceAll(text, []byte(p[0]), []byte(p[1]))
	}
	var masks []maskRange
	for i := 0; i < len(text); {
		open, closing := i, ""
		if n := bytes.IndexByte(text[i:], '{'); n < 0 {
			break
		} else if open += n; open+1 >= len(text) {
			break
		}
		switch text[open+1] {
		case '{':
			closing = "}}"
		case '%':
			closing = "%}"
		default:
			i = open + 1
			continue
		}
		n := bytes.Index(text[open+2:], []byte(closing))
		// "{{}, {}}" is a mapping of YAML's; a template names something. One that does not end soon is none.
		if n < 0 || n > maxTemplate || len(bytes.Trim(text[open+2:open+2+n], "- {}\t\r\n")) == 0 {
			i = open + 1
			continue
		}
		end := open + 2 + n + len(closing)
		for end < len(text) && text[end] == '}' && closing == "}}" {
			end++
		}
		masks = append(masks, maskRange{open, end})
		action := strings.Trim(string(text[open+2:end-2]), "-~ \t\r\n")
		s.Templated = true
		word, _, _ := strings.Cut(action, " ")
		switch word {
		case "if", "else", "range", "with", "end", "for", "endif", "endfor", "elif", "include", "template", "toYaml":
			s.Conditional = true
		}
		i = end
	}
	for _, m := range masks {
		for i := m.start; i < m.end; i++ {
			if !isBreak(text[i]) {
				text[i] = stand
			}
		}
	}
	blankActionLines(text, masks)
	return text, masks
}

var (
	ignoredDirective  = regexp.MustCompile(`^%[0-9A-Za-z_-]+(?:[ \t]|$)`)
	reservedDirective = regexp.MustCompile(`^%(?:TAG|YAML[ \t]+(?:[^1]|1[^.]))`)
)

// directiveLines are the directives before the first document that mean nothing to snakeyaml-engine but stop the library: "%YAML 1.2" and
// names that nobody reserved.
func directiveLines(data []byte) []maskRange {
	var found []maskRange
	for i := len(data) - len(bytes.TrimPrefix(data, []byte(byteOrderMark))); i < len(data); {
		end := lineEnd(data, i)
		line := data[i:end]
		switch {
		case bytes.HasPrefix(line, []byte("---")):
			return found
		case ignoredDirective.Match(line) && !reservedDirective.Match(line):
			found = append(found, maskRange{i, end})
		case len(bytes.TrimLeft(line, " \t")) > 0 && line[0] != '#' && line[0] != '%':
			return nil // no document follows: the directives are at fault
		}
		i = nextLine(data, end)
	}
	return nil
}

// maxTemplate bounds one template action, so that a stray "{{" does not hide the rest of a file.
const maxTemplate = 4096

// blankActionLines blanks the lines that hold nothing but template actions: what those print is not known.
func blankActionLines(text []byte, masks []maskRange) {
	for n := 0; n < len(masks); {
		start := lineStart(text, masks[n].start)
		if len(bytes.TrimLeft(text[start:masks[n].start], " \t")) > 0 {
			n++
			continue
		}
		end, last := masks[n].end, n+1
		for last < len(masks) && len(bytes.Trim(text[end:masks[last].start], " \t")) == 0 {
			end = masks[last].end
			last++
		}
		stop := lineEnd(text, end)
		if len(bytes.Trim(text[end:stop], " \t")) == 0 {
			for i := start; i < stop; i++ {
				if !isBreak(text[i]) {
					text[i] = ' '
				}
			}
		}
		n = last
	}
}

// masked tells whether a template lies in [start, end).
func (t *tree) masked(start, end int) bool {
	for _, m := range t.masks {
		if m.start < end && start < m.end {
			return true
		}
	}
	return false
}

// unmask puts the templates of a scalar back into its value.
func unmask(data, text []byte, n *Node) string {
	value := []byte(n.Value)
	for i, at := range align(text, n) {
		if at < len(data) && value[i] == stand {
			value[i] = data[at]
		}
	}
	return string(value)
}

// restoreBreaks puts the foreign line separators back.
func restoreBreaks(s string) string {
	if strings.IndexByte(s, 0xEE) < 0 && strings.IndexByte(s, 0xCD) < 0 {
		return s
	}
	for _, p := range lineSeparators {
		s = strings.ReplaceAll(s, p[1], p[0])
	}
	return s
}
