// Package carrier finds Flink configurations where they live: in files of their own, Kubernetes manifests, compose files, Helm values, SQL
// scripts and command lines. Every entry and fact keeps its place in the file that the user edits.
//
// Open takes one file and gives the configurations in it, each ready to become a target: documents for what is wrong with the text, layers to
// merge, and the facts that the carrier knows beside (version, parallelism, container limits). Find walks a directory for files worth
// opening. Nothing here judges what is configured.
//
// Text that a template engine fills in later ({{ … }}, {% … %}, ${ … }) is recognised in every carrier: what is literal is read, a value with a
// placeholder is present and unknown, and nothing inside a placeholder is a fault.
package carrier

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/internal/yamltree"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Kind is what carries a configuration.
type Kind string

// Kinds of carriers.
const (
	// File is flink-conf.yaml, config.yaml or a text of that form.
	File Kind = "file"
	// Deployment and SessionJob are resources of the Flink Kubernetes operator (flink.apache.org), and Confluent's FlinkApplication, which
	// has the same spec.
	Deployment Kind = "FlinkDeployment"
	SessionJob Kind = "FlinkSessionJob"
	// Cluster is the FlinkCluster of the older operators (flinkoperator.k8s.io).
	Cluster Kind = "FlinkCluster"
	// ConfigMap holds flink-conf.yaml or config.yaml as text, and stands with the workloads of its file that mount it.
	ConfigMap Kind = "ConfigMap"
	// Workload is a Deployment, StatefulSet, Job, DaemonSet or Pod that runs the Flink image.
	Workload Kind = "workload"
	// Compose is a compose file whose services run the Flink image.
	Compose Kind = "compose"
	// Values is a file with a flinkConfiguration map of its own: Helm values and the like.
	Values Kind = "values"
	// SQL is a script with SET statements.
	SQL Kind = "sql"
	// Script is a shell script that passes -D options to flink.
	Script Kind = "script"
)

// A Carried is one configuration found in a file.
type Carried struct {
	Kind Kind
	// Name tells configurations of one file apart: "FlinkDeployment flink/my-job"; "" where there is only the file.
	Name string
	// Span is where the configuration begins, for what has no better place.
	Span source.Span
	// Documents are the texts that settings were read from, with their faults. Layers are what to merge, the last one winning; they hold
	// the documents' entries and what the carrier derives from its own fields.
	Documents []*conf.Document
	Layers    []conf.Layer
	// Facts are what the carrier knows beside the configuration; never nil. A job file's facts go over them (job.Merge).
	Facts *job.Facts
	// Manifest is what an operator's resource says beside its configuration; nil for other kinds.
	Manifest *Manifest
	// Fragment tells that the configuration is known to be a part only: options that it lacks may well be set elsewhere.
	Fragment bool
	// Templated tells that parts are filled in later.
	Templated bool
}

// Version is the Flink version that the carrier names; unknown when it names none.
func (c *Carried) Version() version.Version { return c.Facts.Flink.V }

// Open finds the configurations in a file, in the order in which they stand there. A file without any gives none and no error; an error is
// returned for files beyond the limits of package conf.
//
// o.Dialect forces the file to be read as a bare configuration; o.Version is used where the carrier itself names no version, and decides over the
// carrier's where both are known.
func Open(f *source.File, o conf.Options) ([]*Carried, error) {
	if o.Dialect != 0 {
		return bare(f, o)
	}
	if err := conf.CheckLimits(f.Whole()); err != nil {
		return nil, err
	}
	name := strings.ToLower(path.Base(f.Path))
	switch {
	case conf.IsFlinkName(name):
		return bare(f, o)
	case name == "sql-client-defaults.yaml", strings.HasPrefix(name, "dockerfile"), strings.HasSuffix(name, ".dockerfile"), dockerfile.Match(f.Data), strings.HasSuffix(name, ".tf"):
		return nil, nil // the SQL client's own file up to Flink 1.13; languages that we do not read
	case strings.HasSuffix(name, ".sql"):
		return openSQL(f, o), nil
	case strings.HasSuffix(name, ".sh") || bytes.HasPrefix(f.Data, []byte("#!")):
		return openScript(f, o), nil
	case !structured(f.Data):
		return bare(f, o)
	}
	stream, err := yamltree.Parse(f.Data, conf.MaxDepth)
	if err != nil {
		return bare(f, o)
	}
	r := &reader{file: f, options: o, stream: stream}
	if r.read(); r.recognised {
		return r.out, nil
	}
	return bare(f, o)
}

// dockerfile is how a Dockerfile begins, whatever its name: comments, perhaps arguments, then what it is built from. What its ENV instructions hold looks
// like lines of a configuration, each with the shell's "\n\" behind its value.
var dockerfile = regexp.MustCompile(`\A(?:[ \t]*(?:#.*|ARG[ \t].*)?\r?\n)*FROM[ \t]+\S`)

// bare reads a file that is a configuration itself. Under a name that is none of Flink's it counts only when a fair part of its keys are Flink's.
func bare(f *source.File, o conf.Options) ([]*Carried, error) {
	d, err := conf.Open(f.Whole(), o)
	if err != nil {
		return nil, err
	}
	name := strings.ToLower(path.Base(f.Path))
	if o.Dialect == 0 && name != "-" && name != conf.YAMLName && !conf.IsFlinkName(name) && !mostlyFlink(d) {
		return nil, nil
	}
	return []*Carried{{Kind: File, Span: f.Span(0, 0), Documents: []*conf.Document{d}, Layers: []conf.Layer{d.Layer()}, Facts: &job.Facts{}, Templated: d.Templated}}, nil
}

// minKnownShare is the share of known keys, one in so many, from which on a file of any name is taken for a configuration. Of the keys of 96
// public configurations at least 39 in 100 were known, of nine in ten files more than 87; of the keys of chart values and other
// programs' files 30 at most.
const minKnownShare = 3

func mostlyFlink(d *conf.Document) bool {
	known := 0
	for _, e := range d.Entries {
		if !e.Nested && strings.Contains(e.Key, ".") && knownKey(e.Key) {
			known++
		}
	}
	return known > 0 && known*minKnownShare >= len(d.Entries)
}

// marks are texts of which a structured carrier holds at least one.
var marks = [][]byte{[]byte("apiVersion"), []byte("services:"), []byte("flinkConfiguration"), []byte("flinkProperties"), []byte("FLINK_PROPERTIES"),
	[]byte("flink-conf.yaml"), []byte("Classification")}

func structured(data []byte) bool {
	for _, m := range marks {
		if bytes.Contains(data, m) {
			return true
		}
	}
	return false
}
