package carrier

import (
	"bytes"
	"fmt"
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

// reader reads the configurations of one structured file.
type reader struct {
	file    *source.File
	options conf.Options
	stream  *yamltree.Stream
	out     []*Carried
	// recognised tells that the file is of a kind that we know, even if no Flink is in it.
	recognised bool
	// configMaps and workloads of the file are put together at its end.
	configMaps []configMap
	workloads  []workload
}

// read walks all documents of the stream.
func (r *reader) read() {
	for _, d := range r.stream.Docs {
		r.object(d.Root.Resolve(), 0)
	}
	r.assemble()
	r.sessionJobs()
	r.malformed()
	slices.SortStableFunc(r.out, func(a, b *Carried) int { return a.Span.Compare(b.Span) })
	for _, c := range r.out {
		c.Templated = c.Templated || r.stream.Templated
	}
}

// sessionJobs gives session jobs the version of the session cluster that stands in the same file.
func (r *reader) sessionJobs() {
	for _, j := range r.out {
		if j.Kind != SessionJob || j.Facts.Flink.Known || !j.Manifest.DeploymentName.Known {
			continue
		}
		for _, c := range r.out {
			if c.Kind == Deployment && c.Manifest.Name.V == j.Manifest.DeploymentName.V && c.Manifest.Namespace.V == j.Manifest.Namespace.V {
				j.Facts.Flink = c.Facts.Flink
			}
		}
	}
}

// malformed reports the places that no YAML reader takes, once for the file: kubectl and compose refuse it as a whole.
func (r *reader) malformed() {
	if len(r.stream.Problems) == 0 || r.stream.Templated || !r.recognised || !bytes.Contains(bytes.ToLower(r.file.Data), []byte("flink")) {
		return
	}
	d := &conf.Document{View: r.file.Whole(), Dialect: conf.YAML, Closed: true}
	p := r.stream.Problems[0]
	d.Faults = append(d.Faults, conf.Fault{Kind: conf.FaultMalformed, Span: r.file.Span(p.Start, p.End), Detail: p.Message, Fatal: true})
	if len(r.out) == 0 {
		r.out = append(r.out, &Carried{Kind: Workload, Span: r.file.Span(0, 0), Facts: &job.Facts{}, Fragment: true})
	}
	r.out[0].Documents = append(r.out[0].Documents, d)
}

// maxLists bounds lists within lists of Kubernetes objects.
const maxLists = 8

// object reads one document: a Kubernetes object, a list of them, a compose file, or anything with a flinkConfiguration in it.
func (r *reader) object(n *yamltree.Node, depth int) {
	if n == nil || depth > maxLists {
		return
	}
	if n.Kind == yamltree.Sequence {
		r.recognised = r.emr(n) || r.recognised
		r.objects(n, depth)
		return
	}
	if n.Kind != yamltree.Mapping {
		return
	}
	kind := n.Get("kind").Text()
	switch {
	case kind == "" || n.Get("apiVersion") == nil:
		if services := n.Get("services"); services != nil && services.Kind == yamltree.Mapping {
			r.recognised = true
			r.compose(services)
			return
		}
		r.values(n, nil, 0)
		return
	case kind == "List" || strings.HasSuffix(kind, "List") && n.Get("items") != nil:
		r.objects(n.Get("items"), depth)
	case kind == "Template" && n.Get("objects") != nil: // OpenShift
		r.objects(n.Get("objects"), depth)
	case kind == "FlinkDeployment", kind == "FlinkSessionJob", kind == "FlinkApplication":
		r.deployment(kind, n)
	case kind == "FlinkCluster":
		r.cluster(n)
	case kind == "ConfigMap":
		r.configMap(n)
	case podSpec(n) != nil:
		r.workload(kind, n)
	default:
		r.values(n, nil, 0)
	}
	r.recognised = true
}

func (r *reader) objects(list *yamltree.Node, depth int) {
	if list == nil || list.Kind != yamltree.Sequence {
		return
	}
	for _, item := range list.Items {
		if item.Kind != yamltree.Alias { // lists of lists of aliases would never end
			r.object(item, depth+1)
		}
	}
}

// values looks for maps of Flink options in a structure that is none of the known kinds: Helm values, a platform's own resource.
func (r *reader) values(n *yamltree.Node, path []string, depth int) {
	if n = n.Resolve(); n == nil || depth > conf.MaxDepth {
		return
	}
	// What an alias stands for has been seen at its anchor; to follow it could take for ever.
	for _, item := range n.Items {
		if item.Kind != yamltree.Alias {
			r.values(item, path, depth+1)
		}
	}
	for _, p := range n.Pairs {
		key, value := p.Key.Text(), p.Value
		if value.Kind == yamltree.Alias {
			continue
		}
		at := append(slices.Clip(path), key)
		switch {
		case (key == "flinkConfiguration" || key == "flinkProperties") && value.Kind == yamltree.Mapping:
			r.recognised = true
			r.valuesMap(n, p, at)
		case embedded(key) && value.Kind == yamltree.Scalar && multiline(value):
			r.recognised = true
			r.embeddedText(Values, strings.Join(at, "."), key, value)
		default:
			r.values(value, at, depth+1)
		}
	}
}

// valuesMap reads a flinkConfiguration that stands in a file of values. Charts name what stands beside it after the fields of a FlinkDeployment,
// which they fill: it is read as such.
func (r *reader) valuesMap(parent *yamltree.Node, p yamltree.Pair, path []string) {
	facts := &job.Facts{Flink: r.flinkVersion(parent.Get("flinkVersion"), parent.Get("image"))}
	doc := r.plainMap(p.Value.Resolve(), p.Key, r.clusterDialect(facts))
	facts.Job.Parallelism = intFact(r.file, parent.At("job", "parallelism"))
	facts.Deployment.TaskManagers = intFact(r.file, parent.At("taskManager", "replicas"))
	c := &Carried{Kind: Values, Name: strings.Join(path, "."), Span: r.span(p.Key), Documents: []*conf.Document{doc}, Layers: []conf.Layer{doc.Layer()}, Facts: facts, Fragment: true}
	if p.Key.Text() == "flinkConfiguration" {
		m := r.manifest("values", parent, parent)
		m.Configuration = doc
		r.derived(c, m)
	}
	r.out = append(r.out, c)
}

// emr reads Amazon EMR's list of classifications: [{"Classification": "flink-conf", "Properties": {…}}].
func (r *reader) emr(list *yamltree.Node) bool {
	found := false
	for _, item := range list.Items {
		properties := item.Get("Properties")
		if properties == nil {
			properties = item.Get("properties")
		}
		name := item.Get("Classification").Text() + item.Get("classification").Text()
		if name != "flink-conf" || properties == nil || properties.Kind != yamltree.Mapping {
			continue
		}
		found = true
		doc := r.plainMap(properties, properties, conf.Flat)
		r.out = append(r.out, &Carried{Kind: Values, Name: "classification flink-conf", Span: r.span(properties), Documents: []*conf.Document{doc},
			Layers: []conf.Layer{doc.Layer()}, Facts: &job.Facts{}, Fragment: true})
	}
	return found
}

// embedded tells a key under which Flink's configuration file stands as text.
func embedded(key string) bool {
	return conf.IsFlinkName(key) || key == conf.YAMLName || key == "config.yml"
}

func multiline(n *yamltree.Node) bool {
	return n.Style == yamltree.Literal || n.Style == yamltree.Folded || strings.Contains(n.Value, "\n") || n.Masked
}

// embeddedText reads a configuration file that stands as text in a scalar; nil when a config.yaml is some other program's.
func (r *reader) embeddedText(kind Kind, label, name string, n *yamltree.Node) *conf.Document {
	view := n.View(r.file)
	if !conf.IsFlinkName(name) && !LooksLikeFlink(view.Data) {
		return nil
	}
	doc, err := conf.Open(view, conf.Options{Name: name, Version: r.options.Version, Conditional: r.stream.Conditional})
	if err != nil {
		return nil // beyond the limits, within a file that is not: cannot be
	}
	doc.Closed = n.Style != yamltree.Literal
	if kind == Values {
		r.out = append(r.out, &Carried{Kind: kind, Name: label, Span: r.span(n), Documents: []*conf.Document{doc}, Layers: []conf.Layer{doc.Layer()},
			Facts: &job.Facts{}, Fragment: true})
	}
	return doc
}

// span is the place of a node.
func (r *reader) span(n *yamltree.Node) source.Span {
	if n == nil {
		return source.Span{}
	}
	return r.file.Span(n.Start, max(n.End, n.Start))
}

// clusterDialect is the dialect of the file that the operator writes for a cluster: flink-conf.yaml before Flink 2
// (FlinkConfMountDecorator.useStandardYamlConfig).
func (r *reader) clusterDialect(facts *job.Facts) conf.Dialect {
	v := r.options.Version
	if !v.Known() {
		v = facts.Flink.V
	}
	if v.Known() && v.AtLeast(2, 0) {
		return conf.YAML
	}
	return conf.Flat
}

// plainMap reads a map of options as the operator does (ConfigObjectNode): nested keys are joined with dots, lists with ";", and scalars become
// text.
func (r *reader) plainMap(n, at *yamltree.Node, dialect conf.Dialect) *conf.Document {
	d := &conf.Document{View: r.file.Whole(), Dialect: dialect, Quoted: true, Closed: true, Templated: r.stream.Templated}
	if !n.Flow && len(n.Pairs) > 0 {
		key := n.Pairs[0].Key.Start
		line, _ := r.file.Position(key)
		_, start := r.file.Line(line)
		if margin := string(r.file.Data[start:key]); strings.Trim(margin, " ") == "" {
			d.Margin, d.Closed = &margin, false
		}
	}
	m := mapReader{reader: r, doc: d, seen: map[string]source.Span{}}
	m.read("", n, 0)
	return d
}

type mapReader struct {
	*reader
	doc  *conf.Document
	seen map[string]source.Span
	// seenPairs counts what has been looked at.
	seenPairs int
}

func (m *mapReader) read(prefix string, n *yamltree.Node, depth int) {
	if depth > conf.MaxDepth {
		return
	}
	for _, p := range n.Pairs {
		if m.seenPairs++; m.seenPairs > maxMapEntries {
			return
		}
		k, v := p.Key.Resolve(), p.Value.Resolve()
		if k == nil || v == nil || k.Kind != yamltree.Scalar || k.Masked {
			continue
		}
		key := prefix + k.Value
		switch {
		case k.Value == "<<" && p.Value.Kind == yamltree.Alias && v.Kind == yamltree.Mapping:
			m.read(prefix, v, depth+1) // kubectl and Helm merge
		case v.Kind == yamltree.Mapping:
			m.read(key+".", v, depth+1)
		case v.Kind == yamltree.Sequence:
			var items []string
			for _, item := range v.Items {
				items = append(items, plainText(item.Resolve()))
			}
			m.add(key, p, strings.Join(items, ";"), false)
		case v.Masked:
			m.add(key, p, v.Value, true)
		case v.IsNull():
			span := m.span(p.Value)
			if span.Start == span.End {
				span = m.span(p.Key)
			}
			m.doc.Faults = append(m.doc.Faults, conf.Fault{Kind: conf.FaultEmptyValue, Span: span, Key: key})
		default:
			m.add(key, p, plainText(v), false)
		}
	}
}

// maxMapEntries bounds what aliases of aliases unfold to.
const maxMapEntries = 10_000

func (m *mapReader) add(key string, p yamltree.Pair, value string, masked bool) {
	e := conf.Entry{Key: key, Value: value, Text: value, Raw: m.span(p.Value).Text(), KeySpan: m.span(p.Key), ValueSpan: m.span(p.Value)}
	e.Placeholder = masked || conf.IsPlaceholder(value)
	if first, twice := m.seen[key]; twice && !m.stream.Conditional {
		m.doc.Faults = append(m.doc.Faults, conf.Fault{Kind: conf.FaultDuplicateKey, Span: e.KeySpan, Related: first, Key: key, Detail: value})
	}
	m.seen[key] = e.KeySpan
	// The operator writes the map into flink-conf.yaml before Flink 2, where a "#" cuts and a line end ends.
	if i := strings.IndexAny(value, "#\n"); m.doc.Dialect == conf.Flat && i >= 0 && !e.Placeholder && strings.TrimRight(value[i:], "\n") != "" {
		m.doc.Faults = append(m.doc.Faults, conf.Fault{Kind: conf.FaultCutByHash, Span: e.ValueSpan, Key: key, Detail: quantity.Trim(value[:i])})
	}
	m.doc.Entries = append(m.doc.Entries, e)
}

// flinkVersion is the version that a resource names: by its image's tag, which has the patch level, as long as it agrees with flinkVersion.
func (r *reader) flinkVersion(field, image *yamltree.Node) job.Fact[version.Version] {
	f := job.Fact[version.Version]{}
	if field != nil && !field.Masked {
		if v, err := version.Parse(field.Text()); err == nil {
			f = job.Fact[version.Version]{V: v, Known: true, Span: r.span(field)}
		}
	}
	if v, ok := imageVersion(image); ok && (!f.Known || v.Line() == f.V.Line() && v.HasPatch() && !f.V.HasPatch()) {
		f = job.Fact[version.Version]{V: v, Known: true, Span: r.span(image)}
	}
	return f
}

// imageVersion reads the version in the tag of an image that is Flink's by name; the tag of any other image is that of a job.
func imageVersion(image *yamltree.Node) (version.Version, bool) {
	if image == nil || image.Kind != yamltree.Scalar || image.Masked {
		return version.Version{}, false
	}
	return tagVersion(image.Value)
}

// ImageVersion reads the Flink version in the tag of an image that is Flink's by name ("flink:1.20.1-java17").
func ImageVersion(image string) (version.Version, bool) { return tagVersion(image) }

func tagVersion(image string) (version.Version, bool) {
	name, tag, ok := cutTag(image)
	if base := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]); !ok || base != "flink" && base != "cp-flink" && base != "pyflink" || conf.IsPlaceholder(tag) {
		return version.Version{}, false
	}
	v, err := version.Parse(tag)
	if err != nil || !v.AtLeast(1, 0) || v.AtLeast(3, 0) {
		return version.Version{}, false
	}
	return v, true
}

// cutTag splits "registry:5000/name:tag@digest".
func cutTag(image string) (name, tag string, ok bool) {
	image, _, _ = strings.Cut(image, "@")
	i := strings.LastIndexByte(image, ':')
	if i < 0 || strings.IndexByte(image[i:], '/') >= 0 {
		return image, "", false
	}
	return image[:i], image[i+1:], true
}

func stringFact(f *source.File, n *yamltree.Node) job.Fact[string] {
	if n = n.Resolve(); n == nil || n.Kind != yamltree.Scalar || n.Masked || n.IsNull() || conf.IsPlaceholder(n.Value) {
		return job.Fact[string]{}
	}
	return job.Fact[string]{V: n.Value, Known: true, Span: f.Span(n.Start, n.End)}
}

func intFact(f *source.File, n *yamltree.Node) job.Fact[int] {
	s := stringFact(f, n)
	if !s.Known {
		return job.Fact[int]{}
	}
	v, err := quantity.ParseInt(s.V)
	return job.Fact[int]{V: int(v), Known: err == nil, Span: s.Span}
}

func bytesFact(s job.Fact[string], parse func(string) (quantity.Bytes, error)) job.Fact[quantity.Bytes] {
	if !s.Known {
		return job.Fact[quantity.Bytes]{}
	}
	b, err := parse(s.V)
	return job.Fact[quantity.Bytes]{V: b, Known: err == nil, Span: s.Span}
}

func cpuFact(s job.Fact[string]) job.Fact[float64] {
	if !s.Known {
		return job.Fact[float64]{}
	}
	c, err := kubernetesNumber(s.V)
	if err != nil {
		return job.Fact[float64]{}
	}
	v, _ := c.Float64()
	return job.Fact[float64]{V: v, Known: true, Span: s.Span}
}

func named(kind string, n *yamltree.Node) string {
	name := n.At("metadata", "name").Text()
	if name == "" {
		name = n.At("metadata", "generateName").Text()
	}
	if ns := n.At("metadata", "namespace").Text(); ns != "" {
		name = ns + "/" + name
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", kind, name))
}

// plainText is the text of a scalar after it has been through JSON on its way to a Kubernetes API server: numbers and booleans in their
// shortest form. It is "" for mappings and lists.
func plainText(n *yamltree.Node) string {
	if n == nil || n.Kind != yamltree.Scalar {
		return ""
	}
	switch n.Type() {
	case "!!bool":
		return strings.ToLower(n.Value)
	case "!!int":
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return strconv.FormatInt(i, 10)
		}
	case "!!float":
		if d, err := strconv.ParseFloat(n.Value, 64); err == nil {
			return strconv.FormatFloat(d, 'f', -1, 64)
		}
	}
	return n.Value
}
