package yamltree

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/flinkadvise/flinkadvise/schema/source"
)

// View is the content of a scalar as text with its way back to the file; f holds the bytes that the tree was read from. Templates stand in it
// as in the file; lines that hold nothing but template actions are blank.
func (n *Node) View(f *source.File) *source.View {
	v := source.NewView(f)
	offsets := align(n.text, n)
	for i := 0; i < len(n.read); {
		// A run of bytes that stand in the file as they are is one piece.
		j := i
		for j < len(n.read) && offsets[j] == offsets[i]+j-i && offsets[j] < len(f.Data) && n.stands(f.Data, j, offsets[j]) {
			j++
		}
		if j > i {
			v.Append(offsets[i], offsets[i]+j-i)
			i = j
			continue
		}
		v.AppendText(n.read[i:i+1], offsets[i])
		i++
	}
	return v
}

// stands tells whether byte i of the content is what stands at offset at of the file, be it hidden by a mask.
func (n *Node) stands(data []byte, i, at int) bool {
	return data[at] == n.read[i] || n.read[i] == stand && n.text[at] == stand
}

// align gives each byte of a scalar's content the offset of the byte it came from; what was folded or escaped points at the place of the
// fold or escape.
func align(text []byte, n *Node) []int {
	switch n.Style {
	case Literal:
		if offsets, ok := alignLiteral(text, n); ok {
			return offsets
		}
		return alignFolded(text, n.read, nextLine(text, lineEnd(text, n.Start)), 0)
	case Folded:
		return alignFolded(text, n.read, nextLine(text, lineEnd(text, n.Start)), 0)
	case SingleQuoted, DoubleQuoted:
		return alignFolded(text, n.read, n.Start+1, text[min(n.Start, len(text)-1)])
	}
	return alignFolded(text, n.read, n.Start, 0)
}

// alignLiteral follows a literal block line by line: every line stands in the file behind the same indentation.
func alignLiteral(text []byte, n *Node) ([]int, bool) {
	offsets := make([]int, 0, len(n.read))
	indent := -1
	at := nextLine(text, lineEnd(text, n.Start))
	for line := range strings.SplitAfterSeq(n.read, "\n") {
		content := strings.TrimSuffix(line, "\n")
		end := lineEnd(text, at)
		if indent < 0 && content != "" {
			if indent = end - at - len(content); indent < 0 {
				return nil, false
			}
		}
		start := min(at+max(indent, 0), end)
		if string(text[start:end]) != content && content != "" {
			return nil, false
		}
		for i := range len(line) {
			offsets = append(offsets, min(start+i, end))
		}
		at = nextLine(text, end)
	}
	return offsets, len(offsets) == len(n.read)
}

// alignFolded follows any other scalar from offset i on; white space may have been folded. In quotes, escapes were resolved.
func alignFolded(text []byte, value string, i int, quote byte) []int {
	offsets := make([]int, 0, len(value))
	for k := 0; k < len(value); {
		if quote == '"' && i < len(text) && text[i] == '\\' {
			size, width := escape(text[i:])
			if width == 0 { // an escaped line end: nothing, with the indentation that follows
				i += size
				for i < len(text) && isBlank(text[i]) {
					i++
				}
				continue
			}
			for range width {
				offsets = append(offsets, i)
			}
			k += width
			i += size
			continue
		}
		white := value[k] == ' ' || value[k] == '\t' || value[k] == '\n'
		switch {
		case i >= len(text):
			offsets = append(offsets, len(text))
			k++
		case white && value[k] == text[i] && !isBreak(text[i]):
			offsets = append(offsets, i)
			i++
			k++
		case white:
			offsets = append(offsets, i)
			k++
			if isBreak(text[i]) {
				i = nextLine(text, i)
				if value[k-1] == '\n' || k < len(value) && value[k] != '\n' {
					for i < len(text) && (isBlank(text[i]) || isBreak(text[i])) && (k >= len(value) || value[k] != text[i] || isBlank(text[i])) {
						i++
					}
				}
			}
		case text[i] != value[k] && (isBlank(text[i]) || isBreak(text[i])):
			i++ // white space that was folded away
		default:
			if quote == '\'' && text[i] == '\'' {
				i++ // the first of a doubled quote
			}
			offsets = append(offsets, i)
			i++
			k++
		}
	}
	for len(offsets) < len(value) {
		offsets = append(offsets, len(text))
	}
	return offsets[:len(value)]
}

// escape is the length of the escape at the beginning of text and the number of bytes it stands for.
func escape(text []byte) (size, width int) {
	if len(text) < 2 {
		return 1, 1
	}
	digits := 0
	switch text[1] {
	case '\n':
		return 2, 0
	case '\r':
		if len(text) > 2 && text[2] == '\n' {
			return 3, 0
		}
		return 2, 0
	case 'N', '_':
		return 2, 2
	case 'L', 'P':
		return 2, 3
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return 2, 1
	}
	size = min(2+digits, len(text))
	r, err := strconv.ParseUint(string(text[2:size]), 16, 32)
	if err != nil || utf8.RuneLen(rune(r)) < 0 {
		return size, utf8.RuneLen(utf8.RuneError)
	}
	return size, utf8.RuneLen(rune(r))
}

// lastOffset is the offset of the last byte of value that is not white space, or none.
func lastOffset(value string, offsets []int, none int) int {
	for i := len(value) - 1; i >= 0; i-- {
		if i < len(offsets) && value[i] != ' ' && value[i] != '\n' && value[i] != '\t' {
			return offsets[i]
		}
	}
	return none
}
