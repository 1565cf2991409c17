package diagnose

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A filter finds the lines that may hold one of many texts. Nearly all lines of a log hold none, so it is what the speed of reading depends on.
//
// It looks at every fourth place of a line alone: of each text it knows the four groups of four bytes of a stretch of seven, one of which is met wherever the
// text stands. (An Aho-Corasick automaton over the same texts looks at each byte and took several times as long.)
type filter struct {
	// table holds the groups by their hash, open addressing; 0 is empty.
	table [1 << tableBits]uint32
	at    [1 << tableBits]uint16
	// texts are the texts to look for when a group is met.
	texts [][]entry
}

// entry is a text with the patterns that it is the anchor of; no patterns stand for a text that extraction asks for.
type entry struct {
	text string
	// off is where in the text the group stands that led here.
	off      int
	patterns []*pattern
}

const (
	tableBits = 13
	group     = 4
	// stretch is the shortest text that can be found.
	stretch = 2*group - 1
)

func hash(g uint32) uint32 { return g * 2654435761 >> (32 - tableBits) }

func newFilter(texts []string, patterns []*pattern) *filter {
	f := &filter{texts: [][]entry{nil}}
	byText := map[string]*entry{}
	var order []string
	add := func(text string, p *pattern) {
		e := byText[text]
		if e == nil {
			e = &entry{text: text}
			byText[text] = e
			order = append(order, text)
		}
		if p != nil {
			e.patterns = append(e.patterns, p)
		}
	}
	for _, text := range texts {
		add(text, nil)
	}
	for _, p := range patterns {
		add(p.anchor(), p)
	}
	for _, text := range order {
		from := rarest(text)
		for i := from; i < from+group; i++ {
			e := *byText[text]
			e.off = i
			f.insert(binary.LittleEndian.Uint32([]byte(text[i:i+group])), e)
		}
	}
	return f
}

// commonplace is what lines that mean nothing look like; stretches of texts are chosen that are not in it.
const commonplace = ` INFO  WARN  org.apache.flink.runtime.executiongraph.ExecutionGraph  checkpoint.CheckpointCoordinator taskmanager.Task taskexecutor.TaskExecutor
 org.apache.flink.streaming.runtime.tasks.StreamTask jobmaster.JobMaster resourcemanager.StandaloneResourceManager Exception Source: source -> Sink:
 could not Could not cannot Cannot Failed to for the job of state from to task Task TaskManager JobManager checkpoint Checkpoint memory Memory configured
 configuration java.lang.Thread java.util.concurrent. network buffer partition timeout org.apache.kafka.clients.consumer.internals.`

// rarest is where the stretch of the text begins that has least in common with everyday lines.
func rarest(text string) int {
	best, least := 0, group+1
	for i := 0; i+stretch <= len(text); i++ {
		n := 0
		for j := i; j < i+group; j++ {
			if strings.Contains(commonplace, text[j:j+group]) {
				n++
			}
		}
		if n < least {
			best, least = i, n
		}
	}
	return best
}

func (f *filter) insert(g uint32, e entry) {
	h := hash(g)
	for f.table[h] != 0 && f.table[h] != g {
		h = (h + 1) % (1 << tableBits)
	}
	if f.table[h] == 0 {
		f.table[h] = g
		f.at[h] = uint16(len(f.texts))
		f.texts = append(f.texts, nil)
	}
	f.texts[f.at[h]] = append(f.texts[f.at[h]], e)
}

// next finds a text that ends before the end of data at or behind from, as far as the places looked at reach; ok is false when there is none.
func (f *filter) next(data []byte, from int) (at int, found entry, ok bool) {
	for ; from+group <= len(data); from += group {
		g := binary.LittleEndian.Uint32(data[from:])
		h := hash(g)
		for t := f.table[h]; t != 0; t = f.table[h] {
			if t != g {
				h = (h + 1) % (1 << tableBits)
				continue
			}
			for _, e := range f.texts[f.at[h]] {
				start := from - e.off
				if start >= 0 && start+len(e.text) <= len(data) && string(data[start:start+len(e.text)]) == e.text {
					return start, e, true
				}
			}
			break
		}
	}
	return len(data), entry{}, false
}

// all lists the texts on one line, each once, in the order of their places.
func (f *filter) all(line []byte, into []entry) []entry {
	into = into[:0]
	for from := 0; from+group <= len(line); from++ {
		g := binary.LittleEndian.Uint32(line[from:])
		h := hash(g)
		for t := f.table[h]; t != 0; t = f.table[h] {
			if t != g {
				h = (h + 1) % (1 << tableBits)
				continue
			}
			for _, e := range f.texts[f.at[h]] {
				start := from - e.off
				if start >= 0 && start+len(e.text) <= len(line) && string(line[start:start+len(e.text)]) == e.text &&
					!slices.ContainsFunc(into, func(x entry) bool { return x.text == e.text }) {
					into = append(into, e)
				}
			}
			break
		}
	}
	return into
}
