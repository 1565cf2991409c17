package network

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed removed-knob.md
var removedKnobDoc string

// knob is a network option that Flink 2.0 removed, and what it is since.
type knob struct {
	key string
	// now says what holds instead, "" where nothing takes its place; value is what it is fixed to, "" where there is no such value.
	now, value string
}

// knobs follow NettyShuffleEnvironmentConfiguration and NettyShuffleEnvironmentOptions of 2.0.
var knobs = []knob{
	{"taskmanager.network.memory.buffers-per-channel", "every remote channel has 2 exclusive buffers", "2"},
	{"taskmanager.network.memory.floating-buffers-per-gate", "every gate has 8 floating buffers", "8"},
	{"taskmanager.network.memory.max-buffers-per-channel", "a subpartition may hold 10 buffers", "10"},
	{"taskmanager.network.memory.max-overdraft-buffers-per-gate", "a result partition may overdraw 20 buffers; the default was 5 up to 1.20", "20"},
	{"taskmanager.network.sort-shuffle.min-parallelism", "every blocking exchange is a sort shuffle", "1"},
	{"taskmanager.network.batch-shuffle.compression.enabled", "compression is on unless taskmanager.network.compression.codec is NONE", "true"},
	{"taskmanager.network.blocking-shuffle.compression.enabled", "compression is on unless taskmanager.network.compression.codec is NONE", "true"},
	{"taskmanager.network.hybrid-shuffle.enable-new-mode", "the tiered mode is the only one", "true"},
	{"taskmanager.network.hybrid-shuffle.num-retained-in-memory-regions-max", "", ""},
	{"taskmanager.network.hybrid-shuffle.spill-index-region-group-size", "", ""},
	{"taskmanager.network.blocking-shuffle.type", "", ""},
	{"taskmanager.network.max-num-tcp-connections", "", ""},
	{"taskmanager.network.netty.num-arenas", "", ""},
	{"taskmanager.network.netty.server.numThreads", "", ""},
	{"taskmanager.network.netty.client.numThreads", "", ""},
	{"taskmanager.network.netty.server.backlog", "", ""},
	{"taskmanager.network.netty.sendReceiveBufferSize", "", ""},
	{"taskmanager.network.netty.transport", "", ""},
	{"taskmanager.network.numberOfBuffers", "network memory decides, as it did from 1.10 on", ""},
}

// RemovedKnob finds network options that Flink 2.x does not read any more.
var RemovedKnob = &advisor.Rule{
	ID:         "network/removed-knob",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Reads:      knobKeys(),
	Doc:        removedKnobDoc,
	Check:      removedKnob,
}

func knobKeys() []string {
	keys := make([]string, len(knobs))
	for i, k := range knobs {
		keys[i] = k.key
	}
	return keys
}

func removedKnob(t *advisor.Target, r *advisor.Report) {
	if t.Version.Before(2, 0) {
		return
	}
	for _, k := range knobs {
		e := t.Conf.Entry(k.key)
		if _, read := t.Conf.Option(k.key); e == nil || read {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("%s has no effect: Flink 2.0 removed it", k.key),
			Labels:  []advisor.Label{{Span: e.KeySpan, Key: e.Key, Text: "not read"}},
			Help: "remove it; what can still be set are network memory, taskmanager.memory.segment-size, " +
				"taskmanager.network.memory.read-buffer.required-per-gate.max and buffer debloating",
			Edits: []advisor.Edit{advisor.Unset(k.key, true)},
		}
		switch {
		case k.now != "" && e.Value == k.value:
			f.Severity, f.Impact = advisor.Advice, advisor.Hygiene
			f.Notes = []string{"now " + k.now + ", which is what was asked for"}
		case k.now != "":
			f.Notes = []string{"now " + k.now}
		}
		r.Find(f)
	}
}
