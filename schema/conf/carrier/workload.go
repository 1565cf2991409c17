package carrier

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/internal/yamltree"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A configMap is a ConfigMap that holds a configuration file of Flink's.
type configMap struct {
	name, namespace string
	span            source.Span
	// names are the keys of the documents.
	names     []string
	documents []*conf.Document
	used      bool
}

// A workload is a container that runs Flink, in Kubernetes or in a compose file.
type workload struct {
	kind  Kind
	label string
	// cluster tells workloads of one cluster apart from those of another.
	cluster string
	role    string
	span    source.Span
	// configMaps are the ConfigMaps that the pod mounts; mounted tells that anything lies over the image's configuration file.
	configMaps []string
	mounted    bool
	properties *conf.Document
	entries    []conf.Entry
	version    job.Fact[version.Version]
	process    job.Process
	replicas   job.Fact[int]
	// official tells that the image is Flink's by name, so that its own configuration file is known.
	official bool
}

// configMap reads the configuration files in a ConfigMap, and FLINK_PROPERTIES for containers that take their environment from it.
func (r *reader) configMap(n *yamltree.Node) {
	cm := configMap{name: n.At("metadata", "name").Text(), namespace: n.At("metadata", "namespace").Text(), span: r.span(n.Get("kind"))}
	for _, p := range orEmpty(n.Get("data")).Pairs {
		key, value := p.Key.Text(), p.Value.Resolve()
		if value == nil || value.Kind != yamltree.Scalar || value.Value == "" {
			continue
		}
		var d *conf.Document
		switch {
		case key == propertiesVariable:
			d = flinkProperties(value.View(r.file), r.options.Version, value.Style == yamltree.Literal, r.stream.Conditional)
		case embedded(key):
			d = r.embeddedText(ConfigMap, key, key, value)
		}
		if d != nil {
			cm.names = append(cm.names, key)
			cm.documents = append(cm.documents, d)
		}
	}
	if len(cm.documents) > 0 {
		r.configMaps = append(r.configMaps, cm)
	}
}

// podSpec is the pod spec of a workload, or nil.
func podSpec(n *yamltree.Node) *yamltree.Node {
	spec := n.Get("spec")
	for _, at := range [][]string{{"template", "spec"}, {"jobTemplate", "spec", "template", "spec"}, {}} {
		if s := spec.At(at...); s.Get("containers") != nil {
			return s
		}
	}
	return nil
}

// workload reads the containers of a Deployment, StatefulSet, Job or Pod that run Flink.
func (r *reader) workload(kind string, n *yamltree.Node) {
	pod := podSpec(n)
	for _, c := range itemsOf(pod.Get("containers")) {
		w := workload{kind: Workload, label: named(kind, n), cluster: n.At("metadata", "namespace").Text(), span: r.span(n.Get("kind"))}
		ws := append(words(r.file, c.Get("command")), words(r.file, c.Get("args"))...)
		image := c.Get("image")
		w.role = role(ws)
		w.version = r.flinkVersion(nil, image)
		w.official = official(image.Text())
		w.entries = dynamicProperties(ws, "arguments of "+w.label)
		for _, e := range itemsOf(c.Get("env")) {
			name, value := e.Get("name").Text(), e.Get("value")
			if value == nil || value.Kind != yamltree.Scalar {
				continue
			}
			switch name {
			case propertiesVariable:
				w.properties = flinkProperties(value.View(r.file), r.effectiveVersion(w.version), value.Style == yamltree.Literal, r.stream.Conditional)
			case "TASK_MANAGER_NUMBER_OF_TASK_SLOTS":
				w.entries = append(w.entries, r.slotsEntry(value))
			}
		}
		if !flinkContainer(&w, c.Get("name").Text()+" "+n.At("metadata", "name").Text(), image) {
			continue
		}
		limits := r.limits(c)
		w.process = limits
		if kind != "Job" && kind != "CronJob" && kind != "Pod" {
			w.replicas = intFact(r.file, n.At("spec", "replicas"))
			if !w.replicas.Known && n.At("spec", "replicas") == nil && kind != "DaemonSet" {
				w.replicas = job.Fact[int]{V: 1, Known: true, Span: w.span, From: "default of replicas"}
			}
		}
		for _, v := range itemsOf(pod.Get("volumes")) {
			if name := v.At("configMap", "name").Text(); name != "" {
				w.configMaps = append(w.configMaps, name)
			}
		}
		for _, m := range itemsOf(c.Get("volumeMounts")) {
			w.mounted = w.mounted || strings.HasPrefix(m.Get("mountPath").Text(), "/opt/flink/conf")
		}
		r.workloads = append(r.workloads, w)
	}
}

// slotsEntry is the option that the entrypoint makes of TASK_MANAGER_NUMBER_OF_TASK_SLOTS.
func (r *reader) slotsEntry(value *yamltree.Node) conf.Entry {
	at := r.span(value)
	return conf.Entry{Key: "taskmanager.numberOfTaskSlots", Value: value.Text(), Text: value.Text(), Raw: value.Text(), KeySpan: at, ValueSpan: at,
		Layer: "TASK_MANAGER_NUMBER_OF_TASK_SLOTS", Placeholder: value.Masked || conf.IsPlaceholder(value.Text())}
}

// effectiveVersion is the version asked for, or else the one that the image names.
func (r *reader) effectiveVersion(f job.Fact[version.Version]) version.Version {
	if r.options.Version.Known() {
		return r.options.Version
	}
	return f.V
}

// flinkContainer tells whether a container runs a process of Flink's: by FLINK_PROPERTIES, or by what it starts together with a name.
func flinkContainer(w *workload, names string, image *yamltree.Node) bool {
	name := strings.ToLower(image.Text() + " " + names)
	if strings.Contains(name, "operator") || strings.Contains(name, "kafka-connect") {
		return false
	}
	if w.properties != nil {
		return true
	}
	return w.role != "" && strings.Contains(name, "flink")
}

// official tells an image that is Flink's own by its name.
func official(image string) bool {
	name, _, _ := cutTag(image)
	return name == "flink" || strings.HasSuffix(name, "/flink")
}

// assemble puts the workloads of one cluster together with the ConfigMaps that they mount; ConfigMaps that nobody mounts stand alone.
func (r *reader) assemble() {
	var clusters []string
	for _, w := range r.workloads {
		if !slices.Contains(clusters, w.cluster) {
			clusters = append(clusters, w.cluster)
		}
	}
	for _, name := range clusters {
		var members []*workload
		for i := range r.workloads {
			if r.workloads[i].cluster == name {
				members = append(members, &r.workloads[i])
			}
		}
		r.assembleCluster(members)
	}
	for _, cm := range r.configMaps {
		if !cm.used {
			c := &Carried{Kind: ConfigMap, Name: cm.label(), Span: cm.span, Facts: &job.Facts{}, Fragment: r.stream.Templated}
			r.addConfigMap(c, &cm)
			r.out = append(r.out, c)
		}
	}
}

func qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

func (cm *configMap) label() string {
	return strings.TrimSpace("ConfigMap " + qualified(cm.namespace, cm.name))
}

// addConfigMap adds a ConfigMap's file to a configuration. Where both of Flink's names stand together, flink-conf.yaml is the one that counts up to
// 1.20 and config.yaml from 2.0 on. Files under further names are configurations of their own.
func (r *reader) addConfigMap(c *Carried, cm *configMap) {
	counts := 0
	flat, standard := slices.Index(cm.names, conf.FlatName), slices.Index(cm.names, conf.YAMLName)
	both := flat >= 0 && standard >= 0
	switch v := r.effectiveVersion(c.Facts.Flink); {
	case both && v.Known() && v.AtLeast(2, 0), flat < 0 && standard >= 0:
		counts = standard
	case flat >= 0:
		counts = flat
	}
	c.Documents = append(c.Documents, cm.documents[counts])
	c.Layers = append(c.Layers, cm.documents[counts].Layer())
	for i, d := range cm.documents {
		switch {
		case i == counts:
		case both && (i == flat || i == standard):
			d.Faults = append(d.Faults, conf.Fault{Kind: conf.FaultWrongFileName, Span: d.View.Span(0, 0), Detail: "Flink reads " + cm.names[counts] + " of the same ConfigMap and not this one"})
			c.Documents = append(c.Documents, &conf.Document{View: d.View, Dialect: d.Dialect, Faults: d.Faults, Templated: d.Templated})
		default:
			r.out = append(r.out, &Carried{Kind: ConfigMap, Name: cm.label() + " " + cm.names[i], Span: d.View.Span(0, 0), Documents: []*conf.Document{d},
				Layers: []conf.Layer{d.Layer()}, Facts: &job.Facts{}, Fragment: true})
		}
	}
}

// assembleCluster makes one configuration of the processes of a cluster: a TaskManager's own settings decide over taskmanager.*, the JobManager's
// over the rest.
func (r *reader) assembleCluster(members []*workload) {
	slices.SortStableFunc(members, func(a, b *workload) int { return cmp.Compare(roleOrder(a.role), roleOrder(b.role)) })
	first := members[0]
	c := &Carried{Kind: first.kind, Name: first.label, Span: first.span, Facts: &job.Facts{}}
	if first.kind == Compose {
		c.Facts.Deployment.Target = job.Fact[string]{V: "docker", Known: true, Span: first.span, From: "a compose file"}
	} else {
		c.Facts.Deployment.Target = job.Fact[string]{V: "standalone", Known: true, Span: first.span, From: "kind " + first.label}
	}
	hasJobManager, hasTaskManager, mounted, ours := false, false, false, false
	for _, m := range members {
		ours = ours || m.official
		if !c.Facts.Flink.Known {
			c.Facts.Flink = m.version
		}
		mounted = mounted || m.mounted || len(m.configMaps) > 0
		switch m.role {
		case "jobmanager":
			hasJobManager = true
			c.Facts = job.Merge(c.Facts, &job.Facts{JobManager: m.process})
		case "taskmanager":
			c.Facts = job.Merge(&job.Facts{TaskManager: m.process}, c.Facts)
			if m.replicas.Known && (!hasTaskManager || c.Facts.Deployment.TaskManagers.Known) {
				m.replicas.V += c.Facts.Deployment.TaskManagers.V
				c.Facts.Deployment.TaskManagers = m.replicas
			}
			hasTaskManager = true
		}
	}
	base := false
	for i := range r.configMaps {
		cm := &r.configMaps[i]
		for _, m := range members {
			if slices.Contains(m.configMaps, cm.name) && !cm.used {
				cm.used, base = true, true
				c.Span = cm.span
				c.Name = cm.label()
				r.addConfigMap(c, cm)
			}
		}
	}
	if !base && !mounted && ours {
		c.Layers = append(c.Layers, shipped(r.effectiveVersion(c.Facts.Flink)))
	}
	// A part of the configuration is elsewhere when something unknown is mounted, or when a process is not in this file.
	c.Fragment = mounted && !base || !hasJobManager || !hasTaskManager || !ours && !base
	r.processLayers(c, members)
	r.out = append(r.out, c)
}

func roleOrder(role string) int {
	switch role {
	case "jobmanager":
		return 0
	case "taskmanager":
		return 1
	}
	return 2
}

// processLayers adds what the processes set for themselves.
func (r *reader) processLayers(c *Carried, members []*workload) {
	owner := map[string]*workload{} // whose setting of a key counts
	each := func(m *workload, visit func(conf.Entry)) {
		if m.properties != nil {
			for _, e := range m.properties.Entries {
				visit(e)
			}
		}
		for _, e := range m.entries {
			visit(e)
		}
	}
	for _, m := range members {
		each(m, func(e conf.Entry) {
			before := owner[e.Key]
			if before == nil || strings.HasPrefix(e.Key, "taskmanager.") && m.role == "taskmanager" && before.role != "taskmanager" {
				owner[e.Key] = m
			}
		})
	}
	for _, m := range members {
		keep := func(entries []conf.Entry) []conf.Entry {
			var out []conf.Entry
			for _, e := range entries {
				if owner[e.Key] == m {
					out = append(out, e)
				}
			}
			return out
		}
		if m.properties != nil {
			c.Documents = append(c.Documents, m.properties)
			c.Layers = append(c.Layers, conf.Layer{Name: propertiesVariable + " of " + m.label, Dialect: m.properties.Dialect, Entries: keep(m.properties.Entries)})
		}
		if entries := keep(m.entries); len(entries) > 0 {
			c.Layers = append(c.Layers, conf.Layer{Name: "arguments of " + m.label, Dialect: conf.Arguments, Entries: entries})
		}
	}
}
