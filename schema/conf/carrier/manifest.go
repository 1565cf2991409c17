package carrier

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/internal/yamltree"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Field is a text of a manifest as written, with its place; not Known when it is missing or filled in later.
type Field = job.Fact[string]

// A Manifest is what a resource of the Flink operator says beside its configuration: what the operator's validators look at. Spec fields that
// become options are layers of their Carried as well.
type Manifest struct {
	// Kind is FlinkDeployment, FlinkSessionJob, FlinkApplication or FlinkCluster.
	Kind string
	// Head is the place of metadata.name, or of the kind.
	Head            source.Span
	Name, Namespace Field
	// FlinkVersion is the field as written ("v1_20"); Image the image.
	FlinkVersion, Image, ServiceAccount, Mode Field
	ImagePullPolicy, RestartNonce             Field
	// DeploymentName is a session job's cluster.
	DeploymentName Field
	// Job is nil for a session cluster.
	Job                     *ManifestJob
	JobManager, TaskManager ManifestProcess
	// Configuration is the flinkConfiguration as written, before the spec's own fields go over it.
	Configuration *conf.Document
	// LogFiles are the keys of logConfiguration; IngressTemplate the ingress' host and path template.
	LogFiles        []Field
	HasIngress      bool
	IngressTemplate Field
	// PodTemplate is spec.podTemplate; the processes have their own, which go over it.
	PodTemplate *PodTemplate
	// NullFields are fields of the spec that hold null where a value is needed ("parallelism: null").
	NullFields []Field
	// Fields are the fields of the spec as they are spelled, in order: V is the path ("spec.job.parallelism"), the span that of the key. What is
	// free text to the operator (flinkConfiguration, pod templates, logConfiguration, labels …) is not looked into.
	Fields []Field
}

// Has tells whether the spec has a field, even one that holds null or is filled in later.
func (m *Manifest) Has(path string) bool { return m.Field(path).Known }

// Field is the key of a field by its path; not Known where the spec does not have it.
func (m *Manifest) Field(path string) Field {
	for _, f := range m.Fields {
		if f.V == path {
			return f
		}
	}
	return Field{}
}

// A ManifestJob is spec.job.
type ManifestJob struct {
	Span                                           source.Span
	JarURI, EntryClass, UpgradeMode, State         Field
	Parallelism                                    Field
	InitialSavepointPath, SavepointTriggerNonce    Field
	CheckpointTriggerNonce, SavepointRedeployNonce Field
	AllowNonRestoredState, AutoscalerResetNonce    Field
}

// A ManifestProcess is spec.jobManager or spec.taskManager.
type ManifestProcess struct {
	Span     source.Span
	Replicas Field
	// Memory, CPU and EphemeralStorage are resource.*; Requests and Limits are resources.* of newer operators.
	Memory, CPU, EphemeralStorage Field
	Requests, Limits              Resources
	PodTemplate                   *PodTemplate
}

// Resources are the requests or limits of a container.
type Resources struct{ Memory, CPU, EphemeralStorage Field }

// A PodTemplate is what a pod template says that bears on Flink.
type PodTemplate struct {
	Span       source.Span
	Containers []Container
	// Volumes are the names of volumes with their kinds ("emptyDir").
	Volumes []Volume
}

// A Volume is a volume of a pod.
type Volume struct {
	Name Field
	// Kind is the field that defines it: emptyDir, persistentVolumeClaim, configMap, hostPath, secret …; Source is the name of the claim or
	// ConfigMap, or the path.
	Kind, Source string
	Span         source.Span
}

// A Container is a container of a pod.
type Container struct {
	Name, Image      Field
	Requests, Limits Resources
	// Env are the variables with a literal value.
	Env []EnvVar
	// Mounts are mountPath by volume name.
	Mounts []Mount
}

// An EnvVar is an environment variable.
type EnvVar struct{ Name, Value Field }

// A Mount is a volume mount.
type Mount struct{ Volume, Path Field }

// MainContainer is the container that Flink runs in, or nil.
func (p *PodTemplate) MainContainer() *Container {
	if p == nil {
		return nil
	}
	for i := range p.Containers {
		if p.Containers[i].Name.V == "flink-main-container" {
			return &p.Containers[i]
		}
	}
	return nil
}

// deployment reads a FlinkDeployment, FlinkSessionJob or FlinkApplication.
func (r *reader) deployment(kind string, n *yamltree.Node) {
	spec := n.Get("spec")
	m := r.manifest(kind, n, spec)
	facts := &job.Facts{Flink: r.flinkVersion(spec.Get("flinkVersion"), spec.Get("image"))}
	m.Configuration = r.plainMap(orEmpty(spec.Get("flinkConfiguration")), spec, r.clusterDialect(facts))

	c := &Carried{Kind: Deployment, Name: named(kind, n), Span: m.Head, Documents: []*conf.Document{m.Configuration}, Facts: facts, Manifest: m}
	if kind == "FlinkSessionJob" {
		c.Kind, c.Fragment = SessionJob, true
	}
	facts.Name = m.Name
	at := r.span(spec)
	facts.Deployment.Target = job.Fact[string]{V: "kubernetes-operator", Known: true, Span: at, From: "kind " + kind}
	if m.Mode.V == "standalone" {
		facts.Deployment.Target = job.Fact[string]{V: "standalone", Known: true, Span: m.Mode.Span, From: "spec.mode"}
	}
	facts.Deployment.Mode = job.Fact[string]{V: "session", Known: true, Span: at, From: "spec without a job"}
	if m.Job != nil && kind != "FlinkSessionJob" {
		facts.Deployment.Mode = job.Fact[string]{V: "application", Known: true, Span: m.Job.Span, From: "spec.job"}
	}
	if m.Job != nil {
		facts.Job.Parallelism = intFact(r.file, spec.At("job", "parallelism"))
	}
	facts.Deployment.TaskManagers = intFact(r.file, spec.At("taskManager", "replicas"))

	c.Layers = append(c.Layers, r.operatorDefaults(m))
	c.Layers = append(c.Layers, conf.Layer{Name: m.Configuration.Path(), Dialect: m.Configuration.Dialect, Entries: m.Configuration.Entries})
	r.derived(c, m)
	if f := facts.Deployment.TaskManagers; f.Known {
		// The number of TaskManagers decides over the parallelism that is written down (FlinkConfigBuilder.applyTaskManagerSpec).
		if slots, ok := slotsOf(m.Configuration); ok && m.Job != nil {
			facts.Job.Parallelism = job.Fact[int]{V: f.V * slots, Known: true, Span: f.Span, From: "spec.taskManager.replicas times taskmanager.numberOfTaskSlots"}
		}
	}
	r.out = append(r.out, c)
}

func orEmpty(n *yamltree.Node) *yamltree.Node {
	if n == nil || n.Kind != yamltree.Mapping {
		return &yamltree.Node{Kind: yamltree.Mapping}
	}
	return n
}

// slotsOf is taskmanager.numberOfTaskSlots as the document has it; ok is false when a template fills it in.
func slotsOf(d *conf.Document) (slots int, ok bool) {
	slots = 1
	for _, e := range d.Entries {
		if e.Key == "taskmanager.numberOfTaskSlots" {
			n, err := quantity.ParseInt(e.Value)
			if err != nil || e.Placeholder {
				return 0, false
			}
			slots = int(n)
		}
	}
	return slots, true
}

func (r *reader) manifest(kind string, n, spec *yamltree.Node) *Manifest {
	get := func(keys ...string) Field { return stringFact(r.file, spec.At(keys...)) }
	m := &Manifest{
		Kind: kind, Head: r.span(n.Get("kind")), Name: stringFact(r.file, n.At("metadata", "name")), Namespace: stringFact(r.file, n.At("metadata", "namespace")),
		FlinkVersion: get("flinkVersion"), Image: get("image"), ServiceAccount: get("serviceAccount"), Mode: get("mode"), ImagePullPolicy: get("imagePullPolicy"), RestartNonce: get("restartNonce"), DeploymentName: get("deploymentName"),
		HasIngress: spec.Get("ingress") != nil, IngressTemplate: get("ingress", "template"),
		JobManager: r.process(spec.Get("jobManager")), TaskManager: r.process(spec.Get("taskManager")), PodTemplate: r.podTemplate(spec.Get("podTemplate")),
	}
	if m.Name.Known {
		m.Head = m.Name.Span
	}
	for _, p := range orEmpty(spec.Get("logConfiguration")).Pairs {
		m.LogFiles = append(m.LogFiles, stringFact(r.file, p.Key))
	}
	if j := spec.Get("job"); j != nil && j.Kind == yamltree.Mapping {
		get := func(key string) Field { return stringFact(r.file, j.Get(key)) }
		m.Job = &ManifestJob{
			Span: r.span(j), JarURI: get("jarURI"), EntryClass: get("entryClass"), UpgradeMode: get("upgradeMode"), State: get("state"), Parallelism: get("parallelism"),
			InitialSavepointPath: get("initialSavepointPath"), SavepointTriggerNonce: get("savepointTriggerNonce"), CheckpointTriggerNonce: get("checkpointTriggerNonce"),
			SavepointRedeployNonce: get("savepointRedeployNonce"), AllowNonRestoredState: get("allowNonRestoredState"),
			AutoscalerResetNonce: get("autoscalerResetNonce"),
		}
	}
	r.fields(m, "spec", spec, 0)
	return m
}

// maxFieldDepth is the depth of spec.jobManager.resources.requests.memory.
const maxFieldDepth = 4

// free are fields whose content the operator does not define.
var free = []string{"flinkConfiguration", "podTemplate", "logConfiguration", "annotations", "labels", "tls", "claims", "args"}

// fields collects the fields of the spec, and those that a template rendered as null.
func (r *reader) fields(m *Manifest, path string, n *yamltree.Node, depth int) {
	if n = n.Resolve(); n == nil || n.Kind != yamltree.Mapping || depth > maxFieldDepth {
		return
	}
	for _, p := range n.Pairs {
		name := p.Key.Text()
		if p.Key.Masked || name == "<<" {
			continue
		}
		key, v := path+"."+name, p.Value.Resolve()
		m.Fields = append(m.Fields, Field{V: key, Known: true, Span: r.span(p.Key)})
		if slices.Contains(free, name) || v == nil {
			continue
		}
		if v.IsNull() && v.Value != "" {
			m.NullFields = append(m.NullFields, Field{V: key, Known: true, Span: r.span(p.Value)})
		}
		r.fields(m, key, v, depth+1)
	}
}

func (r *reader) process(n *yamltree.Node) ManifestProcess {
	get := func(keys ...string) Field { return stringFact(r.file, n.At(keys...)) }
	return ManifestProcess{
		Span: r.span(n), Replicas: get("replicas"), Memory: get("resource", "memory"), CPU: get("resource", "cpu"), EphemeralStorage: get("resource", "ephemeralStorage"),
		Requests: r.resources(n.At("resources", "requests")), Limits: r.resources(n.At("resources", "limits")), PodTemplate: r.podTemplate(n.Get("podTemplate")),
	}
}

func (r *reader) resources(n *yamltree.Node) Resources {
	get := func(key string) Field { return stringFact(r.file, n.Get(key)) }
	return Resources{Memory: get("memory"), CPU: get("cpu"), EphemeralStorage: get("ephemeral-storage")}
}

func (r *reader) podTemplate(n *yamltree.Node) *PodTemplate {
	if n = n.Resolve(); n == nil || n.Kind != yamltree.Mapping {
		return nil
	}
	spec := n.Get("spec")
	if spec == nil {
		spec = n
	}
	t := &PodTemplate{Span: r.span(n)}
	for _, c := range itemsOf(spec.Get("containers")) {
		t.Containers = append(t.Containers, r.container(c))
	}
	for _, v := range itemsOf(spec.Get("volumes")) {
		volume := Volume{Name: stringFact(r.file, v.Get("name")), Span: r.span(v)}
		for _, p := range orEmpty(v.Resolve()).Pairs {
			if p.Key.Text() != "name" {
				volume.Kind = p.Key.Text()
				volume.Source = cmp.Or(p.Value.Get("claimName").Text(), p.Value.Get("name").Text(), p.Value.Get("path").Text(), p.Value.Get("secretName").Text())
			}
		}
		t.Volumes = append(t.Volumes, volume)
	}
	return t
}

func (r *reader) container(c *yamltree.Node) Container {
	out := Container{Name: stringFact(r.file, c.Get("name")), Image: stringFact(r.file, c.Get("image")),
		Requests: r.resources(c.At("resources", "requests")), Limits: r.resources(c.At("resources", "limits"))}
	for _, e := range itemsOf(c.Get("env")) {
		out.Env = append(out.Env, EnvVar{stringFact(r.file, e.Get("name")), stringFact(r.file, e.Get("value"))})
	}
	for _, m := range itemsOf(c.Get("volumeMounts")) {
		out.Mounts = append(out.Mounts, Mount{stringFact(r.file, m.Get("name")), stringFact(r.file, m.Get("mountPath"))})
	}
	return out
}

func itemsOf(n *yamltree.Node) []*yamltree.Node {
	if n = n.Resolve(); n == nil || n.Kind != yamltree.Sequence {
		return nil
	}
	return n.Items
}

// operatorDefaults are options that the operator sets unless the resource does (FlinkConfigBuilder).
func (r *reader) operatorDefaults(m *Manifest) conf.Layer {
	layer := conf.Layer{Name: "operator default", Dialect: m.Configuration.Dialect}
	add := func(key, value string, at source.Span) {
		layer.Entries = append(layer.Entries, conf.Entry{Key: key, Value: value, Text: value, Raw: value, KeySpan: at, ValueSpan: at, Layer: layer.Name})
	}
	if m.Job == nil {
		return layer
	}
	if m.Job.UpgradeMode.V == "last-state" {
		add("execution.checkpointing.interval", "5 min", m.Job.UpgradeMode.Span)
	}
	add("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION", source.Span{})
	return layer
}

// derived adds the options that the operator makes of the spec's fields; they go over flinkConfiguration (FlinkConfigBuilder).
func (r *reader) derived(c *Carried, m *Manifest) {
	facts := c.Facts
	d := deriver{dialect: m.Configuration.Dialect, root: "spec."}
	if m.Kind == "values" {
		d.root = ""
	}
	v := facts.Flink.V
	if r.options.Version.Known() {
		v = r.options.Version
	}
	// Keys that were split in 1.17 because they were prefixes of others.
	renamed := func(key, suffix string) string {
		if v.Known() && v.Before(1, 17) {
			return key
		}
		return key + suffix
	}
	d.add("image", renamed("kubernetes.container.image", ".ref"), m.Image, m.Image.V)
	d.add("serviceAccount", "kubernetes.service-account", m.ServiceAccount, m.ServiceAccount.V)
	for _, p := range []struct {
		field, name string
		spec        ManifestProcess
	}{{"jobManager", "jobmanager", m.JobManager}, {"taskManager", "taskmanager", m.TaskManager}} {
		memory, cpu, where := p.spec.Memory, p.spec.CPU, p.field+".resource."
		if p.spec.Requests != (Resources{}) || p.spec.Limits != (Resources{}) {
			// "resources" of newer operators goes before "resource" (FLINK-33548).
			where = p.field + ".resources.requests."
			memory, cpu = p.spec.Requests.Memory, p.spec.Requests.CPU
			if !memory.Known {
				memory = p.spec.Limits.Memory
			}
			if !cpu.Known {
				cpu = p.spec.Limits.CPU
			}
			d.factor(p.field, "kubernetes."+p.name+".memory.limit-factor", p.spec.Requests.Memory, p.spec.Limits.Memory)
			d.factor(p.field, "kubernetes."+p.name+".cpu.limit-factor", p.spec.Requests.CPU, p.spec.Limits.CPU)
		}
		d.add(where+"memory", p.name+".memory.process.size", memory, OperatorMemory(memory.V))
		d.add(where+"cpu", renamed("kubernetes."+p.name+".cpu", ".amount"), cpu, decimal(cpu.V))
	}
	d.add("jobManager.replicas", "kubernetes.jobmanager.replicas", m.JobManager.Replicas, m.JobManager.Replicas.V)
	switch replicas := m.TaskManager.Replicas; {
	case m.Job == nil:
	case replicas.Known:
		if slots, ok := slotsOf(m.Configuration); ok {
			if n, err := quantity.ParseInt(replicas.V); err == nil {
				d.compute("taskManager.replicas", "parallelism.default", replicas, strconv.Itoa(int(n)*slots))
			}
		}
	default:
		d.add("job.parallelism", "parallelism.default", m.Job.Parallelism, m.Job.Parallelism.V)
	}
	c.Layers = append(c.Layers, d.layers...)
	if len(d.entries) > 0 {
		c.Documents = append(c.Documents, &conf.Document{View: r.file.Whole(), Dialect: d.dialect, Entries: d.entries, Templated: r.stream.Templated, Quoted: true, Closed: true})
	}
}

// deriver collects options with the spec field that each comes from.
type deriver struct {
	dialect conf.Dialect
	// root is what the names of fields begin with.
	root   string
	layers []conf.Layer
	// entries are those whose value stands in the field as it is, so that changing the field changes the option.
	entries []conf.Entry
}

// add takes a field whose value is the option's; compute one that an option is computed from.
func (d *deriver) add(field, key string, f Field, value string) {
	if f.Known {
		d.compute(field, key, f, value)
		d.entries = append(d.entries, d.layers[len(d.layers)-1].Entries...)
	}
}

func (d *deriver) compute(field, key string, f Field, value string) {
	if !f.Known {
		return
	}
	field = d.root + field
	d.layers = append(d.layers, conf.Layer{Name: field, Dialect: d.dialect, Entries: []conf.Entry{{
		Key: key, Value: value, Text: value, Raw: f.Span.Text(), KeySpan: f.Span, ValueSpan: f.Span, Layer: field,
	}}})
}

// factor is limit over request, when both are given.
func (d *deriver) factor(field, key string, request, limit Field) {
	if !request.Known || !limit.Known {
		return
	}
	a, errA := kubernetesNumber(request.V)
	b, errB := kubernetesNumber(limit.V)
	if errA != nil || errB != nil || a.Sign() <= 0 {
		return
	}
	f, _ := new(big.Rat).Quo(b, a).Float64()
	d.compute(field+".resources.limits", key, limit, quantity.FormatDouble(f))
}

// decimal is a CPU quantity as Java prints the double that the operator makes of it.
func decimal(text string) string {
	r, err := kubernetesNumber(text)
	if err != nil {
		return text
	}
	f, _ := r.Float64()
	return quantity.FormatDouble(f)
}

// cluster reads a FlinkCluster of the older operators: flinkProperties is a plain map, and the operator writes it into flink-conf.yaml.
func (r *reader) cluster(n *yamltree.Node) {
	spec := n.Get("spec")
	image := spec.At("image", "name")
	facts := &job.Facts{Flink: r.flinkVersion(spec.Get("flinkVersion"), image)}
	doc := r.plainMap(orEmpty(spec.Get("flinkProperties")), spec, conf.Flat)
	facts.Name = stringFact(r.file, n.At("metadata", "name"))
	facts.Deployment.Target = job.Fact[string]{V: "standalone", Known: true, Span: r.span(spec), From: "kind FlinkCluster"}
	facts.Deployment.TaskManagers = intFact(r.file, spec.At("taskManager", "replicas"))
	facts.Job.Parallelism = intFact(r.file, spec.At("job", "parallelism"))
	facts.JobManager = r.limits(spec.Get("jobManager"))
	facts.TaskManager = r.limits(spec.Get("taskManager"))
	m := &Manifest{Kind: "FlinkCluster", Head: r.span(n.Get("kind")), Name: facts.Name, FlinkVersion: stringFact(r.file, spec.Get("flinkVersion")),
		Image: stringFact(r.file, image), Configuration: doc, JobManager: r.process(spec.Get("jobManager")), TaskManager: r.process(spec.Get("taskManager"))}
	// The operator sets the Flink size from the container's limit, less a part for off-heap memory, so what is missing here is not missing there.
	r.out = append(r.out, &Carried{Kind: Cluster, Name: named("FlinkCluster", n), Span: m.Head, Documents: []*conf.Document{doc},
		Layers: []conf.Layer{doc.Layer()}, Facts: facts, Manifest: m, Fragment: true})
}

// limits are the limits of a process in a container.
func (r *reader) limits(n *yamltree.Node) job.Process {
	limits := r.resources(n.At("resources", "limits"))
	return job.Process{CPU: cpuFact(limits.CPU), ContainerMemory: bytesFact(limits.Memory, KubernetesBytes)}
}

// OperatorConfiguration takes the options that the operator's own configuration gives to every cluster of a namespace and version, in its order
// of precedence (FlinkConfigManager.getDefaultConfig): plain options, then default-configuration.namespace.<ns>.*, then
// default-configuration.flink-version.<v>+.* from old to new, then that of the very version. Options of the operator itself are left out.
func OperatorConfiguration(d *conf.Document, namespace string, v version.Version) conf.Layer {
	const prefix = "kubernetes.operator.default-configuration."
	type ranked struct {
		rank  int
		entry conf.Entry
	}
	var all []ranked
	for _, e := range d.Entries {
		rest, special := strings.CutPrefix(e.Key, prefix)
		if !special {
			all = append(all, ranked{0, e})
			continue
		}
		kind, rest, _ := strings.Cut(rest, ".")
		name, key, ok := strings.Cut(rest, ".")
		if !ok {
			continue
		}
		e.Key = key
		switch {
		case kind == "namespace" && name == namespace:
			all = append(all, ranked{1, e})
		case kind == "flink-version":
			from, err := version.Parse(strings.TrimSuffix(name, "+"))
			switch open := strings.HasSuffix(name, "+"); {
			case err != nil || !v.Known():
			case open && from.Line().Compare(v.Line()) <= 0:
				all = append(all, ranked{2 + from.Major*1000 + from.Minor, e})
			case !open && from.Line() == v.Line():
				all = append(all, ranked{1 << 30, e})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	layer := conf.Layer{Name: d.Path(), Dialect: d.Dialect}
	for _, x := range all {
		x.entry.Layer = fmt.Sprintf("operator configuration %s", d.Path())
		layer.Entries = append(layer.Entries, x.entry)
	}
	return layer
}
