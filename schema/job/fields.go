package job

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// MaxParallelism is the largest parallelism and max parallelism that Flink takes
// (KeyGroupRangeAssignment.UPPER_BOUND_MAX_PARALLELISM).
const MaxParallelism = 1 << 15

// A field is one fact of an object T of the job file: where it stands, what it means, and where it is kept.
type field[T any] struct {
	// path is the dotted place below the object.
	path string
	// doc is one sentence for editors.
	doc string
	at  func(*T) slot
}

// A slot is the place of one fact, whatever its type.
type slot interface {
	read(text string, span source.Span) error
	known() bool
	take(from slot)
	form() form
}

// A form is what a fact may look like: the types, pattern and values of its JSON Schema.
type form struct {
	types   []string
	pattern string
	values  []string
	minimum *int64
	maximum *int64
	// above is a minimum that is itself not allowed.
	above *int64
}

// holder joins a fact with the way its text is read.
type holder[T any] struct {
	fact  *Fact[T]
	parse func(string) (T, error)
	shape form
}

func (h holder[T]) read(text string, span source.Span) error {
	v, err := h.parse(text)
	if err != nil {
		return err
	}
	*h.fact = Fact[T]{V: v, Known: true, Span: span}
	return nil
}

func (h holder[T]) known() bool    { return h.fact.Known }
func (h holder[T]) take(from slot) { *h.fact = *from.(holder[T]).fact }
func (h holder[T]) form() form     { return h.shape }

// Patterns of the JSON Schema. They follow Flink's grammar closely enough for an editor; the parser is the judge.
const (
	sizePattern     = `^[0-9]+ *([bkmgtBKMGT]|[kmgtKMGT][bB]|bytes|kibibytes|mebibytes|gibibytes|tebibytes)?$`
	durationPattern = `^([0-9]+ *[a-zA-Zµ]*|[pP].+)$`
	sizeRatePattern = `^[0-9]+ *([bkmgtBKMGT]|[kmgtKMGT][bB]|bytes|kibibytes|mebibytes|gibibytes|tebibytes)/s$`
	countPattern    = `^[0-9]+ */s$`
	anyRatePattern  = `^[0-9]+ *([bkmgtBKMGT]|[kmgtKMGT][bB]|bytes|kibibytes|mebibytes|gibibytes|tebibytes)?/s$`
	bitRatePattern  = `^[0-9]+ *([bkmgtBKMGT]|[kmgtKMGT][bB]|[kmgtKMGT]?bits?|bytes|kibibytes|mebibytes|gibibytes|tebibytes)/s$`
)

func text(f *Fact[string]) slot {
	return holder[string]{f, func(s string) (string, error) {
		if strings.TrimSpace(s) == "" {
			return "", errors.New("an empty text")
		}
		return s, nil
	}, form{types: []string{"string", "number"}}}
}

func oneOf(f *Fact[string], values []string) slot {
	return holder[string]{f, func(s string) (string, error) {
		if v, ok := quantity.MatchEnum(s, values); ok {
			return v, nil
		}
		return "", fmt.Errorf("%q is not one of %s%s", s, strings.Join(values, ", "), didYouMean(s, values))
	}, form{types: []string{"string"}, values: values}}
}

func whole[N int | int64](f *Fact[N], least, most int64) slot {
	shape := form{types: []string{"integer"}, minimum: &least}
	if most > 0 {
		shape.maximum = &most
	}
	return holder[N]{f, func(s string) (N, error) {
		n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64)
		switch {
		case err != nil:
			return 0, fmt.Errorf("%q is not a whole number", s)
		case n < least:
			return 0, fmt.Errorf("%d is below %d", n, least)
		case most > 0 && n > most:
			return 0, fmt.Errorf("%d is above %d", n, most)
		}
		return N(n), nil
	}, shape}
}

func parallelism(f *Fact[int]) slot { return whole(f, 1, MaxParallelism) }

// maxCount bounds counts of machines and partitions: far above any cluster, far below an overflow of later products.
const maxCount = 1 << 24

func count(f *Fact[int]) slot { return whole(f, 1, maxCount) }

func positive(f *Fact[float64]) slot {
	var zero int64
	return holder[float64]{f, func(s string) (float64, error) {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || !(n > 0 && n < maxCount) {
			return 0, fmt.Errorf("%q is not a number above 0", s)
		}
		return n, nil
	}, form{types: []string{"number"}, above: &zero}}
}

func truth(f *Fact[bool]) slot {
	return holder[bool]{f, func(s string) (bool, error) {
		switch s {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return false, fmt.Errorf("%q is neither true nor false", s)
	}, form{types: []string{"boolean"}}}
}

func size(f *Fact[quantity.Bytes]) slot {
	return holder[quantity.Bytes]{f, quantity.ParseBytes, form{types: []string{"string", "integer"}, pattern: sizePattern}}
}

func duration(f *Fact[quantity.Duration]) slot {
	return holder[quantity.Duration]{f, func(s string) (quantity.Duration, error) {
		return quantity.ParseDuration(s, version.Newest())
	}, form{types: []string{"string", "integer"}, pattern: durationPattern}}
}

func release(f *Fact[version.Version]) slot {
	return holder[version.Version]{f, func(s string) (version.Version, error) {
		v, err := version.Parse(s)
		if err == nil && !v.Known() {
			err = fmt.Errorf("%q is not a Flink version such as 1.20 or 1.20.3", s)
		}
		return v, err
	}, form{types: []string{"string", "number"}}}
}

// perSecond cuts the "/s" off a rate.
func perSecond(s, example string) (string, error) {
	amount, ok := strings.CutSuffix(strings.ToLower(quantity.Trim(s)), "/s")
	if !ok {
		return "", fmt.Errorf("%q is not a rate such as %s", s, example)
	}
	return quantity.Trim(amount), nil
}

// isCount tells whether the amount has no unit.
func isCount(amount string) bool {
	return amount != "" && strings.Trim(amount, "0123456789") == ""
}

func parseSizeRate(s string) (Rate, error) {
	amount, err := perSecond(s, "40mb/s")
	if err != nil {
		return 0, err
	}
	if isCount(amount) {
		return 0, fmt.Errorf("%q has no unit: write a size a second, such as 40mb/s", s)
	}
	n, err := quantity.ParseBytes(amount)
	return Rate(n), err
}

func sizeRate(f *Fact[Rate]) slot {
	return holder[Rate]{f, parseSizeRate, form{types: []string{"string"}, pattern: sizeRatePattern}}
}

func parseCountRate(s string) (Rate, error) {
	amount, err := perSecond(s, "3500/s")
	if err != nil {
		return 0, err
	}
	if !isCount(amount) {
		return 0, fmt.Errorf("%q is not a count a second, such as 3500/s", s)
	}
	n, err := strconv.ParseInt(amount, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q exceeds 2^63-1 a second", s)
	}
	return Rate(n), nil
}

func countRate(f *Fact[Rate]) slot {
	return holder[Rate]{f, parseCountRate, form{types: []string{"string"}, pattern: countPattern}}
}

// bitUnits are decimal, as network equipment counts.
var bitUnits = []struct {
	label string
	bits  float64
}{{"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}, {"tbit", 1e12}, {"bit", 1}}

func parseBitRate(s string) (Rate, error) {
	amount, err := perSecond(s, "10gbit/s")
	if err != nil {
		return 0, err
	}
	for _, u := range bitUnits {
		number, ok := strings.CutSuffix(strings.TrimSuffix(amount, "s"), u.label)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(quantity.Trim(number), 10, 64)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("%q is not a rate such as 10gbit/s", s)
		}
		return Rate(float64(n) * u.bits / 8), nil
	}
	return parseSizeRate(s)
}

func bitRate(f *Fact[Rate]) slot {
	return holder[Rate]{f, parseBitRate, form{types: []string{"string"}, pattern: bitRatePattern}}
}

// edgeRate takes bytes a second, or records a second, which the record size turns into bytes when the whole edge is read.
func edgeRate(e *Edge) slot {
	return holder[Rate]{&e.Rate, func(s string) (Rate, error) {
		amount, err := perSecond(s, "40mb/s")
		if err != nil {
			return 0, err
		}
		if e.rateInRecords = isCount(amount); e.rateInRecords {
			return parseCountRate(s)
		}
		return parseSizeRate(s)
	}, form{types: []string{"string"}, pattern: anyRatePattern}}
}

// Legal values of facts that are a choice.
var (
	// APIs are the legal values of job.api.
	APIs = []string{"sql", "datastream", "python"}
	// Types are the legal values of job.type.
	Types = []string{"streaming", "batch"}
	// DiskKinds are the legal values of taskManager.disk.kind; network is a volume over the network.
	DiskKinds = []string{"nvme", "ssd", "hdd", "network"}
	// WindowKinds are the legal values of a vertex's window.kind.
	WindowKinds = []string{"tumbling", "sliding", "cumulative", "session"}
	// Guarantees are the legal values of a source's or sink's guarantee.
	Guarantees = []string{"none", "at-least-once", "exactly-once"}
	// Exchanges are the legal values of an edge's exchange.
	Exchanges = []string{"pipelined", "blocking", "hybrid"}
)

// factFields are all facts outside vertices and edges.
var factFields = []field[Facts]{
	{"name", "The job's name, for reports.", func(f *Facts) slot { return text(&f.Name) }},
	{"flink", "The Flink release with its patch level: known defects depend on it.", func(f *Facts) slot { return release(&f.Flink) }},
	{"java", "The major version of the Java that runs Flink.", func(f *Facts) slot { return whole(&f.Java, 7, 99) }},
	{"deployment.target", "What starts Flink.", func(f *Facts) slot { return oneOf(&f.Deployment.Target, Targets) }},
	{"deployment.mode", "Whether the cluster is the job's own.", func(f *Facts) slot { return oneOf(&f.Deployment.Mode, Modes) }},
	{"deployment.taskManagers", "How many TaskManagers run.", func(f *Facts) slot { return count(&f.Deployment.TaskManagers) }},
	{"taskManager.cpu", "Cores of one TaskManager.", func(f *Facts) slot { return positive(&f.TaskManager.CPU) }},
	{"taskManager.containerMemory", "Memory limit of a TaskManager's container.", func(f *Facts) slot { return size(&f.TaskManager.ContainerMemory) }},
	{"taskManager.disk.size", "Disk of one TaskManager for state and spilling.", func(f *Facts) slot { return size(&f.TaskManager.DiskSize) }},
	{"taskManager.disk.kind", "What that disk is.", func(f *Facts) slot { return oneOf(&f.TaskManager.DiskKind, DiskKinds) }},
	{"jobManager.cpu", "Cores of the JobManager.", func(f *Facts) slot { return positive(&f.JobManager.CPU) }},
	{"jobManager.containerMemory", "Memory limit of the JobManager's container.", func(f *Facts) slot { return size(&f.JobManager.ContainerMemory) }},
	{"jobManager.disk.size", "Disk of the JobManager.", func(f *Facts) slot { return size(&f.JobManager.DiskSize) }},
	{"jobManager.disk.kind", "What that disk is.", func(f *Facts) slot { return oneOf(&f.JobManager.DiskKind, DiskKinds) }},
	{"job.api", "What the job is written with.", func(f *Facts) slot { return oneOf(&f.Job.API, APIs) }},
	{"job.type", "Whether the job ends.", func(f *Facts) slot { return oneOf(&f.Job.Type, Types) }},
	{"job.parallelism", "The job's parallelism.", func(f *Facts) slot { return parallelism(&f.Job.Parallelism) }},
	{"job.maxParallelism", "The job's maximum parallelism: the number of key groups.", func(f *Facts) slot { return parallelism(&f.Job.MaxParallelism) }},
	{"job.plan", "Path of a file with what GET /jobs/<id>/plan or flink info prints; replaces vertices and edges.", func(f *Facts) slot { return text(&f.Job.Plan) }},
	{"state.size", "The whole state of the job, as a full checkpoint has it.", func(f *Facts) slot { return size(&f.State.Size) }},
	{"state.changedPerCheckpoint", "What an incremental checkpoint uploads.", func(f *Facts) slot { return size(&f.State.ChangedPerCheckpoint) }},
	{"state.keys", "Number of keys in state.", func(f *Facts) slot { return whole(&f.State.Keys, 0, 0) }},
	{"checkpointStorage.kind", "What checkpoints are written to: s3, gs, abfs, oss, hdfs, nfs.", func(f *Facts) slot { return text(&f.CheckpointStorage.Kind) }},
	{"checkpointStorage.throughput", "Bytes a second that the storage takes from the whole job.", func(f *Facts) slot { return sizeRate(&f.CheckpointStorage.Throughput) }},
	{"checkpointStorage.throughputPerTaskManager", "Bytes a second that one TaskManager writes to it.", func(f *Facts) slot { return sizeRate(&f.CheckpointStorage.ThroughputPerTaskManager) }},
	{"checkpointStorage.requests", "Requests a second that the storage takes.", func(f *Facts) slot { return countRate(&f.CheckpointStorage.Requests) }},
	{"checkpointStorage.readThroughput", "Bytes a second that the job reads from it on recovery.", func(f *Facts) slot { return sizeRate(&f.CheckpointStorage.ReadThroughput) }},
	{"network.roundTrip", "Round trip between two TaskManagers.", func(f *Facts) slot { return duration(&f.Network.RoundTrip) }},
	{"network.bandwidth", "Bandwidth of one TaskManager, in bits (10gbit/s) or bytes (1gb/s).", func(f *Facts) slot { return bitRate(&f.Network.Bandwidth) }},
	{"objectives.latency", "How late a result may be.", func(f *Facts) slot { return duration(&f.Objectives.Latency) }},
	{"objectives.recoveryPoint", "How much work may be repeated after a failure.", func(f *Facts) slot { return duration(&f.Objectives.RecoveryPoint) }},
	{"objectives.recoveryTime", "How long a recovery may take.", func(f *Facts) slot { return duration(&f.Objectives.RecoveryTime) }},
	{"objectives.peakFactor", "Load at peak over the mean load.", func(f *Facts) slot { return positive(&f.Objectives.PeakFactor) }},
}

// Paths of the facts that are no single value.
const (
	versionPath  = "version"
	verticesPath = "job.vertices"
	edgesPath    = "job.edges"
	planPath     = "job.plan"
)

// vertexFields are the facts of one vertex.
var vertexFields = []field[Vertex]{
	{"id", "The name by which edges refer to the vertex.", func(v *Vertex) slot { return text(&v.id) }},
	{"name", "A display name.", func(v *Vertex) slot { return text(&v.name) }},
	{"parallelism", "The vertex's parallelism; the job's where absent.", func(v *Vertex) slot { return parallelism(&v.Parallelism) }},
	{"maxParallelism", "The vertex's maximum parallelism; the job's where absent.", func(v *Vertex) slot { return parallelism(&v.MaxParallelism) }},
	{"slotSharingGroup", "The slot sharing group; default where absent.", func(v *Vertex) slot { return text(&v.SlotSharingGroup) }},
	{"source.kind", "What is read, such as kafka.", func(v *Vertex) slot { return text(&made(&v.Source).Kind) }},
	{"source.partitions", "Partitions, shards or splits that can be read at once.", func(v *Vertex) slot { return count(&made(&v.Source).Partitions) }},
	{"source.guarantee", "The source's guarantee.", func(v *Vertex) slot { return oneOf(&made(&v.Source).Guarantee, Guarantees) }},
	{"sink.kind", "What is written, such as kafka.", func(v *Vertex) slot { return text(&made(&v.Sink).Kind) }},
	{"sink.partitions", "Partitions that are written.", func(v *Vertex) slot { return count(&made(&v.Sink).Partitions) }},
	{"sink.guarantee", "The sink's guarantee.", func(v *Vertex) slot { return oneOf(&made(&v.Sink).Guarantee, Guarantees) }},
	{"sink.transactionTimeout", "How long the sink's transactions may stay open.", func(v *Vertex) slot { return duration(&made(&v.Sink).TransactionTimeout) }},
	{"window.kind", "The kind of window.", func(v *Vertex) slot { return oneOf(&made(&v.Window).Kind, WindowKinds) }},
	{"window.size", "The window's length; the gap of a session window.", func(v *Vertex) slot { return duration(&made(&v.Window).Size) }},
	{"window.slide", "How far a sliding window moves, or the step of a cumulative one.", func(v *Vertex) slot { return duration(&made(&v.Window).Slide) }},
	{"window.distinct", "Whether the window counts distinct values.", func(v *Vertex) slot { return truth(&made(&v.Window).Distinct) }},
	{"keyedStates", "Number of registered keyed states; each is a column family in RocksDB.", func(v *Vertex) slot { return whole(&v.KeyedStates, 0, maxCount) }},
	{"timers", "Whether the vertex registers timers.", func(v *Vertex) slot { return truth(&v.Timers) }},
}

// edgeFields are the facts of one edge.
var edgeFields = []field[Edge]{
	{"from", "The id of the vertex that sends.", func(e *Edge) slot { return text(&e.from) }},
	{"to", "The id of the vertex that receives.", func(e *Edge) slot { return text(&e.to) }},
	{"shipStrategy", "The ship strategy as the web UI prints it.", func(e *Edge) slot { return oneOf(&e.ShipStrategy, ShipStrategies) }},
	{"exchange", "The exchange; follows the job's type where absent.", func(e *Edge) slot { return oneOf(&e.Exchange, Exchanges) }},
	{"rate", "Bytes a second over the whole edge (40mb/s), or records a second (130000/s) with recordSize.", edgeRate},
	{"recordSize", "Bytes of one record on the wire.", func(e *Edge) slot { return size(&e.RecordSize) }},
}

// made is *p, made where it is nil.
func made[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}

// Names are the names of all facts as reports print them: their paths in job.yaml, in the order of the documentation. Facts of
// vertices and edges are "job.vertices.window.size" and the like.
func Names() []string {
	var names []string
	for _, f := range factFields {
		names = append(names, f.path)
		if f.path != planPath {
			continue
		}
		names = append(names, verticesPath)
		for _, v := range vertexFields {
			names = append(names, verticesPath+"."+v.path)
		}
		names = append(names, edgesPath)
		for _, e := range edgeFields {
			names = append(names, edgesPath+"."+e.path)
		}
	}
	return names
}
