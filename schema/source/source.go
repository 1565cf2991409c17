// Package source gives every value that was read a place: the file, the line, the columns and the bytes it came from.
//
// Spans are carried from the first byte read; nothing looks a position up later.
package source

import (
	"bytes"
	"cmp"
	"fmt"
	"sort"
	"unicode/utf8"
)

// A File is one input, whole, with an index of its lines. It is not changed after NewFile.
type File struct {
	// Path is how the user named it, with forward slashes; "-" for standard input.
	Path string
	Data []byte
	// lines holds the offset of the first byte of each line.
	lines []int
	// numbers are the numbers of the lines of an excerpt; nil for a whole file.
	numbers []int
}

// NewFile indexes data. Lines end at "\n", "\r\n" or a lone "\r", as Java's BufferedReader has it.
func NewFile(path string, data []byte) *File {
	f := &File{Path: path, Data: data, lines: append(make([]int, 0, bytes.Count(data, []byte{'\n'})+1), 0)}
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '\r':
			if i+1 < len(data) && data[i+1] == '\n' {
				i++
			}
			f.lines = append(f.lines, i+1)
		case '\n':
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Lines is the number of lines; a final line end does not begin another line.
func (f *File) Lines() int {
	n := len(f.lines)
	if f.numbers != nil {
		return f.numbers[n-1]
	}
	if f.lines[n-1] == len(f.Data) && n > 1 {
		n--
	}
	return n
}

// Line is the text of line n (from 1) without its line end, and the offset of its first byte.
func (f *File) Line(n int) (text []byte, start int) {
	i, ok := f.index(n)
	if !ok {
		return nil, len(f.Data)
	}
	start = f.lines[i]
	end := len(f.Data)
	if i+1 < len(f.lines) {
		end = f.lines[i+1]
	}
	return bytes.TrimRight(f.Data[start:end], "\r\n"), start
}

// Position is the line and column of a byte offset, both from 1. Columns count code points; bytes of invalid UTF-8 count one each.
func (f *File) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(f.Data))
	line = sort.SearchInts(f.lines, offset+1)
	return f.number(line - 1), utf8.RuneCount(f.Data[f.lines[line-1]:offset]) + 1
}

// Offset is the byte offset of a line and a column, both from 1, clipped to the file.
func (f *File) Offset(line, column int) int {
	text, start := f.Line(line)
	for c := 1; c < column && len(text) > 0; c++ {
		_, n := utf8.DecodeRune(text)
		text, start = text[n:], start+n
	}
	return min(start, len(f.Data))
}

// Span is the span of the bytes [start, end), clipped to the file.
func (f *File) Span(start, end int) Span {
	start = min(max(start, 0), len(f.Data))
	end = min(max(end, start), len(f.Data))
	s := Span{File: f, Start: start, End: end}
	s.Line, s.Column = f.Position(start)
	s.EndLine, s.EndColumn = f.Position(end)
	return s
}

// A Span is a range of bytes of a file. The zero Span means "no place".
type Span struct {
	File *File
	// Start and End are byte offsets, End exclusive.
	Start, End int
	// Lines and columns count from 1; EndColumn is exclusive.
	Line, Column, EndLine, EndColumn int
}

// Valid tells whether the span points anywhere.
func (s Span) Valid() bool { return s.File != nil }

// Path is the file's path, or "" for no place.
func (s Span) Path() string {
	if s.File == nil {
		return ""
	}
	return s.File.Path
}

// Text is the bytes of the span.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return string(s.File.Data[s.Start:s.End])
}

// String is "path:line", or "" for no place: the form in which origins are printed.
func (s Span) String() string {
	if s.File == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.File.Path, s.Line)
}

// Compare orders spans by path, start and end.
func (s Span) Compare(o Span) int {
	return cmp.Or(cmp.Compare(s.Path(), o.Path()), cmp.Compare(s.Start, o.Start), cmp.Compare(s.End, o.End))
}
