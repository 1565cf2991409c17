package diagnose

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Level is a log level; the zero Level is unknown, as for lines that belong to no record.
type Level int

// Levels.
const (
	Info Level = iota + 1
	Warn
	Error
)

// header is the head of a record: what precedes its message.
type header struct {
	time   time.Time
	level  Level
	logger string
	// message is where the message begins.
	message int
}

// parseHeader reads the head of a line in the patterns that Flink's distributions have used for log4j and logback:
//
//	2021-12-05 07:22:05,369 WARN  org.apache.flink.runtime.taskmanager.Task                    [] - message
//	2021-12-05 07:22:05.369 [main] WARN  o.a.f.r.taskmanager.Task  - message
//
// A "T" between date and time and a zone behind it are taken too.
func parseHeader(line []byte) (h header, ok bool) {
	at, rest, ok := parseTime(line)
	if !ok {
		return h, false
	}
	h.time = at
	pos := len(line) - len(rest)
	skip := func() {
		for pos < len(line) && line[pos] == ' ' {
			pos++
		}
	}
	skip()
	if pos < len(line) && line[pos] == '[' { // the thread
		if i := bytes.IndexByte(line[pos:], ']'); i >= 0 {
			pos += i + 1
			skip()
		}
	}
	end := pos
	for end < len(line) && line[end] >= 'A' && line[end] <= 'Z' {
		end++
	}
	if h.level = levelOf(string(line[pos:end])); h.level == 0 {
		return h, false
	}
	pos = end
	skip()
	end = pos
	for end < len(line) && line[end] != ' ' {
		end++
	}
	h.logger = string(line[pos:end])
	h.message = end
	if i := bytes.Index(line[end:], []byte("- ")); i >= 0 && i < maxContext {
		h.message = end + i + 2
	}
	return h, true
}

// maxContext bounds what may stand between logger and message: padding and the diagnostic context.
const maxContext = 300

func levelOf(name string) Level {
	switch name {
	case "TRACE", "DEBUG", "INFO":
		return Info
	case "WARN", "WARNING":
		return Warn
	case "ERROR", "FATAL", "SEVERE":
		return Error
	}
	return 0
}

// parseTime reads "2021-12-05 07:22:05,369" and gives what follows. Times without a zone are taken as UTC: only their order and distance matter.
func parseTime(line []byte) (t time.Time, rest []byte, ok bool) {
	const layout = "dddd-dd-dd dd:dd:dd"
	if len(line) < len(layout) {
		return t, nil, false
	}
	for i := range len(layout) {
		switch c := line[i]; layout[i] {
		case 'd':
			if c < '0' || c > '9' {
				return t, nil, false
			}
		case ' ':
			if c != ' ' && c != 'T' {
				return t, nil, false
			}
		default:
			if c != layout[i] {
				return t, nil, false
			}
		}
	}
	n := func(from, to int) int {
		v := 0
		for _, c := range line[from:to] {
			v = 10*v + int(c-'0')
		}
		return v
	}
	rest = line[len(layout):]
	nanos, unit := 0, int(time.Second)
	if len(rest) > 1 && (rest[0] == ',' || rest[0] == '.') {
		rest = rest[1:]
		for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
			unit /= 10
			nanos += int(rest[0]-'0') * unit
			rest = rest[1:]
		}
	}
	t = time.Date(n(0, 4), time.Month(n(5, 7)), n(8, 10), n(11, 13), n(14, 16), n(17, 19), nanos, time.UTC)
	switch {
	case len(rest) > 0 && rest[0] == 'Z':
		rest = rest[1:]
	case len(rest) > 5 && (rest[0] == '+' || rest[0] == '-'):
		zone := strings.ReplaceAll(string(rest[1:min(6, len(rest))]), ":", "")
		if minutes, err := strconv.Atoi(zone[:min(4, len(zone))]); err == nil {
			shift := time.Duration(minutes/100*60+minutes%100) * time.Minute
			if rest[0] == '+' {
				shift = -shift
			}
			t = t.Add(shift)
			rest = rest[1+len(zone):]
			if len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
				rest = rest[1:]
			}
		}
	}
	return t, rest, true
}

// dockerLine begins a line of Docker's json-file.
var dockerLine = []byte(`{"log":"`)

// unwrapped strips what container runtimes put around each line: "taskmanager_1  | line", "2021-12-05T07:22:05.369Z stdout F line" and
// {"log":"line\n", …}.
func unwrapped(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if bytes.HasPrefix(line, dockerLine) {
		var docker struct{ Log string }
		if json.Unmarshal(line, &docker) == nil {
			return []byte(strings.TrimRight(docker.Log, "\r\n"))
		}
	}
	if _, rest, ok := parseTime(line); ok {
		for _, stream := range []string{" stdout ", " stderr "} {
			if len(rest) > len(stream)+2 && string(rest[:len(stream)]) == stream {
				return rest[len(stream)+2:]
			}
		}
		return line
	}
	if len(line) > 0 && line[0] != ' ' && line[0] != '\t' {
		if i := bytes.Index(line[:min(len(line), maxPrefix)], []byte(" | ")); i > 0 && !bytes.ContainsAny(line[:i], "([{:") {
			return line[i+3:]
		}
	}
	return line
}

// maxPrefix is the longest name of a container that is looked for before a line.
const maxPrefix = 64

// A record is one message with all its lines.
type record struct {
	header
	// json tells that the record is one line of JSON.
	json  bool
	lines []recordLine
}

type recordLine struct {
	text   string
	number int
}

// Names under which layouts of log4j, logback and shippers carry the parts of a record; see parseJSON.
var (
	jsonTimes    = []string{"@timestamp", "timestamp", "time", "timeMillis", "instant", "ts"}
	jsonLevels   = []string{"log.level", "level", "severity", "levelname"}
	jsonLoggers  = []string{"log.logger", "logger_name", "loggerName", "logger", "_logger", "class"}
	jsonMessages = []string{"message", "msg", "short_message"}
	jsonStacks   = []string{"error.stack_trace", "stack_trace", "exception.stacktrace", "stacktrace", "full_message", "thrown.extendedStackTrace", "thrown.stackTrace", "error.message", "exception"}
)

// maxJSONDepth is how deep names are joined with points: {"error": {"stack_trace": …}} is error.stack_trace.
const maxJSONDepth = 3

// parseJSON reads one line of JSON: the layouts of log4j (JsonTemplateLayout with its event, ECS and GELF templates, JsonLayout), logback's
// Logstash encoder.
func parseJSON(line []byte, number int) (*record, bool) {
	var object map[string]any
	if json.Unmarshal(line, &object) != nil {
		return nil, false
	}
	fields := map[string]string{}
	flatten(object, "", 0, fields)
	first := func(names []string) string {
		for _, n := range names {
			if v := fields[n]; v != "" {
				return v
			}
		}
		return ""
	}
	r := &record{json: true}
	message := first(jsonMessages)
	r.level, r.logger = levelOf(strings.ToUpper(first(jsonLevels))), first(jsonLoggers)
	r.time = jsonTime(fields)
	for _, text := range []string{message, first(jsonStacks)} {
		for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			if l != "" || text == message {
				r.lines = append(r.lines, recordLine{l, number})
			}
		}
	}
	return r, len(r.lines) > 0
}

func flatten(object map[string]any, prefix string, depth int, into map[string]string) {
	for k, v := range object {
		switch v := v.(type) {
		case string:
			into[prefix+k] = v
		case float64:
			into[prefix+k] = strconv.FormatFloat(v, 'f', -1, 64)
		case map[string]any:
			if depth < maxJSONDepth {
				flatten(v, prefix+k+".", depth+1, into)
			}
		case []any: // an array of frames
			var b strings.Builder
			for _, x := range v {
				if f, ok := x.(map[string]any); ok {
					class, _ := f["class"].(string)
					method, _ := f["method"].(string)
					b.WriteString("\tat " + class + "." + method + "(Unknown Source)\n")
				}
			}
			into[prefix+k] = b.String()
		}
	}
}

func jsonTime(fields map[string]string) time.Time {
	if s := fields["instant.epochSecond"]; s != "" {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			nanos, _ := strconv.ParseInt(fields["instant.nanoOfSecond"], 10, 64)
			return time.Unix(n, nanos).UTC()
		}
	}
	for _, name := range jsonTimes {
		v := fields[name]
		if t, _, ok := parseTime([]byte(v)); ok {
			return t
		}
		if n, err := strconv.ParseFloat(v, 64); err == nil && n > 0 {
			if n > 1e11 { // milliseconds
				n /= 1000
			}
			return time.UnixMilli(int64(n * 1000)).UTC()
		}
	}
	return time.Time{}
}

// isFrame tells whether a line of a stack is a frame: "at Class.method(File.java:1)", with or without "at".
func isFrame(text string) bool {
	text = strings.TrimLeft(text, " \t")
	if rest, ok := strings.CutPrefix(text, "at "); ok {
		return strings.IndexByte(rest, '(') > 0
	}
	open := strings.IndexByte(text, '(')
	return open > 0 && !strings.ContainsAny(text[:open], " :,=") && strings.Count(text[:open], ".") > 1 && strings.IndexByte(text[open:], ')') > 0
}

// frameText is a frame without its jar: "LocalBufferPool.recycle(LocalBufferPool.java:460)", package left out.
func frameText(text string) string {
	text = strings.TrimPrefix(strings.TrimLeft(text, " \t"), "at ")
	if i := strings.IndexByte(text, ')'); i >= 0 {
		text = text[:i+1]
	}
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return text
	}
	name, place := text[:open], text[open:]
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		if j := strings.LastIndexByte(name[:i], '.'); j >= 0 {
			name = name[j+1:]
		}
	}
	return name + place
}

// synthetic tells frames that the compiler or the JVM puts between those of the source: they differ between Java versions.
func synthetic(text string) bool {
	return slices.ContainsFunc([]string{"$$Lambda", ".lambda$", "java.lang.reflect.", "jdk.internal.reflect.", "sun.reflect."}, func(s string) bool { return strings.Contains(text, s) })
}

// timeOf is the time of the record that the line begins; zero when it begins none.
func timeOf(line []byte) time.Time {
	line = unwrapped(line)
	if h, ok := parseHeader(line); ok {
		return h.time
	}
	if bytes.HasPrefix(line, []byte("{")) {
		if r, ok := parseJSON(line, 0); ok {
			return r.time
		}
	}
	return time.Time{}
}
