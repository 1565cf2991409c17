package diagnose

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Limits of reading. Memory does not grow with the length of a log.
const (
	// bufferSize is what is read at once; a longer line is cut there.
	bufferSize = 1 << 20
	// lookBack is what is kept of what was read before, to find the head of a record and the frames above one.
	lookBack = 1 << 16
	// maxRecordLines is how many lines a record is followed upwards.
	maxRecordLines = 400
	// maxFollowed ends the lists of JVM options and arguments in the banner.
	maxFollowed = 400
)

// ErrEmpty is returned for a log without a byte.
var ErrEmpty = errors.New("the log is empty")

// Read reads one log into the evidence; gzip is seen by its first bytes. Name is what reports call the log. The order of calls does not matter for what is
// found; events are ordered by their times.
func (e *Evidence) Read(name string, r io.Reader) error {
	in := bufio.NewReaderSize(r, 1<<16)
	if head, err := in.Peek(2); err == nil && head[0] == 0x1f && head[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r = z
	} else {
		r = in
	}
	s := &scanner{filter: load().filter, log: e.open(name)}
	if err := s.scan(r); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// scanner goes over one log.
type scanner struct {
	filter *filter
	log    *log
	// data is what is held of the log; up to done it was looked at. line is the number of the line that begins at done.
	data []byte
	done int
	line int
	// follow is how many of the next lines are looked at in any case: the rest of a list.
	follow int
	// texts is reused.
	texts []entry
	// record is the one that the line before recordEnd belongs to, down to that line.
	record    *record
	recordEnd int
}

func (s *scanner) scan(r io.Reader) error {
	s.data = make([]byte, 0, bufferSize+lookBack)
	s.line = 1
	for {
		n, err := io.ReadFull(r, s.data[len(s.data):cap(s.data)])
		s.data = s.data[:len(s.data)+n]
		s.log.Bytes += int64(n)
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return err
		}
		end := len(s.data)
		if !last {
			if i := bytes.LastIndexByte(s.data[s.done:], '\n'); i >= 0 {
				end = s.done + i + 1
			}
		}
		s.region(end)
		if last {
			break
		}
		keep := max(s.done-lookBack, 0)
		s.data = s.data[:copy(s.data, s.data[keep:])]
		s.done -= keep
		s.recordEnd -= keep
	}
	s.log.Lines = s.line - 1
	if len(s.data) > 0 && s.data[len(s.data)-1] != '\n' {
		s.log.Lines++
	}
	if s.log.Bytes == 0 {
		return ErrEmpty
	}
	s.log.finish()
	return nil
}

// region looks at the lines up to end.
func (s *scanner) region(end int) {
	s.edge(end)
	for s.done < end {
		start := s.done
		if s.follow == 0 {
			at, e, ok := s.filter.next(s.data[:end], s.done)
			if !ok {
				break
			}
			start = s.done + bytes.LastIndexByte(s.data[s.done:at], '\n') + 1
			s.line += bytes.Count(s.data[s.done:start], []byte{'\n'})
			if s.log.knows(e.text) {
				s.advance(at, end)
				continue
			}
		}
		stop := end
		if i := bytes.IndexByte(s.data[start:end], '\n'); i >= 0 {
			stop = start + i
		}
		s.follow = max(s.follow-1, 0)
		s.visit(start, stop)
		s.done = start
		s.advance(stop, end)
	}
	if s.done < end {
		s.line += bytes.Count(s.data[s.done:end], []byte{'\n'})
		s.done = end
	}
}

// advance goes to the line behind at.
func (s *scanner) advance(at, end int) {
	if i := bytes.IndexByte(s.data[at:end], '\n'); i >= 0 {
		s.done = at + i + 1
		s.line++
		return
	}
	s.done = end
}

// edge takes the time of the first and of the last record.
func (s *scanner) edge(end int) {
	if s.log.First.IsZero() {
		for rest := s.data[s.done:end]; len(rest) > 0 && s.log.First.IsZero(); {
			line := rest
			if i := bytes.IndexByte(rest, '\n'); i >= 0 {
				line, rest = rest[:i], rest[i+1:]
			} else {
				rest = nil
			}
			s.log.First = timeOf(line)
		}
	}
	for rest := s.data[s.done:end]; len(rest) > 0; {
		i := bytes.LastIndexByte(rest[:len(rest)-1], '\n')
		if t := timeOf(rest[i+1:]); !t.IsZero() {
			s.log.Last = t
			return
		}
		rest = rest[:i+1]
		if i < 0 {
			return
		}
	}
}

// visit looks at the line [start, stop), whose number is s.line.
func (s *scanner) visit(start, stop int) {
	if text := unwrapped(s.data[start:stop]); bytes.HasPrefix(text, []byte("{")) {
		if rec, ok := parseJSON(text, s.line); ok {
			s.record, s.recordEnd = &record{}, stop // what follows is no part of it
			for i := range rec.lines {
				s.look(rec, i)
			}
			return
		}
	}
	s.extend(start, stop)
	s.look(s.record, len(s.record.lines)-1)
}

func (s *scanner) look(rec *record, i int) {
	s.texts = s.filter.all([]byte(rec.lines[i].text), s.texts)
	s.follow = max(s.follow, s.log.look(rec, i, s.texts))
	switch s.log.listing {
	case "":
		s.follow = 0
	case stuck:
		s.follow = max(s.follow, 1)
	}
}

// extend makes s.record the record that the line [start, stop) belongs to, from its head down to this line. It goes upwards until it meets a head, or the
// lines that the record has already.
func (s *scanner) extend(start, stop int) {
	end := stop
	rec := &record{}
	var up []recordLine
	for number := s.line; ; number-- {
		if s.record != nil && s.recordEnd == stop && len(up) > 0 {
			rec = s.record
			break
		}
		text := unwrapped(s.data[start:stop])
		if h, ok := parseHeader(text); ok {
			rec.header = h
			up = append(up, recordLine{string(text[h.message:]), number})
			break
		}
		up = append(up, recordLine{string(text), number})
		if start == 0 || len(up) == maxRecordLines {
			break
		}
		stop = start - 1
		start = bytes.LastIndexByte(s.data[:stop], '\n') + 1
	}
	for _, l := range slices.Backward(up) {
		rec.lines = append(rec.lines, l)
	}
	if n := len(rec.lines); n > 2*maxRecordLines { // the head and the last lines
		rec.lines = append(rec.lines[:1], rec.lines[n-maxRecordLines:]...)
	}
	s.record, s.recordEnd = rec, end
}
