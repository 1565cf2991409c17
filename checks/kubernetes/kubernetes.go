// Package kubernetes has the rules about resources of the Flink Kubernetes operator: what its validators refuse and names one at a time, and what it
// or the API server drops without a word.
//
// The facts are those of the operator's DefaultValidator, AutoscalerValidator and FlinkConfigBuilder. The operator's own configuration may give
// defaults to every cluster; where such a default would heal a finding, the finding is likely and not certain.
package kubernetes

import (
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// Options that these rules read, by today's names.
const (
	keyCheckpointDir    = "execution.checkpointing.dir"
	keySavepointDir     = "execution.checkpointing.savepoint-dir"
	keyHA               = "high-availability.type"
	keyHADir            = "high-availability.storageDir"
	keyHAClusterID      = "high-availability.cluster-id"
	keyNamespace        = "kubernetes.namespace"
	keyClusterID        = "kubernetes.cluster-id"
	keySlots            = "taskmanager.numberOfTaskSlots"
	keyTMProcessSize    = "taskmanager.memory.process.size"
	keyJMProcessSize    = "jobmanager.memory.process.size"
	keyTarget           = "execution.target"
	keyShutdown         = "execution.shutdown-on-application-finish"
	keyJars             = "pipeline.jars"
	keyRollback         = "kubernetes.operator.deployment.rollback.enabled"
	keyHealthCheck      = "kubernetes.operator.cluster.health-check.enabled"
	keyRecovery         = "kubernetes.operator.jm-deployment-recovery.enabled"
	keyPeriodic         = "kubernetes.operator.periodic.savepoint.interval"
	keyMaxCheckpointAge = "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age"
	keyJobCancel        = "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled"
	keyAutoscaler       = "job.autoscaler.enabled"
)

// deployment is the FlinkDeployment that carries the configuration, or nil. Confluent's FlinkApplication has validators of its own.
func deployment(t *advisor.Target) *carrier.Manifest { return resource(t, "FlinkDeployment") }

// sessionJob is the FlinkSessionJob that carries the configuration, or nil.
func sessionJob(t *advisor.Target) *carrier.Manifest { return resource(t, "FlinkSessionJob") }

func resource(t *advisor.Target, kind string) *carrier.Manifest {
	if m := t.Carried.Manifest; m != nil && m.Kind == kind {
		return m
	}
	return nil
}

// either is the FlinkDeployment or FlinkSessionJob, or nil.
func either(t *advisor.Target) *carrier.Manifest {
	if m := deployment(t); m != nil {
		return m
	}
	return sessionJob(t)
}

// minFields is how many of the fields that nearly every FlinkDeployment has must be there; a resource with fewer is a patch that Kustomize lays
// over another file, and lacks nothing.
const minFields = 2

// whole tells whether what is missing in the resource is missing for good: it is neither a patch nor filled in by a template.
func whole(t *advisor.Target, m *carrier.Manifest) bool {
	if t.Carried.Templated {
		return false
	}
	if m.Kind != "FlinkDeployment" {
		return true
	}
	n := 0
	for _, field := range []string{"spec.flinkVersion", "spec.serviceAccount", "spec.jobManager", "spec.taskManager"} {
		if m.Has(field) {
			n++
		}
	}
	return n >= minFields
}

// at marks a field's value, or its key when it has none, or the nearest field above it that is there, or the resource.
func at(m *carrier.Manifest, f carrier.Field, path, text string) advisor.Label {
	if f.Known && f.Span.Valid() {
		return advisor.Label{Span: f.Span, Key: path, Text: text}
	}
	for p := path; p != ""; p = p[:max(strings.LastIndexByte(p, '.'), 0)] {
		if key := m.Field(p); key.Known {
			return advisor.Label{Span: key.Span, Key: path, Text: text}
		}
	}
	return advisor.Label{Span: m.Head, Key: path, Text: text}
}

// empty tells that an option has no text: not set, or set to blanks. A value that a template fills in is not empty.
func empty(t *advisor.Target, key string) bool {
	v := t.Conf.String(key)
	return !v.Set() || v.Has && quantity.Trim(v.V) == ""
}

// haOff tells that high availability is off (HighAvailabilityMode.isHighAvailabilityModeActivated).
func haOff(t *advisor.Target) bool {
	v := t.Conf.String(keyHA)
	if !v.Has {
		return !v.Set()
	}
	name := strings.ToLower(quantity.Trim(v.V))
	return name == "none" || name == "standalone"
}

// on tells that a boolean option is switched on.
func on(t *advisor.Target, key string) bool {
	v := t.Conf.Bool(key)
	return v.Has && v.V
}

// A process is the JobManager or the TaskManager of a resource.
type process struct {
	name, field string
	carrier.ManifestProcess
}

func processes(m *carrier.Manifest) []process {
	return []process{{"JobManager", "spec.jobManager", m.JobManager}, {"TaskManager", "spec.taskManager", m.TaskManager}}
}

// number reads a whole number of the resource.
func number(f carrier.Field) (int32, bool) {
	if !f.Known {
		return 0, false
	}
	n, err := quantity.ParseInt(f.V)
	return n, err == nil
}
