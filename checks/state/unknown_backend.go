// Package state has the rules about state backends.
package state

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed unknown-backend.md
var unknownBackendDoc string

const keyBackend = "state.backend.type"

// UnknownBackend finds state backends that this version of Flink does not have.
var UnknownBackend = &advisor.Rule{
	ID:         "state/unknown-backend",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WillFail,
	Confidence: advisor.Certain,
	Reads:      []string{keyBackend},
	Doc:        unknownBackendDoc,
	Check:      unknownBackend,
}

// backendsOf are the names that StateBackendLoader takes, in any case.
func backendsOf(v version.Version) []string {
	switch {
	case v.AtLeast(2, 0):
		return []string{"hashmap", "rocksdb", "forst"}
	case v.AtLeast(1, 13):
		return []string{"hashmap", "rocksdb", "jobmanager", "filesystem"}
	}
	return []string{"rocksdb", "jobmanager", "filesystem"}
}

// removedClasses are factories that 2.0 removed.
var removedClasses = []string{
	"org.apache.flink.contrib.streaming.state.RocksDBStateBackendFactory",
	"org.apache.flink.runtime.state.filesystem.FsStateBackendFactory",
	"org.apache.flink.runtime.state.memory.MemoryStateBackendFactory",
}

func unknownBackend(t *advisor.Target, r *advisor.Report) {
	v := t.Conf.String(keyBackend)
	if !v.Set() || !v.Has {
		return
	}
	name := strings.ToLower(v.V)
	known := backendsOf(t.Version)
	if t.VersionAssumed {
		known = []string{"hashmap", "rocksdb", "forst", "jobmanager", "filesystem"} // each is right in some version
	}
	if slices.Contains(known, name) {
		return
	}
	removed := t.Version.AtLeast(2, 0) && !t.VersionAssumed && slices.Contains(removedClasses, v.V)
	class := strings.Contains(name, ".")
	if class && !removed {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("Flink %s has no state backend %q: every job fails when it starts", t.Version.Line(), v.V),
		Labels:  t.Labels(keyBackend, "unknown"),
		Notes:   []string{"a name that is none of " + strings.Join(known, ", ") + " is taken for the class of a factory"},
	}
	instead := ""
	switch {
	case class:
		instead = heap(t.Version)
		if strings.Contains(name, "rocksdb") {
			instead = "rocksdb"
		}
		f.Notes = []string{"Flink 2.0 removed this class"}
	case name == "filesystem" || name == "fs":
		instead = heap(t.Version)
		f.Notes = append(f.Notes, "it kept state on the heap and wrote checkpoints to state.checkpoints.dir; the directory alone decides that now")
	case name == "jobmanager" || name == "memory":
		instead = heap(t.Version)
	case name == "hashmap":
		instead = "filesystem"
		f.Notes = append(f.Notes, "hashmap exists since Flink 1.13")
	case name == "forst":
		f.Notes = append(f.Notes, "forst exists since Flink 2.0")
	default:
		f.Confidence = advisor.Likely
		f.Notes = append(f.Notes, "some vendors' distributions have backends of their own")
	}
	f.Help = "use one of " + strings.Join(known, ", ")
	if instead != "" {
		f.Help = fmt.Sprintf("use %s", instead)
		f.Edits = []advisor.Edit{advisor.Set(keyBackend, instead, false)}
	}
	r.Find(f)
}

// heap is the name of the backend on the heap.
func heap(v version.Version) string {
	if v.AtLeast(1, 13) {
		return "hashmap"
	}
	return "filesystem"
}
