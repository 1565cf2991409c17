package checkpoint

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed file-merging-ignored.md
var fileMergingIgnoredDoc string

// FileMergingIgnored finds an option of file merging that Flink declares and documents, and reads nowhere.
var FileMergingIgnored = &advisor.Rule{
	ID:         "checkpoint/file-merging-ignored",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Reads:      []string{keyMergedSubtasks},
	Doc:        fileMergingIgnoredDoc,
	Check:      fileMergingIgnored,
}

const keyMergedSubtasks = "execution.checkpointing.file-merging.max-subtasks-per-file"

func fileMergingIgnored(t *advisor.Target, r *advisor.Report) {
	v := t.Conf.Int(keyMergedSubtasks)
	if !v.Set() || t.Version.Before(1, 20) {
		return
	}
	r.Find(advisor.Finding{
		Message: keyMergedSubtasks + " has no effect: Flink declares the option and reads it nowhere",
		Labels:  t.Labels(keyMergedSubtasks, "not read"),
		Help:    "remove it; the size of merged files is execution.checkpointing.file-merging.max-file-size",
		Edits:   []advisor.Edit{advisor.Unset(keyMergedSubtasks, true)},
	})
}
