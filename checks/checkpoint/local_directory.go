package checkpoint

import (
	"bytes"
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed local-directory.md
var localDirectoryDoc string

// LocalDirectory finds checkpoints and savepoints in a directory that belongs to one machine.
var LocalDirectory = &advisor.Rule{
	ID:         "checkpoint/local-directory",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.DataLoss,
	Confidence: advisor.Likely,
	Reads:      []string{keyDir, keySavepointDir, "fs.default-scheme"},
	Facts:      []string{"deployment.target", "deployment.taskManagers"},
	Doc:        localDirectoryDoc,
	Check:      localDirectory,
}

func localDirectory(t *advisor.Target, r *advisor.Report) {
	var labels []advisor.Label
	var names []string
	sure := true
	for _, what := range []struct{ key, name string }{{keyDir, "checkpoints"}, {keySavepointDir, "savepoints"}} {
		dir := t.Conf.String(what.key)
		if !dir.Set() || !dir.Has || !isLocal(t, dir.V) || mounted(t, path(dir.V)) {
			continue
		}
		names = append(names, what.name)
		labels = append(labels, t.Labels(what.key, "each machine has its own, unless a shared volume is mounted here")...)
		sure = sure && strings.HasPrefix(path(dir.V), "/tmp") // elsewhere it may be a mount
	}
	if len(names) == 0 {
		return
	}
	f := advisor.Finding{
		Labels: labels,
		Notes:  []string{"every TaskManager writes its part to its own disk; after a failure on another machine Flink cannot find the files"},
		Help:   "use an object store or HDFS (s3://, gs://, abfs://, oss://, hdfs://), or mount one shared volume at this path on every machine",
	}
	what := strings.Join(names, " and ")
	if several, why := machines(t); several {
		f.Message = fmt.Sprintf("%s go to a local path, and the job runs on several machines", what)
		f.Notes = append(f.Notes, why)
		if !sure {
			f.Confidence = advisor.Possible
		}
	} else {
		f.Severity, f.Confidence = advisor.Advice, advisor.Possible
		f.Message = fmt.Sprintf("%s go to a local path: they are lost with the machine, and of no use to a second one", what)
	}
	r.Find(f)
}

// path is a file URI's path, or the text itself.
func path(dir string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(dir), "file:")
	if !ok {
		return rest
	}
	return "/" + strings.TrimLeft(rest, "/")
}

// Mounts as manifests of Kubernetes ("mountPath: /data") and compose files ("- name:/data") write them.
var (
	podMount     = regexp.MustCompile(`mountPath:[ \t]*["']?(/[^"'\s]*)`)
	composeMount = regexp.MustCompile(`(?m)^[ \t]*-[ \t]*["']?[^\s:"'/][^\s:"']*:(/[^\s:"']*)`)
)

// mounted tells whether the manifest that carries the configuration mounts a claimed or named volume at or above the path. Which claim belongs to which
// mount is not followed: a claim in the same file is enough to say nothing.
func mounted(t *advisor.Target, path string) bool {
	for _, d := range t.Documents {
		data := d.View.File.Data
		mounts := composeMount.FindAllSubmatch(data, -1)
		if bytes.Contains(data, []byte("persistentVolumeClaim:")) {
			mounts = append(mounts, podMount.FindAllSubmatch(data, -1)...)
		}
		for _, m := range mounts {
			mount := strings.TrimRight(string(m[1]), "/")
			if mount != "" && (path == mount || strings.HasPrefix(path, mount+"/")) {
				return true
			}
		}
	}
	return false
}

// isLocal tells a file URI or a bare path. A bare path belongs to fs.default-scheme where that is set.
func isLocal(t *advisor.Target, dir string) bool {
	dir = strings.TrimSpace(dir)
	if strings.HasPrefix(dir, "file:") {
		return true
	}
	scheme := t.Conf.String("fs.default-scheme")
	return strings.HasPrefix(dir, "/") && (!scheme.Set() || scheme.Has && strings.HasPrefix(scheme.V, "file:"))
}

// machines tells whether processes of the job run on more than one machine or in more than one container, and what shows it.
func machines(t *advisor.Target) (several bool, why string) {
	switch n := t.Job.Deployment.TaskManagers; {
	case t.Deployment == budget.Kubernetes:
		return true, "on Kubernetes each pod has a file system of its own"
	case t.Deployment == budget.YARN:
		return true, "on YARN the containers run on any node"
	case n.Known && n.V > 1:
		return true, fmt.Sprintf("%d TaskManagers run (%s)", n.V, n.Origin())
	}
	return false, ""
}
