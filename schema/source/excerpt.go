package source

import (
	"sort"
	"strings"
)

// A NumberedLine is one line of an Excerpt.
type NumberedLine struct {
	// Number counts from 1.
	Number int
	Text   string
}

// NewExcerpt makes a file of which only some lines are kept, for inputs that are too large to hold or not to be shown whole. Lines must rise; line ends
// inside of a text become blanks. Spans know the true line numbers; offsets are those of the excerpt.
func NewExcerpt(path string, lines []NumberedLine) *File {
	f := &File{Path: path, numbers: make([]int, 0, len(lines))}
	var b strings.Builder
	for _, l := range lines {
		f.lines, f.numbers = append(f.lines, b.Len()), append(f.numbers, l.Number)
		b.WriteString(strings.NewReplacer("\r", " ", "\n", " ").Replace(l.Text))
		b.WriteByte('\n')
	}
	if len(lines) == 0 {
		f.lines, f.numbers = []int{0}, []int{1}
	}
	f.Data = []byte(b.String())
	return f
}

// index is the place of line n in f.lines; ok is false for a line that is not there.
func (f *File) index(n int) (i int, ok bool) {
	if f.numbers == nil {
		return n - 1, n >= 1 && n <= len(f.lines)
	}
	i = sort.SearchInts(f.numbers, n)
	return i, i < len(f.numbers) && f.numbers[i] == n
}

// number is the number of the line at place i of f.lines.
func (f *File) number(i int) int {
	if f.numbers == nil {
		return i + 1
	}
	return f.numbers[min(i, len(f.numbers)-1)]
}
