package deployment

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

//go:embed operator-refuses.md
var operatorRefusesDoc string

// OperatorRefuses finds what the Kubernetes operator's validator refuses in a resource, all of it at once (DefaultValidator, which names the first
// fault only).
var OperatorRefuses = &advisor.Rule{
	ID:         "deployment/operator-refuses",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyCheckpointDir, keySavepointDir, keyHA, keyRollback, keyHealthCheck, keyRecovery},
	Doc:        operatorRefusesDoc,
	Check:      operatorRefuses,
}

// Options that the validator looks at.
const (
	keyCheckpointDir = "execution.checkpointing.dir"
	keySavepointDir  = "execution.checkpointing.savepoint-dir"
	keyHA            = "high-availability.type"
	keyRollback      = "kubernetes.operator.deployment.rollback.enabled"
	keyHealthCheck   = "kubernetes.operator.cluster.health-check.enabled"
	keyRecovery      = "kubernetes.operator.jm-deployment-recovery.enabled"
)

// forbidden are options that the operator sets itself (DefaultValidator.FORBIDDEN_CONF_KEYS).
var forbidden = []string{"kubernetes.namespace", "kubernetes.cluster-id", "high-availability.cluster-id"}

// resourceName is DefaultValidator's pattern: the names of services and ConfigMaps are made of it.
var resourceName = regexp.MustCompile(`^[a-z]([-a-z\d]{0,43}[a-z\d])?$`)

// operatorVersion is the form of spec.flinkVersion.
var operatorVersion = regexp.MustCompile(`^v[12]_\d{1,2}$`)

// logFiles are the keys that logConfiguration may have.
var logFiles = []string{"log4j-console.properties", "logback-console.xml"}

func operatorRefuses(t *advisor.Target, r *advisor.Report) {
	m := t.Carried.Manifest
	if m == nil || m.Kind != "FlinkDeployment" && m.Kind != "FlinkSessionJob" {
		return
	}
	v := validator{target: t, manifest: m, report: r}
	if m.Kind == "FlinkDeployment" {
		v.deployment()
	} else {
		v.sessionJob()
	}
	v.job()
}

type validator struct {
	target   *advisor.Target
	manifest *carrier.Manifest
	report   *advisor.Report
}

// wrong reports a value that the validator refuses.
func (v *validator) wrong(span source.Span, message, label, help string) {
	v.report.Find(advisor.Finding{Message: "the operator refuses this resource: " + message, Labels: []advisor.Label{{Span: span, Text: label}}, Help: help})
}

// missing reports something that is not there. The operator's own configuration may give options to every resource, so an option that is missing here is
// only likely to be missing; a template may fill in anything.
func (v *validator) missing(span source.Span, message, help string, option bool) {
	if v.target.Carried.Templated {
		return
	}
	f := advisor.Finding{Message: "the operator refuses this resource: " + message, Labels: []advisor.Label{{Span: span}}, Help: help}
	if option {
		f.Confidence = advisor.Likely
		f.Notes = []string{"that is wrong here only if the operator's own configuration has the option for every cluster"}
	}
	v.report.Find(f)
}

func (v *validator) deployment() {
	m := v.manifest
	if m.Name.Known && !resourceName.MatchString(m.Name.V) {
		v.wrong(m.Name.Span, fmt.Sprintf("the name %s does not fit", m.Name.V), "lower case, at most 45 characters", "begin with a letter; letters, digits and hyphens may follow, 45 in all")
	}
	switch {
	case !m.FlinkVersion.Known:
		v.missing(m.Head, "spec.flinkVersion is missing", "name the minor line: flinkVersion: v1_20", false)
	case !operatorVersion.MatchString(m.FlinkVersion.V) && !conf.IsPlaceholder(m.FlinkVersion.V):
		v.wrong(m.FlinkVersion.Span, fmt.Sprintf("flinkVersion %s is not one of its versions", m.FlinkVersion.V), "of the form v1_20", "write the minor line with v and an underscore, without a patch level")
	}
	for _, key := range forbidden {
		for _, e := range m.Configuration.Entries {
			if e.Key == key {
				v.wrong(e.KeySpan, key+" may not be set", "the operator sets it", "remove it")
			}
		}
	}
	if v.is(keyRollback, false) && !v.ha() {
		v.wrong(v.target.Conf.Bool(keyRollback).Span(), "rollback needs high availability", "on", "set high-availability.type and high-availability.storageDir")
	}
	if v.is(keyHealthCheck, false) && !v.is(keyRecovery, true) {
		v.wrong(v.target.Conf.Bool(keyHealthCheck).Span(), "health checks need "+keyRecovery, "on", "switch "+keyRecovery+" on")
	}
	for _, f := range m.LogFiles {
		if f.Known && f.V != logFiles[0] && f.V != logFiles[1] {
			v.wrong(f.Span, "logConfiguration has the key "+f.V, "not one of "+strings.Join(logFiles, ", "), "use "+logFiles[0])
		}
	}
	if m.HasIngress && !m.IngressTemplate.Known {
		v.missing(m.Head, "spec.ingress has no template", "set spec.ingress.template", false)
	}
	if !m.ServiceAccount.Known {
		v.missing(m.Head, "spec.serviceAccount is missing", "name the service account of Flink's pods: serviceAccount: flink", false)
	}
	v.process("jobManager", m.JobManager, "jobmanager.memory.process.size", "jobmanager.memory.flink.size", "jobmanager.memory.heap.size")
	v.process("taskManager", m.TaskManager, "taskmanager.memory.process.size", "taskmanager.memory.flink.size", "taskmanager.memory.task.heap.size")
	if n, ok := number(m.JobManager.Replicas); ok && n > 1 && !v.ha() {
		v.wrong(m.JobManager.Replicas.Span, "more than one JobManager needs high availability", "standby JobManagers", "set high-availability.type and high-availability.storageDir, or one replica")
	}
}

func (v *validator) process(field string, p carrier.ManifestProcess, sizes ...string) {
	if n, ok := number(p.Replicas); ok && n < 1 {
		v.wrong(p.Replicas.Span, fmt.Sprintf("spec.%s.replicas is %d", field, n), "at least 1", "set 1 or more")
	}
	for _, key := range sizes {
		if v.target.Conf.Memory(key).Set() {
			return
		}
	}
	at := p.Span
	if !at.Valid() {
		at = v.manifest.Head
	}
	v.missing(at, fmt.Sprintf("no memory is given for spec.%s", field), fmt.Sprintf("set spec.%s.resource.memory", field), true)
}

func (v *validator) sessionJob() {
	m := v.manifest
	if !m.DeploymentName.Known {
		v.missing(m.Head, "spec.deploymentName is missing", "name the FlinkDeployment that the job runs in", false)
	}
	if m.Job == nil {
		v.missing(m.Head, "spec.job is missing", "describe the job", false)
	}
}

// job checks what both kinds of resources say of their job.
func (v *validator) job() {
	m := v.manifest
	if m.Job == nil {
		return
	}
	cluster := m.Kind == "FlinkDeployment" // a session job takes options from its cluster, which is not in view
	mode := m.Job.UpgradeMode
	if cluster && mode.Known && mode.V != "stateless" && !v.target.Conf.String(keyCheckpointDir).Set() {
		v.missing(mode.Span, fmt.Sprintf("upgradeMode %s needs a checkpoint directory", mode.V), "set "+v.target.Conf.Name(keyCheckpointDir), true)
	}
	if cluster && mode.V == "savepoint" && !v.target.Conf.String(keySavepointDir).Set() {
		v.missing(mode.Span, "upgradeMode savepoint needs a savepoint directory", "set "+v.target.Conf.Name(keySavepointDir), true)
	}
	if n, ok := number(m.Job.Parallelism); ok && n < 1 && !m.TaskManager.Replicas.Known {
		v.wrong(m.Job.Parallelism.Span, fmt.Sprintf("spec.job.parallelism is %d", n), "at least 1", "set 1 or more")
	} else if !m.Job.Parallelism.Known && !m.TaskManager.Replicas.Known {
		v.missing(m.Job.Span, "spec.job.parallelism is missing, which counts as 0", "set spec.job.parallelism", false)
	}
}

// is reads a switch, with what it is when nothing sets it.
func (v *validator) is(key string, unset bool) bool {
	if b := v.target.Conf.Bool(key); b.Set() {
		return b.Has && b.V
	}
	return unset
}

// ha tells whether high availability is on, or may be.
func (v *validator) ha() bool {
	mode := v.target.Conf.String(keyHA)
	return mode.Set() && (!mode.Has || !strings.EqualFold(mode.V, "none") && !strings.EqualFold(mode.V, "standalone"))
}

func number(f carrier.Field) (int32, bool) {
	n, err := quantity.ParseInt(f.V)
	return n, f.Known && err == nil
}
