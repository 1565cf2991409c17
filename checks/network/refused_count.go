package network

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed refused-count.md
var refusedCountDoc string

// RefusedCount finds buffer counts that Flink does not take (NettyShuffleEnvironmentConfiguration.fromConfiguration, LocalBufferPool, BufferManager).
var RefusedCount = &advisor.Rule{
	ID:         "network/refused-count",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyExclusive, keyFloating, keyPerGate},
	Doc:        refusedCountDoc,
	Check:      refusedCount,
}

const (
	keyExclusive = "taskmanager.network.memory.buffers-per-channel"
	keyFloating  = "taskmanager.network.memory.floating-buffers-per-gate"
	keyPerGate   = "taskmanager.network.memory.read-buffer.required-per-gate.max"
)

func refusedCount(t *advisor.Target, r *advisor.Report) {
	leastExclusive := int32(0)
	if t.Version.Before(1, 14) {
		leastExclusive = 1
	}
	for _, c := range []struct {
		key string
		// least is the smallest number that Flink takes.
		least int32
		// checked tells that the TaskManager checks it when it starts; otherwise its tasks fail.
		checked bool
	}{
		{keyExclusive, leastExclusive, t.Version.Before(1, 12) || t.Version.AtLeast(1, 17)},
		{keyFloating, 1, t.Version.AtLeast(1, 17)},
		{keyPerGate, 1, true},
	} {
		v := t.Conf.Int(c.key)
		if !v.Has || !v.Set() || v.V >= c.least || c.key == keyFloating && t.Version.Before(1, 11) {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("%s must be %d or more in Flink %s, and is %d", c.key, c.least, t.Version.Line(), v.V),
			Labels:  t.Labels(c.key, "too small"),
			Notes:   []string{"no TaskManager starts with it"},
			Help:    "remove it; Flink's defaults give full throughput",
			Edits:   []advisor.Edit{advisor.Unset(c.key, false)},
		}
		if !c.checked {
			f.Impact, f.Confidence = advisor.WillFail, advisor.Likely
			f.Notes = []string{"TaskManagers start with it and tasks fail when they create their buffer pools"}
		}
		if c.key == keyExclusive && v.V == 0 {
			f.Notes = append(f.Notes, "0 is allowed from Flink 1.14 on")
		}
		r.Find(f)
	}
}
