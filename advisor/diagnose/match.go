package diagnose

import (
	"strings"
)

// match tells whether a pattern is there at line i of a record, on which its anchor stands, and keeps it.
func (l *log) match(r *record, i int, p *pattern) {
	text := r.lines[i].text
	at, shown := i, ""
	var words map[string]string
	if n := len(p.frames); n > 0 {
		first, ok := framesAbove(r, i, p.frames)
		if !ok {
			return
		}
		at, shown = first, "at "+frameText(r.lines[first].text)
		if len(p.parts) > 0 {
			if at, ok = messageAbove(r, first, p); !ok {
				return
			}
			words, shown, _ = p.message(r.lines[at].text)
		}
	} else {
		if isFrame(text) {
			return
		}
		// Defects' messages are short: they count where something went wrong, not in what is told in passing.
		if len(p.signature.Defects) > 0 && i == 0 && r.level <= Info {
			return
		}
		var ok bool
		if words, shown, ok = p.message(text); !ok {
			return
		}
		if words["code"] == "0" || i > 0 && l.repeats(r, i, p) {
			return // a process that ends well, or a wrapper around the same exception
		}
	}
	var task []string
	if p.signature.ID == "task-stuck" {
		if task = taskQuoted.FindStringSubmatch(text); task != nil {
			shown = "Task '" + kindOf(task[1]) + " (" + task[2] + "/" + task[3] + ")' " + shown
		}
	}
	l.found(r, at, p, shown, words)
	if task != nil {
		l.vertex(l.place(r, i), task[1], task[3])
	}
	if p.signature.ID == "task-stuck" && len(l.evidence.Stuck) == 0 {
		l.listing = stuck
	}
}

// repeats tells whether the pattern is on an earlier line of the same record: an exception is printed once for each wrapper around it.
func (l *log) repeats(r *record, i int, p *pattern) bool {
	for j := range i {
		if t := r.lines[j].text; strings.Contains(t, p.anchor()) && !isFrame(t) {
			if _, _, ok := p.message(t); ok {
				return true
			}
		}
	}
	return false
}

// framesAbove looks for neighbouring frames that end at line i, the outermost; first is the line of the innermost.
func framesAbove(r *record, i int, frames []string) (first int, ok bool) {
	j := i
	for k := len(frames) - 1; k >= 0; k-- {
		for k < len(frames)-1 && j >= 0 && isFrame(r.lines[j].text) && synthetic(r.lines[j].text) {
			j--
		}
		if j < 0 || !isFrame(r.lines[j].text) || !hasFrame(r.lines[j].text, frames[k]) {
			return 0, false
		}
		first = j
		j--
	}
	return first, true
}

// hasFrame tells whether a frame is of this class and method, in whatever package: relocated classes keep their names.
func hasFrame(text, frame string) bool {
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return false
	}
	i := strings.Index(text[:open+1], frame)
	return i == 0 || i > 0 && strings.IndexByte("./ \t", text[i-1]) >= 0
}

// messageAbove looks for the message of a pattern at the head of the stack that line i is part of.
func messageAbove(r *record, i int, p *pattern) (int, bool) {
	for j := i; j >= 0; j-- {
		t := r.lines[j].text
		if isFrame(t) || strings.HasPrefix(strings.TrimSpace(t), "...") {
			continue
		}
		if _, _, ok := p.message(t); ok {
			return j, true
		}
		if j > 0 && strings.HasPrefix(t, exceptionCause) {
			return 0, false // the head of this part of the stack says something else
		}
	}
	return 0, false
}

func (l *log) found(r *record, i int, p *pattern, shown string, words map[string]string) {
	e, s := l.evidence, p.signature
	place := l.place(r, i)
	l.keep(place, shown)
	m := e.matched[s]
	if m == nil {
		m = &Match{Signature: s, First: place, Last: place, Text: shown, Words: words, Strong: p.strong()}
		e.matched[s] = m
		e.Matches = append(e.Matches, m)
	}
	m.Count++
	m.Strong = m.Strong || p.strong()
	if before(place, m.First) < 0 {
		m.First, m.Text, m.Words = place, shown, words
	}
	if before(place, m.Last) > 0 {
		m.Last = place
	}
}
