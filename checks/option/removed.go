package option

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
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
		last, ok := gone(t, e.Key)
		if !ok {
			continue
		}
		keys = append(keys, e.Key)
		f.Labels = append(f.Labels, label(e, "read up to Flink "+last.String()+replacement(e.Key)))
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

// reportedElsewhere leaves network options of 2.x to network/removed-knob, which knows what holds instead.
func reportedElsewhere(e *conf.Entry) bool { return strings.HasPrefix(e.Key, "taskmanager.network.") }

// replacements name what takes the place of removed options, by prefix. Sources: Flink's release notes 1.10 to 2.0.
var replacements = []struct{ prefix, by string }{
	{"jobmanager.heap.", "jobmanager.memory.process.size"},
	{"taskmanager.heap.", "taskmanager.memory.process.size"},
	{"taskmanager.memory.fraction", "taskmanager.memory.managed.fraction"},
	{"taskmanager.memory.off-heap", ""},
	{"taskmanager.memory.preallocate", ""},
	{"cluster.evenly-spread-out-slots", "taskmanager.load-balance.mode: SLOTS"},
	{"cluster.fine-grained-resource-management.enabled", ""},
	{"state.backend.async", ""},
	{"restart-strategy.failure-rate.failure-rate-interval", ""},
	{"high-availability.zookeeper.path.jobgraphs", "high-availability.zookeeper.path.execution-plans"},
	{"scheduler-mode", "jobmanager.scheduler: adaptive"},
	{"sql-client.display.max-column-width", "table.display.max-column-width"},
	{"table.exec.legacy-transformation-uids", "table.exec.uid.generation"},
	{"execution.checkpointing.recover-without-channel-state.checkpoint-id", "execution.state-recovery.without-channel-state.checkpoint-id"},
}

func replacement(key string) string {
	for _, x := range replacements {
		if strings.HasPrefix(key, x.prefix) && x.by != "" {
			return "; now " + x.by
		}
	}
	return ""
}
