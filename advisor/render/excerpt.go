package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// Widths of an excerpt: a longer line is cut around what is marked, so that a report stays readable in CI logs of 120 columns.
const (
	maxExcerpt = 100
	excerptCut = 40
)

// columns measures text without asking the locale: the same report comes out everywhere.
var columns = &runewidth.Condition{}

// mark is one label on one line of a file, in columns of the printed line.
type mark struct {
	from, width int
	text        string
	primary     bool
}

// marked is a line of a file with its marks.
type marked struct {
	number int
	text   string
	marks  []mark
}

// excerpt prints the lines that the labels of one file point at, in order, with the labels below them.
func (t *text) excerpt(file *source.File, labels []advisor.Label, primary advisor.Label) {
	lines := t.markLines(file, labels, primary)
	t.margin = len(strconv.Itoa(lines[len(lines)-1].number))
	t.arrow(location(labels[0].Span))
	t.bar("")
	for i, l := range lines {
		if i > 0 && l.number > lines[i-1].number+1 {
			t.printf("%s\n", t.paint(blue, "..."))
		}
		t.printf("%s %s\n", t.paint(blue, fmt.Sprintf("%*d |", t.margin, l.number)), strings.TrimRight(l.text, " "))
		for _, m := range l.marks {
			under, colour := "-", blue
			if m.primary {
				under, colour = "^", t.severityColour
			}
			t.bar(strings.Repeat(" ", m.from) + t.paint(colour, strings.TrimRight(strings.Repeat(under, max(m.width, 1))+" "+t.red.text(m.text), " ")))
		}
	}
	t.bar("")
}

// location is "path:line:column" of a span's beginning.
func location(s source.Span) string {
	if s.File == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", printable(s.File.Path), s.Line, s.Column)
}

func (t *text) markLines(file *source.File, labels []advisor.Label, primary advisor.Label) []marked {
	byLine := map[int]*marked{}
	for _, l := range labels {
		m, ok := byLine[l.Span.Line]
		if !ok {
			m = &marked{number: l.Span.Line}
			byLine[l.Span.Line] = m
		}
		raw, start := file.Line(l.Span.Line)
		line := string(raw)
		safe := t.red.line(line)
		from := min(l.Span.Start-start, len(line))
		to := len(line)
		if l.Span.EndLine == l.Span.Line {
			to = min(l.Span.End-start, len(line))
		}
		// A hidden value changes the length of the line: mark what stands in its place.
		if safe != printable(line) {
			lead := t.red.line(line[:from])
			from = min(len(lead), len(safe))
			to = max(len(safe)-len(line)+to, from)
		}
		width := columns.StringWidth(printable(clip(safe, from, to)))
		m.text = safe
		m.marks = append(m.marks, mark{from: columns.StringWidth(printable(clip(safe, 0, from))), width: width, text: l.Text, primary: l == primary})
	}
	out := make([]marked, 0, len(byLine))
	for _, m := range byLine {
		slices.SortStableFunc(m.marks, func(a, b mark) int {
			if a.primary != b.primary {
				if a.primary {
					return -1
				}
				return 1
			}
			return cmp.Compare(a.from, b.from)
		})
		m.cut()
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b marked) int { return cmp.Compare(a.number, b.number) })
	return out
}

// clip is s[from:to], kept inside s.
func clip(s string, from, to int) string {
	to = min(max(to, 0), len(s))
	return s[min(max(from, 0), to):to]
}

// cut shortens a long line to a window around its first mark.
func (m *marked) cut() {
	if columns.StringWidth(m.text) <= maxExcerpt {
		return
	}
	first := m.marks[0].from
	skip := max(first-excerptCut, 0)
	if skip > 0 {
		m.text = "..." + columns.TruncateLeft(m.text, skip, "")
		for i := range m.marks {
			m.marks[i].from = max(m.marks[i].from-skip+3, 0)
		}
	}
	m.text = columns.Truncate(m.text, maxExcerpt, "...")
	for i := range m.marks {
		m.marks[i].width = max(min(m.marks[i].width, maxExcerpt-m.marks[i].from), 1)
	}
}
