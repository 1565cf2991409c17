package yamltree

import (
	"bytes"
	"strings"
)

// A maskRange is a part of the text that a template engine fills in.
type maskRange struct{ start, end int }

// stand is what a template's text is replaced by for reading; a letter never means anything to YAML.
const stand = 'x'

// lineSeparators are line ends for the library (YAML 1.1) but content for YAML 1.2, each with a character of equal width that takes its
// place while the library reads.
var lineSeparators = [][2]string{{"\u0085", "\u0379"}, {"\u2028", "\uE028"}, {"\u2029", "\uE029"}}

// mask returns a text of equal length in which templates ({{ … }}, {% … %}, {# … #}, %{ … }) and foreign line separators are hidden. A line that
// holds nothing but template actions becomes blank.
func mask(data []byte, s *Stream) ([]byte, []maskRange) {
	directives := directiveLines(data)
	special := len(directives) > 0 || bytes.Contains(data, []byte("{{")) || bytes.Contains(data, []byte("{%")) || bytes.Contains(data, []byte("{#")) || bytes.Contains(data, []byte("%{"))
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
	for i := 0; i+1 < len(text); i++ {
		end := template(text, i)
		if end == 0 {
			continue
		}
		if ingressTemplate(text, i, end) {
			i = end - 1
			continue
		}
		masks = append(masks, maskRange{i, end})
		action := strings.Trim(string(text[i+2:end-1]), "-~{}%# \t\r\n")
		s.Templated = true
		word, _, _ := strings.Cut(action, " ")
		switch word {
		case "if", "else", "range", "with", "end", "for", "endif", "endfor", "elif", "include", "template", "toYaml":
			s.Conditional = true
		}
		i = end - 1
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

// ingressTemplate tells a placeholder of the Flink operator's own, template: "{{name}}.{{namespace}}.example.com", which no template engine fills in.
func ingressTemplate(text []byte, start, end int) bool {
	if action := string(text[start:end]); action != "{{name}}" && action != "{{namespace}}" {
		return false
	}
	value, ok := bytes.CutPrefix(bytes.TrimLeft(text[lineStart(text, start):start], " "), []byte("template: "))
	value = bytes.TrimLeft(value, " ")
	return ok && len(value) > 0 && (value[0] == '"' || value[0] == '\'')
}

// template is the end of the template action that begins at i, or 0. "{{}, {}}" is a mapping of YAML's: a template names something. Terraform's
// directives count at the beginning of a line only, since "%{" stands in patterns of loggers too.
func template(text []byte, i int) int {
	closing := ""
	switch {
	case text[i] == '{' && text[i+1] == '{':
		closing = "}}"
	case text[i] == '{' && text[i+1] == '%':
		closing = "%}"
	case text[i] == '{' && text[i+1] == '#':
		closing = "#}"
	case text[i] == '%' && text[i+1] == '{' && len(bytes.TrimLeft(text[lineStart(text, i):i], " \t")) == 0:
		closing = "}"
	default:
		return 0
	}
	n := bytes.Index(text[i+2:], []byte(closing))
	if n < 0 || n > maxTemplate || len(bytes.Trim(text[i+2:i+2+n], "- {}\t\r\n")) == 0 {
		return 0
	}
	end := i + 2 + n + len(closing)
	for end < len(text) && text[end] == '}' && closing == "}}" {
		end++
	}
	return end
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
