package yamltree

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// Bounds of the search for what is wrong in a text that cannot be read: it parses parts of the text again and again.
const (
	maxProblems = 20
	// maxPrefixLines is the longest block in which the line at fault is looked for line by line.
	maxPrefixLines = 400
	// maxRecoverSize is the largest text that is taken apart; of a larger one only the first problem is told.
	maxRecoverSize = 256 << 10
)

// recoverFrom reads a text that cannot be read as a whole block by block (what stands below one line without indentation), leaving out the
// lines that are at fault.
func (t *tree) recoverFrom(s *Stream, whole error) error {
	if len(t.text) > maxRecoverSize {
		s.Problems = append(s.Problems, t.problem(0, lineEnd(t.text, 0), whole))
		return nil
	}
	t.text = bytes.Clone(t.text)
	for start := 0; start < len(t.text); {
		end := t.blockEnd(start)
		docs, err := t.parse(start, end)
		last := -1
		for n := 0; err != nil && !errors.Is(err, ErrTooDeep) && n < maxProblems && len(s.Problems) < maxProblems; n++ {
			if name, ok := unknownAnchor(err); ok && bytes.Contains(t.text[:start], []byte("&"+name)) {
				break // the anchor stands in a block that was read on its own
			}
			from, to := t.culprit(start, end)
			// A line that fails right after one that was left out most likely fails because of it.
			if last < 0 || from < last || len(bytes.TrimSpace(t.text[last:from])) > 0 {
				s.Problems = append(s.Problems, t.problem(from, to, err))
			}
			last = to
			for i := from; i < to; i++ {
				if !isBreak(t.text[i]) {
					t.text[i] = ' '
				}
			}
			docs, err = t.parse(start, end)
		}
		if errors.Is(err, ErrTooDeep) {
			return err
		}
		if err == nil {
			s.Docs = mergeDocs(s.Docs, docs, bytes.HasPrefix(t.text[start:], []byte("---")))
		}
		start = end
	}
	if len(s.Problems) == 0 {
		// Each block is fine on its own: they do not fit together (a list next to a mapping, say).
		s.Problems = append(s.Problems, t.problem(0, lineEnd(t.text, 0), whole))
	}
	return nil
}

// mergeDocs adds the mappings of a block to the document that it continues.
func mergeDocs(docs, more []Document, fresh bool) []Document {
	for i, d := range more {
		last := len(docs) - 1
		if i > 0 || fresh || last < 0 {
			docs = append(docs, d)
			continue
		}
		switch {
		case d.Root == nil:
		case docs[last].Root == nil:
			docs[last] = d
		case docs[last].Root.Kind == Mapping && d.Root.Kind == Mapping:
			merged := *docs[last].Root
			merged.Pairs = append(merged.Pairs[:len(merged.Pairs):len(merged.Pairs)], d.Root.Pairs...)
			docs[last].Root = &merged
		case docs[last].Root.Kind == Sequence && d.Root.Kind == Sequence:
			merged := *docs[last].Root
			merged.Items = append(merged.Items[:len(merged.Items):len(merged.Items)], d.Root.Items...)
			docs[last].Root = &merged
		}
	}
	return docs
}

// blockEnd is where the block that begins at start ends: before the next line that begins with neither a blank nor a comment, nor closes a bracket.
func (t *tree) blockEnd(start int) int {
	for at := nextLine(t.text, lineEnd(t.text, start)); at < len(t.text); at = nextLine(t.text, lineEnd(t.text, at)) {
		switch t.text[at] {
		case ' ', '\t', '#', '\r', '\n', '}', ']', '"', '\'':
			continue
		case '-':
			if !bytes.HasPrefix(t.text[at:], []byte("---")) && !bytes.HasPrefix(t.text[start:], []byte("-")) {
				continue // a list on the level of its key
			}
		}
		return at
	}
	return len(t.text)
}

// culprit is the line of the block [start, end) at which reading stops: the one after the longest run of lines that can be read.
func (t *tree) culprit(start, end int) (from, to int) {
	from, to = start, lineEnd(t.text, start)
	best := start
	for at, n := start, 0; at < end && n < maxPrefixLines; n++ {
		at = min(nextLine(t.text, lineEnd(t.text, at)), end)
		if _, err := t.parse(start, at); err == nil && at < end {
			best = at
		}
	}
	// Blank lines and comments are not at fault.
	for best < end {
		from, to = best, lineEnd(t.text, best)
		if line := bytes.TrimLeft(t.text[from:to], " "); len(line) > 0 && line[0] != '#' {
			break
		}
		best = nextLine(t.text, to)
	}
	return from, min(to, end)
}

var anchorError = regexp.MustCompile(`unknown anchor '([^']*)' referenced`)

func unknownAnchor(err error) (string, bool) {
	if m := anchorError.FindStringSubmatch(err.Error()); m != nil {
		return m[1], true
	}
	return "", false
}

// problem marks what is at fault in the line [from, to).
func (t *tree) problem(from, to int, err error) Problem {
	p := Problem{LineStart: from, LineEnd: to, Message: message(err)}
	line := string(t.text[from:to])
	p.Start, p.End = from+len(line)-len(strings.TrimLeft(line, " \t")), from+len(strings.TrimRight(line, " \t"))
	if p.End <= p.Start {
		p.Start, p.End = from, to
	}
	tab := strings.IndexByte(line, '\t')
	if tab >= 0 && strings.Trim(line[:tab], " ") == "" {
		p.Start, p.End, p.Message = from+tab, from+tab+1, "a tab cannot indent a line"
		return p
	}
	if strings.Contains(p.Message, "mapping values are not allowed") {
		p.Message = "the line is indented deeper than what stands above it allows"
	}
	colon := strings.Index(line, ": ")
	if colon < 0 {
		if strings.Contains(p.Message, "could not find expected ':'") {
			p.Message = "the line is not of the form key: value"
		}
		return p
	}
	value := from + colon + 2
	for value < to && isBlank(t.text[value]) {
		value++
	}
	if value >= p.End {
		return p
	}
	first := t.text[value]
	switch {
	case first == '\'' || first == '"':
		p.Start = value
		if strings.Contains(p.Message, "unexpected end of stream") || strings.Contains(p.Message, "could not find expected ':'") {
			p.Message = "the quote is not closed"
		}
	case first == '[' || first == '{':
		p.Start = value
	case strings.IndexByte("*&!%@`|>,?", first) >= 0:
		p.Start = value
		p.Message = "an unquoted value cannot begin with " + strconv.QuoteRune(rune(first))
	case strings.Contains(err.Error(), "mapping values are not allowed") && strings.Contains(line[colon+2:], ": "):
		p.Start = value
		p.Message = "an unquoted value cannot hold \": \""
	}
	return p
}
