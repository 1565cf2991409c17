// Package diagnose takes out of logs what they tell: the Flink version, the settings, memory, parallelism, the course of events, and the traces of known
// failures; then it asks the rules of the advisor about all of it.
//
// Reading is a stream with bounded memory. What is kept of a line is what was recognised, in words of ours: the matched text, a frame, a setting. The rest of a
// line, which may hold names, records or secrets of the user, is never kept.
package diagnose

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Place is a line of a log.
type Place struct {
	// Log is the index of the log in Evidence.Logs.
	Log  int
	Line int
	// Time is zero where the record has none.
	Time time.Time
}

// A Log is one input.
type Log struct {
	Name  string
	Bytes int64
	Lines int
	// First and Last are the times of the first and the last record; zero where there is none.
	First, Last time.Time
	// Process is what wrote it: TaskManager, JobManager, client, or "" where that is not known.
	Process string
}

// A Setting is an option as the log prints it.
type Setting struct {
	Place
	Key, Value string
	// Argument tells that it is an argument of the process: of those that Flink's own scripts and the ResourceManager pass, values are derived ones.
	Argument bool
	// Told tells that nothing of Flink's printed it: it is said in the text around a log, as in a ticket.
	Told bool
}

// A Seen is a value that the log names.
type Seen[T any] struct {
	Place
	V T
}

// A Profile is the resource profile of a slot, in bytes.
type Profile struct {
	CPU                                     float64
	TaskHeap, TaskOffHeap, Managed, Network quantity.Bytes
}

// A Vertex is a task that the log names.
type Vertex struct {
	Place
	// Kind is what is told of its name: the kinds of its operators ("Source -> GlobalWindowAggregate"). Names that people give are not kept.
	Kind        string
	Parallelism int
	Window      *Window
	key         uint64
}

// A Window is the shape of a window, as the planner of Flink SQL prints it.
type Window struct {
	Kind        string
	Size, Slide string
	Distinct    bool
}

// A Checkpoint is what the log tells of one checkpoint.
type Checkpoint struct {
	ID        int64
	Triggered Place
	Ended     Place
	// Outcome is completed, expired, declined or failed; "" while nothing is known.
	Outcome string
	// Size is in bytes and Duration the coordinator's, both of completed checkpoints.
	Size     quantity.Bytes
	Duration time.Duration
}

// A Reason is how often checkpoints failed for one reason, and where first.
type Reason struct {
	Count int
	First Place
}

// A Match is a signature that was found.
type Match struct {
	*Signature
	// Count is how often; First and Last are where.
	Count       int
	First, Last Place
	// Text is the text or frame that was found first, as far as it is the signature's.
	Text string
	// Words are what the first text fills in.
	Words map[string]string
	// Strong tells that the trace can hardly be there by chance.
	Strong bool
}

// An Event is one line of the timeline.
type Event struct {
	Place
	Text string
	// Count is how often it happened from here on, where that is more than once.
	Count int
	// Match is the signature that the event is about, or nil.
	Match *Match
}

// Evidence is everything that was taken out of the logs.
type Evidence struct {
	Logs     []*Log
	Settings []Setting
	// Versions are the Flink versions named, first those of start-up banners; Java likewise.
	Versions []Seen[version.Version]
	Java     []Seen[int]
	// Target and Mode are those of job.yaml's deployment, where an entry point gives them away.
	Target, Mode *Seen[string]
	// Memory holds the tables of final memory sizes, by part ("Total Process Memory"), as the start scripts print them.
	TaskManagerMemory, JobManagerMemory *Seen[map[string]quantity.Bytes]
	Profiles                            []Seen[Profile]
	// SlotIndex is the largest slot index seen; -1 for none.
	SlotIndex Seen[int]
	// NetworkBuffers is the number of buffers and their size, as allocated.
	NetworkBuffers *Seen[[2]int64]
	Vertices       []Vertex
	Checkpoints    []*Checkpoint
	// Reasons are the reasons for which checkpoints failed, in Flink's words.
	Reasons map[string]Reason
	// Restarts counts the job's restarts.
	Restarts int
	Matches  []*Match
	// Cause is the class of the exception that ended the job.
	Cause *Seen[string]
	// Stuck are the innermost frames of the first task that did not stop, the called one first.
	Stuck []Seen[string]

	events  []Event
	lines   [](map[int]string)
	files   []*source.File
	logs    []*log
	byID    map[checkpointKey]*Checkpoint
	matched map[*Signature]*Match
}

type checkpointKey struct {
	job uint64
	id  int64
}

// Limits of what is kept.
const (
	maxSettings    = 5000
	maxVertices    = 500
	maxCheckpoints = 20000
	maxEvents      = 400
	maxProfiles    = 16
	maxVersions    = 16
)

// NewEvidence is evidence without any log.
func NewEvidence() *Evidence {
	return &Evidence{SlotIndex: Seen[int]{V: -1}, byID: map[checkpointKey]*Checkpoint{}, matched: map[*Signature]*Match{}, Reasons: map[string]Reason{}}
}

// log is the state of reading one log.
type log struct {
	*Log
	evidence *Evidence
	index    int
	// listing is the list of the banner that is being read: options, arguments or a memory table.
	listing string
	table   map[string]quantity.Bytes
	dynamic bool
	jar     bool
	// passed are the last lines of the texts that extraction looks for.
	passed map[string]int
	// profiled is the resource profile that was read last, as printed.
	profiled string
}

func (e *Evidence) open(name string) *log {
	l := &log{Log: &Log{Name: name}, evidence: e, index: len(e.Logs), passed: map[string]int{}}
	e.Logs = append(e.Logs, l.Log)
	e.lines = append(e.lines, map[int]string{})
	e.logs = append(e.logs, l)
	return l
}

func (l *log) finish() {}

// knows tells that a text that stands on every frame of every stack has told all it can: the version of the jar, or of Java.
func (l *log) knows(text string) bool {
	return text == distJar && l.jar || text == javaFrame && len(l.evidence.Java) > 0
}

func (l *log) place(r *record, i int) Place {
	return Place{l.index, r.lines[i].number, r.time}
}

// keep keeps the text of a line, in words of ours. A line that tells several things keeps them one after the other.
func (l *log) keep(p Place, text string) {
	lines := l.evidence.lines[l.index]
	switch old, ok := lines[p.Line]; {
	case !ok && len(lines) < maxSettings+maxEvents:
		lines[p.Line] = text
	case ok && !strings.Contains(old, text) && len(old) < maxKept:
		lines[p.Line] = old + "; " + text
	}
}

// maxKept is how long the text of a line grows.
const maxKept = 400

func (l *log) event(p Place, text string, m *Match) {
	if len(l.evidence.events) < maxEvents {
		l.evidence.events = append(l.evidence.events, Event{Place: p, Text: text, Match: m})
		l.keep(p, text)
	}
}

// file is the excerpt of a log: the lines that were kept.
func (e *Evidence) file(i int) *source.File {
	if e.files == nil {
		e.files = make([]*source.File, len(e.Logs))
	}
	if e.files[i] == nil {
		lines := make([]source.NumberedLine, 0, len(e.lines[i]))
		for n, text := range e.lines[i] {
			lines = append(lines, source.NumberedLine{Number: n, Text: text})
		}
		slices.SortFunc(lines, func(a, b source.NumberedLine) int { return cmp.Compare(a.Number, b.Number) })
		e.files[i] = source.NewExcerpt(e.Logs[i].Name, lines)
	}
	return e.files[i]
}

// Span is the place as a span of the excerpt of its log.
func (e *Evidence) Span(p Place) source.Span {
	if p.Line == 0 {
		return source.Span{}
	}
	f := e.file(p.Log)
	text, start := f.Line(p.Line)
	if text == nil {
		return source.Span{}
	}
	return f.Span(start, start+len(text))
}

// before orders places: by time where both have one, else by log and line.
func before(a, b Place) int {
	if !a.Time.IsZero() && !b.Time.IsZero() {
		if c := a.Time.Compare(b.Time); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.Log, b.Log), cmp.Compare(a.Line, b.Line))
}

// Match finds a signature among those that were found; nil when it was not.
func (e *Evidence) Match(id string) *Match {
	for _, m := range e.Matches {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// String is "taskmanager.log:12".
func (e *Evidence) String(p Place) string {
	if p.Line == 0 {
		return ""
	}
	return source.Span{File: &source.File{Path: e.Logs[p.Log].Name}, Line: p.Line}.String()
}
