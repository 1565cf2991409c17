package network

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/version"
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
		// least is the smallest number that Flink takes, from version since on.
		least int32
		since version.Version
		// checked is the version from which the TaskManager checks it when it starts; before, the tasks fail.
		checked version.Version
	}{
		{keyExclusive, leastExclusive, version.Oldest(), version.Of(1, 17)},
		{keyFloating, 1, version.Of(1, 11), version.Of(1, 17)},
		{keyPerGate, 1, version.Of(1, 17), version.Of(1, 17)},
	} {
		v := t.Conf.Int(c.key)
		if !v.Has || !v.Set() || v.V >= c.least || t.Version.Line().Compare(c.since) < 0 {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("%s must be %d or more in Flink %s, and is %d", c.key, c.least, t.Version.Line(), v.V),
			Labels:  t.Labels(c.key, "too small"),
			Notes:   []string{"no TaskManager starts with it"},
			Help:    "remove it; Flink's defaults give full throughput",
			Edits:   []advisor.Edit{advisor.Unset(c.key, false)},
		}
		if t.Version.Line().Compare(c.checked) < 0 {
			f.Impact = advisor.WillFail
			f.Notes = []string{"TaskManagers start with it and tasks fail when they create their buffer pools"}
		}
		if c.key == keyExclusive && v.V == 0 {
			f.Notes = append(f.Notes, "0 is allowed from Flink 1.14 on")
		}
		r.Find(f)
	}
}
