package network

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed removed-knob.md
var removedKnobDoc string

// RemovedKnob finds network options that an older Flink read and the one at hand does not; most of them went with 2.0. option/removed leaves them to it.
var RemovedKnob = &advisor.Rule{
	ID:         "network/removed-knob",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        removedKnobDoc,
	Check:      removedKnob,
}

func removedKnob(t *advisor.Target, r *advisor.Report) {
	for _, e := range t.Conf.Entries() {
		if !strings.HasPrefix(e.Key, "taskmanager.network.") {
			continue
		}
		d, gone := option.Departed(e.Key, t.Version)
		if _, read := t.Conf.Option(e.Key); read || !gone {
			continue
		}
		last := "Flink has not read it since before " + version.Oldest().String()
		if d.Last.Known() {
			last = fmt.Sprintf("Flink %s was the last to read it", d.Last)
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("%s has no effect: %s", e.Key, last),
			Labels:  []advisor.Label{{Span: e.KeySpan, Key: e.Key, Text: "not read"}},
			Help:    "remove it",
			Edits:   []advisor.Edit{advisor.Unset(e.Key, true)},
		}
		if len(d.By) > 0 {
			f.Help += "; " + strings.Join(d.By, " and ") + " took its place"
		} else if t.Version.AtLeast(2, 0) {
			f.Help += "; what can still be set are network memory, taskmanager.memory.segment-size, " +
				"taskmanager.network.memory.read-buffer.required-per-gate.max and buffer debloating"
		}
		switch {
		case d.Note != "" && e.Value == d.Fixed:
			f.Severity, f.Impact = advisor.Advice, advisor.Hygiene
			f.Notes = []string{"now " + d.Note + ", which is what was asked for"}
		case d.Note != "":
			f.Notes = []string{"now " + d.Note}
		}
		r.Find(f)
	}
}
