package option

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed removed.md
var removedDoc string

// Removed finds options that an older Flink read and the one at hand does not, one finding for each configuration.
var Removed = &advisor.Rule{
	ID:         "option/removed",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        removedDoc,
	Check:      removed,
}

func removed(t *advisor.Target, r *advisor.Report) {
	var f advisor.Finding
	var keys []string
	for _, e := range entries(t) {
		if read(t, e.Key) || reportedElsewhere(e) {
			continue
		}
		d, ok := option.Departed(e.Key, t.Version)
		if !ok {
			continue
		}
		keys = append(keys, e.Key)
		f.Labels = append(f.Labels, label(e, became(d)))
		if d.Note != "" {
			f.Notes = append(f.Notes, e.Key+": "+d.Note)
		}
		f.Edits = append(f.Edits, advisor.Unset(e.Key, true))
	}
	switch len(keys) {
	case 0:
		return
	case 1:
		f.Message = fmt.Sprintf("Flink %s does not read %s any more", t.Version.Line(), keys[0])
	default:
		f.Message = fmt.Sprintf("Flink %s does not read %d of these options any more", t.Version.Line(), len(keys))
	}
	f.Help = "remove what is not read, or set what takes its place"
	r.Find(f)
}

// reportedElsewhere leaves network options to network/removed-knob, which knows what can still be set there.
func reportedElsewhere(e *conf.Entry) bool { return strings.HasPrefix(e.Key, "taskmanager.network.") }

// became says what a label can of a key that is gone: which Flink read it last, and what took its place.
func became(d option.Departure) string {
	text := "not read since before Flink " + version.Oldest().String()
	if d.Last.Known() {
		text = "read up to Flink " + d.Last.String()
	}
	if len(d.By) > 0 {
		text += "; now " + strings.Join(d.By, " or ")
	}
	return text
}
