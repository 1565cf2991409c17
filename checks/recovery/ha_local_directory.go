package recovery

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed ha-local-directory.md
var haLocalDirectoryDoc string

// HALocalDirectory finds high availability whose data lies where only one machine sees it.
var HALocalDirectory = &advisor.Rule{
	ID:         "recovery/ha-local-directory",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.DataLoss,
	Confidence: advisor.Possible,
	Reads:      []string{keyHA, keyStorageDir},
	Facts:      []string{"deployment.target"},
	Doc:        haLocalDirectoryDoc,
	Check:      haLocalDirectory,
}

func haLocalDirectory(t *advisor.Target, r *advisor.Report) {
	dir := t.Conf.String(keyStorageDir)
	if m := modeOf(t); m == off || m == custom || !dir.Has {
		return
	}
	path, local := localPath(dir.V)
	if !local {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("high availability keeps its data in %s: a JobManager on another machine finds nothing there", quantity.Trim(dir.V)),
		Labels:  t.Labels(keyStorageDir, "a local path, unless a shared volume is mounted here"),
		Notes:   []string{"ZooKeeper or the ConfigMaps hold only pointers; job graphs and the metadata of checkpoints are in this directory"},
		Help:    "use an object store or HDFS, or a volume that every JobManager mounts",
	}
	if strings.HasPrefix(path, "/tmp") {
		f.Severity, f.Confidence = advisor.Warning, advisor.Likely
	}
	if t.Deployment == budget.Kubernetes {
		f.Notes = append(f.Notes, "a pod that is started again has an empty file system, whatever machine it runs on")
	}
	r.Find(f)
}

// localPath is the path of a file URI. A bare path belongs to fs.default-scheme, and is left to the user.
func localPath(dir string) (path string, local bool) {
	rest, ok := strings.CutPrefix(quantity.Trim(dir), "file:")
	return "/" + strings.TrimLeft(rest, "/"), ok
}
