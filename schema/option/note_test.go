package option

import (
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

func TestNotesAreOfKnownOptions(t *testing.T) {
	last := ""
	for _, l := range strings.Split(strings.TrimSpace(notes), "\n")[1:] {
		key, note, ok := strings.Cut(l, "\t")
		if !ok || note == "" || strings.TrimSpace(note) != note || !strings.HasSuffix(note, ".") {
			t.Errorf("bad line %q", l)
		}
		known := false
		for _, v := range version.Minors {
			if _, ok := Lookup(strings.ReplaceAll(key, "<name>", "name"), v); ok {
				known = true
			}
		}
		if !known {
			t.Errorf("note on %s, which no version knows", key)
		}
		if key == last {
			t.Errorf("two notes on %s", key)
		}
		last = key
	}
}

func TestNote(t *testing.T) {
	for key, want := range map[string]string{
		"state.checkpoints.dir":               "Where checkpoints are written",
		"restart-strategy":                    "none, fixed-delay",
		"pekko.ask.timeout":                   "Time to wait",
		"metrics.reporter.prom.factory.class": "A name starts only",
		"no.such.key":                         "",
		"":                                    "",
	} {
		if got := Note(key); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("Note(%q) = %q, want %q…", key, got, want)
		}
	}
}
