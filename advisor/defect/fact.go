package defect

import (
	"strconv"

	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A fact is a name of conditions that stands for a fact of job.yaml or of the command at hand.
type fact struct {
	name string
	kind option.Kind
	read func(c *Context) value
}

// factList holds the facts that conditions may use. Names are paths in job.yaml, except upgrade.from.
var factList = []fact{
	{"java", option.Int, func(c *Context) value {
		return factOf(c, "java", option.Int, func(f *job.Facts) job.Fact[int] { return f.Java }, intOperand)
	}},
	{"deployment.target", option.String, func(c *Context) value {
		return factOf(c, "deployment.target", option.String, func(f *job.Facts) job.Fact[string] { return f.Deployment.Target }, textOperand)
	}},
	{"deployment.mode", option.String, func(c *Context) value {
		return factOf(c, "deployment.mode", option.String, func(f *job.Facts) job.Fact[string] { return f.Deployment.Mode }, textOperand)
	}},
	{"job.api", option.String, func(c *Context) value {
		return factOf(c, "job.api", option.String, func(f *job.Facts) job.Fact[string] { return f.Job.API }, textOperand)
	}},
	{"job.type", option.String, func(c *Context) value {
		return factOf(c, "job.type", option.String, func(f *job.Facts) job.Fact[string] { return f.Job.Type }, textOperand)
	}},
	{"job.parallelism", option.Int, func(c *Context) value {
		return factOf(c, "job.parallelism", option.Int, func(f *job.Facts) job.Fact[int] { return f.Job.Parallelism }, intOperand)
	}},
	{"job.maxParallelism", option.Int, func(c *Context) value {
		return factOf(c, "job.maxParallelism", option.Int, func(f *job.Facts) job.Fact[int] { return f.Job.MaxParallelism }, intOperand)
	}},
	{"checkpointStorage.kind", option.String, func(c *Context) value {
		return factOf(c, "checkpointStorage.kind", option.String, func(f *job.Facts) job.Fact[string] { return f.CheckpointStorage.Kind }, textOperand)
	}},
	{"upgrade.from", releaseKind, func(c *Context) value {
		v := value{kind: releaseKind, state: unknown, missing: "upgrade.from"}
		if c.From.Known() {
			v.state, v.operand = known, releaseOperand(c.From)
			v.reason = Reason{Name: "upgrade.from", Value: c.From.String()}
		}
		return v
	}},
}

func factOf[T any](c *Context, path string, kind option.Kind, get func(*job.Facts) job.Fact[T], operand func(T) operand) value {
	if c.Job == nil {
		return value{kind: kind, state: unknown, missing: path}
	}
	return field(path, kind, get(c.Job), operand)
}

func field[T any](path string, kind option.Kind, f job.Fact[T], operand func(T) operand) value {
	v := value{kind: kind, state: unknown, missing: path}
	if f.Known {
		v.state, v.operand = known, operand(f.V)
		v.reason = Reason{Name: path, Value: v.operand.text, From: f.Origin(), Span: f.Span}
	}
	return v
}

func textOperand(s string) operand { return operand{text: s} }

func intOperand(n int) operand {
	return operand{text: strconv.Itoa(n), number: float64(n), numeric: true}
}

func boolOperand(b bool) operand { return operand{text: strconv.FormatBool(b)} }

func durationOperand(d quantity.Duration) operand {
	return operand{text: d.Pretty(), number: d.Seconds(), numeric: true}
}

// A collection is a list of the job's parts of which a condition can ask for one: sink[...].
type collection struct {
	name string
	// path is the list's path in job.yaml.
	path string
	// fields are the kinds of the elements' fields.
	fields map[string]option.Kind
	// elements are the elements that are written down, each as its fields.
	elements func(*job.Facts) []map[string]value
}

// collectionList holds the collections that conditions may use.
var collectionList = []collection{
	{"source", "job.vertices.source", map[string]option.Kind{"kind": option.String, "partitions": option.Int}, func(f *job.Facts) []map[string]value {
		return endpoints(f, "job.vertices.source", func(v *job.Vertex) *job.Endpoint { return v.Source })
	}},
	{"sink", "job.vertices.sink", map[string]option.Kind{"kind": option.String, "guarantee": option.String}, func(f *job.Facts) []map[string]value {
		return endpoints(f, "job.vertices.sink", func(v *job.Vertex) *job.Endpoint { return v.Sink })
	}},
	{"window", "job.vertices.window", map[string]option.Kind{
		"kind": option.String, "size": option.Duration, "slide": option.Duration, "distinct": option.Boolean,
	}, windows},
	{"edge", "job.edges", map[string]option.Kind{"shipStrategy": option.String, "exchange": option.String}, edges},
}

func endpoints(f *job.Facts, path string, of func(*job.Vertex) *job.Endpoint) []map[string]value {
	var out []map[string]value
	for i := range f.Job.Vertices {
		if e := of(&f.Job.Vertices[i]); e != nil {
			out = append(out, map[string]value{
				"kind":       field(path+".kind", option.String, e.Kind, textOperand),
				"guarantee":  field(path+".guarantee", option.String, e.Guarantee, textOperand),
				"partitions": field(path+".partitions", option.Int, e.Partitions, intOperand),
			})
		}
	}
	return out
}

func windows(f *job.Facts) []map[string]value {
	const path = "job.vertices.window"
	var out []map[string]value
	for i := range f.Job.Vertices {
		if w := f.Job.Vertices[i].Window; w != nil {
			out = append(out, map[string]value{
				"kind":     field(path+".kind", option.String, w.Kind, textOperand),
				"size":     field(path+".size", option.Duration, w.Size, durationOperand),
				"slide":    field(path+".slide", option.Duration, w.Slide, durationOperand),
				"distinct": field(path+".distinct", option.Boolean, w.Distinct, boolOperand),
			})
		}
	}
	return out
}

func edges(f *job.Facts) []map[string]value {
	var out []map[string]value
	for i := range f.Job.Edges {
		e := &f.Job.Edges[i]
		out = append(out, map[string]value{
			"shipStrategy": field("job.edges.shipStrategy", option.String, e.ShipStrategy, textOperand),
			"exchange":     field("job.edges.exchange", option.String, e.Exchange, textOperand),
		})
	}
	return out
}

// releaseOf is the release of the product that a context is about.
func (c *Context) releaseOf(p Product) version.Version {
	switch p {
	case Operator:
		return c.Operator
	case KafkaConnector:
		return c.KafkaConnector
	}
	return c.Flink
}
