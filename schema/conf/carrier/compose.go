package carrier

import (
	"bytes"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/internal/yamltree"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// compose reads the services of a compose file that run Flink. Services that name one JobManager are one cluster.
func (r *reader) compose(services *yamltree.Node) {
	for _, p := range services.Pairs {
		s := p.Value.Resolve()
		if s == nil || s.Kind != yamltree.Mapping {
			continue
		}
		name := p.Key.Text()
		w := workload{kind: Compose, label: "service " + name, span: r.span(p.Key)}
		image := composeField(s, "image")
		if v, ok := tagVersion(composeDefault(image.Text())); ok && image.Text() != "" {
			w.version = job.Fact[version.Version]{V: v, Known: true, Span: r.span(image)}
		}
		w.official = official(composeDefault(image.Text()))
		ws := append(words(r.file, composeField(s, "entrypoint")), words(r.file, composeField(s, "command"))...)
		w.role = role(ws)
		w.entries = dynamicProperties(ws, "arguments of "+w.label)
		r.composeEnvironment(&w, composeField(s, "environment"))
		if w.properties == nil && (w.role == "" || !strings.Contains(strings.ToLower(image.Text()+" "+name+" "+composeField(s, "build").Text()), "flink")) {
			continue
		}
		if w.role == "" && strings.Contains(strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name)), "taskmanager") {
			w.role = "taskmanager"
		}
		w.process = r.composeLimits(s)
		w.replicas = r.composeReplicas(s, p.Key)
		for _, v := range itemsOf(composeField(s, "volumes")) {
			w.mounted = w.mounted || strings.Contains(v.Text(), "/conf/flink-conf.yaml") || strings.Contains(v.Text(), "/conf/config.yaml") ||
				strings.Contains(v.Text(), ":/opt/flink/conf") || strings.HasPrefix(v.Get("target").Text(), "/opt/flink/conf")
		}
		w.cluster = clusterName(w.properties)
		r.workloads = append(r.workloads, w)
	}
	r.joinClusters()
}

// composeField is a field of a service; a merge key ("<<: *common") lends it fields, which compose merges.
func composeField(s *yamltree.Node, key string) *yamltree.Node {
	if n := s.Get(key); n != nil {
		return n
	}
	merged := s.Get("<<")
	if merged == nil {
		return nil
	}
	if merged.Kind == yamltree.Sequence {
		for _, item := range merged.Items {
			if n := item.Get(key); n != nil {
				return n
			}
		}
	}
	return merged.Get(key)
}

// composeDefault resolves "${NAME:-default}" to its default.
func composeDefault(text string) string {
	for {
		start := strings.Index(text, "${")
		if start < 0 {
			return text
		}
		end := strings.IndexByte(text[start:], '}')
		if end < 0 {
			return text
		}
		_, value, ok := strings.Cut(text[start+2:start+end], "-")
		if !ok {
			return text
		}
		text = text[:start] + value + text[start+end+1:]
	}
}

// composeEnvironment reads the variables of a service, given as a mapping or as a list of NAME=value.
func (r *reader) composeEnvironment(w *workload, env *yamltree.Node) {
	set := func(name string, value *source.View, at *yamltree.Node) {
		switch name {
		case propertiesVariable:
			w.properties = flinkProperties(value, r.effectiveVersion(w.version), at.Style == yamltree.Literal, r.stream.Conditional)
		case "TASK_MANAGER_NUMBER_OF_TASK_SLOTS":
			e := r.slotsEntry(at)
			e.Value = string(value.Data)
			e.Text, e.Raw, e.ValueSpan, e.KeySpan = e.Value, e.Value, value.Span(0, len(value.Data)), value.Span(0, len(value.Data))
			w.entries = append(w.entries, e)
		}
	}
	if env == nil {
		return
	}
	for _, item := range itemsOf(env) {
		item = item.Resolve()
		if item == nil || item.Kind != yamltree.Scalar {
			continue
		}
		view := item.View(r.file)
		if name, _, ok := bytes.Cut(view.Data, []byte("=")); ok {
			set(strings.TrimSpace(string(name)), view.Slice(len(name)+1, len(view.Data)), item)
		}
	}
	pairs := env.Pairs
	if merged := env.Get("<<"); merged != nil {
		pairs = append(merged.Pairs[:len(merged.Pairs):len(merged.Pairs)], pairs...)
	}
	for _, p := range pairs {
		if v := p.Value.Resolve(); v != nil && v.Kind == yamltree.Scalar {
			set(p.Key.Text(), v.View(r.file), v)
		}
	}
}

func (r *reader) composeLimits(s *yamltree.Node) job.Process {
	limits := composeField(s, "deploy").At("resources", "limits")
	memory, cpus := stringFact(r.file, limits.Get("memory")), stringFact(r.file, limits.Get("cpus"))
	if !memory.Known {
		memory = stringFact(r.file, composeField(s, "mem_limit"))
	}
	if !cpus.Known {
		cpus = stringFact(r.file, composeField(s, "cpus"))
	}
	return job.Process{ContainerMemory: bytesFact(memory, composeBytes), CPU: cpuFact(cpus)}
}

// composeReplicas is the number of containers of a service; one when nothing else is said.
func (r *reader) composeReplicas(s, name *yamltree.Node) job.Fact[int] {
	for _, n := range []*yamltree.Node{composeField(s, "deploy").Get("replicas"), composeField(s, "scale")} {
		if n != nil {
			return intFact(r.file, n)
		}
	}
	return job.Fact[int]{V: 1, Known: true, Span: r.span(name), From: "one container per service"}
}

// clusterName is the JobManager that a service's properties name.
func clusterName(d *conf.Document) string {
	name := ""
	if d != nil {
		for _, e := range d.Entries {
			if e.Key == "jobmanager.rpc.address" {
				name = e.Value
			}
		}
	}
	return name
}

// joinClusters makes one cluster of all services, unless several JobManagers stand in the file; services that name no JobManager go with the
// first.
func (r *reader) joinClusters() {
	known, jobManagers := "", 0
	for _, w := range r.workloads {
		if known == "" {
			known = w.cluster
		}
		if w.role == "jobmanager" {
			jobManagers++
		}
	}
	for i := range r.workloads {
		if r.workloads[i].cluster == "" || jobManagers < 2 {
			r.workloads[i].cluster = known
		}
	}
}
