package checkpoint

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed inline-threshold-ignored.md
var inlineThresholdIgnoredDoc string

// InlineThresholdIgnored finds an inline threshold above Flink's limit, which then counts for nothing (FileSystemCheckpointStorage).
var InlineThresholdIgnored = &advisor.Rule{
	ID:         "checkpoint/inline-threshold-ignored",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Reads:      []string{keyInline},
	Doc:        inlineThresholdIgnoredDoc,
	Check:      inlineThresholdIgnored,
}

const (
	keyInline = "execution.checkpointing.data-inline-threshold"
	// inlineLimit is FileSystemCheckpointStorage.MAX_FILE_STATE_THRESHOLD.
	inlineLimit = quantity.MiB
)

func inlineThresholdIgnored(t *advisor.Target, r *advisor.Report) {
	v := t.Conf.Memory(keyInline)
	if !v.Set() || !v.Has || v.V <= inlineLimit {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%s counts for nothing: more than 1 MiB is ignored and 20 KiB holds", v.V.Pretty()),
		Labels:  t.Labels(keyInline, "above the limit"),
		Notes:   []string{"Flink writes a warning to its log and takes its default"},
		Help:    "set 1mb or less; what is inlined lies in the metadata and on the JobManager's heap",
		Edits:   []advisor.Edit{advisor.Set(keyInline, "1mb", false)},
	})
}
