package network

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed debloat-refused.md
var debloatRefusedDoc string

// DebloatRefused finds settings of buffer debloating that stop the TaskManager, even while debloating is off (BufferDebloatConfiguration).
var DebloatRefused = &advisor.Rule{
	ID:         "network/debloat-refused",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keySegment, keyMinSegment, keyStartingSegment, keyDebloatTarget, keyDebloatSamples},
	Doc:        debloatRefusedDoc,
	Check:      debloatRefused,
}

const (
	keyMinSegment      = "taskmanager.memory.min-segment-size"
	keyStartingSegment = "taskmanager.memory.starting-segment-size"
	keyDebloatTarget   = "taskmanager.network.memory.buffer-debloat.target"
	keyDebloatSamples  = "taskmanager.network.memory.buffer-debloat.samples"
)

func debloatRefused(t *advisor.Target, r *advisor.Report) {
	// The checks were seen in 1.15 and newer; 1.14 builds its debloater elsewhere.
	if t.Version.Before(1, 15) {
		return
	}
	refuse := func(message, key, fix string, more ...string) {
		labels := t.Labels(append([]string{key, "refused"}, more...)...)
		if len(labels) == 0 {
			return
		}
		f := advisor.Finding{
			Message: message, Labels: labels, Help: fix,
			Notes: []string{"the TaskManager stops with an IllegalArgumentException that says nothing, even while debloating is off"},
		}
		r.Find(f)
	}
	smallest, starting, full := t.Conf.Memory(keyMinSegment), t.Conf.Memory(keyStartingSegment), t.Conf.Memory(keySegment)
	switch {
	case starting.Has && smallest.Has && smallest.V > starting.V:
		refuse(fmt.Sprintf("the smallest buffer (%s) is larger than the one debloating starts with (%s)", smallest.V.Pretty(), starting.V.Pretty()), keyMinSegment,
			fmt.Sprintf("set %s to %s or more as well", keyStartingSegment, smallest.V.Config()), keyStartingSegment, "starts with this", keySegment, "a whole buffer")
	case starting.Has && full.Has && starting.V > full.V:
		refuse(fmt.Sprintf("the buffer that debloating starts with (%s) is larger than a whole one (%s)", starting.V.Pretty(), full.V.Pretty()), keyStartingSegment,
			fmt.Sprintf("set it to %s or less", full.V.Config()), keySegment, "a whole buffer")
	case !starting.Has && smallest.Has && full.Has && smallest.V > full.V:
		refuse(fmt.Sprintf("the smallest buffer (%s) is larger than a whole one (%s)", smallest.V.Pretty(), full.V.Pretty()), keyMinSegment,
			fmt.Sprintf("set it to %s or less", full.V.Config()), keySegment, "a whole buffer")
	}
	if v := t.Conf.Int(keyDebloatSamples); v.Has && v.V < 1 {
		refuse(fmt.Sprintf("%s must be at least 1", keyDebloatSamples), keyDebloatSamples, "remove it; the default is 20")
	}
	if v := t.Conf.Duration(keyDebloatTarget); v.Has && v.V.Seconds() < 0.001 {
		refuse(fmt.Sprintf("%s must be at least a millisecond", keyDebloatTarget), keyDebloatTarget, "remove it; the default is 1 s. To switch debloating off, set taskmanager.network.memory.buffer-debloat.enabled to false")
	}
}
