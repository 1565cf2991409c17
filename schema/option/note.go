package option

import (
	_ "embed" // for the notes
	"strings"
)

//go:embed notes.tsv
var notes string

// Note is our own remark on what key sets: units and traps in one to three sentences, "" where we have none. An old name gets the
// note of the newest option that reads it, a reporter's key the note of its pattern. The text is searched when asked for.
func Note(key string) string {
	if n := noteOf(key); n != "" {
		return n
	}
	if h, ok := History(key); ok && len(h.Alias) > 0 {
		// The newest reader comes with the highest line.
		best := h.Alias[0]
		for _, p := range h.Alias[1:] {
			if p.To.Compare(best.To) > 0 {
				best = p
			}
		}
		if best.Option.Key != key {
			return Note(best.Option.Key)
		}
	}
	if rest, ok := strings.CutPrefix(key, "metrics.reporter."); ok {
		if name, suffix, ok := strings.Cut(rest, "."); ok && name != "<name>" {
			return noteOf("metrics.reporter.<name>." + suffix)
		}
	}
	return ""
}

func noteOf(key string) string {
	_, rest, ok := strings.Cut(notes, "\n"+key+"\t")
	if !ok {
		return ""
	}
	note, _, _ := strings.Cut(rest, "\n")
	return note
}
