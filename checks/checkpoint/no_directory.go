package checkpoint

import (
	_ "embed"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed no-directory.md
var noDirectoryDoc string

// NoDirectory finds checkpoints that live on the JobManager's heap.
var NoDirectory = &advisor.Rule{
	ID:         "checkpoint/no-directory",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.DataLoss,
	Confidence: advisor.Likely,
	Reads:      []string{keyInterval, keyDir, keyStorage, keyBackend},
	Doc:        noDirectoryDoc,
	Check:      noDirectory,
}

func noDirectory(t *advisor.Target, r *advisor.Report) {
	dir, storage := t.Conf.String(keyDir), t.Conf.String(keyStorage)
	if t.Partial() {
		return // the directory may be set in another part
	}
	if !t.Checkpoint.Enabled || dir.Set() || storage.Set() && !strings.EqualFold(storage.V, "jobmanager") {
		// With a directory the metadata lies there, and the storage "jobmanager" puts all state into it.
		return
	}
	f := advisor.Finding{
		Notes: []string{
			"a JobManager that is lost takes them along, and no single state handle may be larger than 5 MiB",
		},
		Help: "set " + t.Conf.Name(keyDir) + " to a path in an object store or HDFS",
	}
	if storage.Set() {
		f.Message = "checkpoints are kept on the JobManager's heap: that is what the checkpoint storage says, and there is no directory"
		f.Labels = t.Labels(keyStorage, "the heap of the JobManager")
		f.Confidence = advisor.Certain
	} else {
		f.Message = "checkpoints are on and have no directory: they are kept on the JobManager's heap"
		f.Labels = []advisor.Label{t.Anchor("on", keyInterval)}
		f.Notes = append(f.Notes, "that is wrong here only if every job sets its checkpoint storage in code")
	}
	r.Find(f)
}
