package diagnose

import (
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Texts that extraction looks for. A line with one of them is looked at closely.
const (
	loading        = "Loading configuration property: "
	loadingDynamic = "Loading dynamic configuration property: "
	banner         = "(Version: "
	jvm            = "64-Bit Server VM"
	jvmOptions     = "JVM Options:"
	arguments      = "Program Arguments:"
	tableTM        = "Final TaskExecutor Memory configuration"
	tableJM        = "Final Master Memory configuration"
	profileText    = "ResourceProfile{"
	distJar        = "flink-dist"
	triggering     = "Triggering checkpoint "
	completed      = "Completed checkpoint "
	checkpointOf   = " expired before completing"
	declined       = "Decline checkpoint "
	decliningTask  = "Declining checkpoint "
	failedToDo     = "Failed to trigger or complete checkpoint "
	failedFor      = "checkpoint.CheckpointException: "
	switched       = " switched from "
	segments       = "(number of memory segments: "
	slotIndex      = "TaskSlot(index:"
	signal         = "RECEIVED SIGNAL "
	exceptionCause = "Caused by: "
	javaFrame      = "[?:1.8.0_"
	timeoutTold    = "heckpoint timeout"
	timeoutTold2   = "heckpointing timeout"
	timeoutToldZh  = "检查点超时"
)

// extracted lists them for the filter.
var extracted = []string{
	loading, loadingDynamic, banner, jvmOptions, arguments, tableTM, tableJM, profileText, distJar, triggering, completed, checkpointOf, declined,
	failedToDo, failedFor, switched, segments, slotIndex, signal, "Pulling image", "Container image", jvm, javaFrame,
	timeoutTold, timeoutTold2, timeoutToldZh,
}

// look looks at line i of a record, on which these texts stand, and says how many of the next lines it wants to see in any case.
func (l *log) look(r *record, i int, texts []entry) (follow int) {
	text := r.lines[i].text
	if l.listing != "" {
		if follow, ok := l.list(r, i); ok {
			return follow
		}
	}
	for _, t := range texts {
		for _, p := range t.patterns {
			l.match(r, i, p)
		}
		if n := l.extract(r, i, t.text, text); n > follow {
			follow = n
		}
	}
	return follow
}

func (l *log) extract(r *record, i int, what, text string) (follow int) {
	if place := l.place(r, i); l.passed[what] < place.Line {
		l.passed[what] = place.Line
	}
	switch what {
	case loading, loadingDynamic:
		l.setting(r, i, text, what)
	case banner:
		l.banner(r, i, text)
	case jvm:
		if rest, ok := strings.CutPrefix(strings.TrimSpace(text), "JVM: "); ok {
			if j := strings.LastIndexByte(rest, '/'); j >= 0 {
				l.java(r, i, rest[j+1:])
			}
		}
	case javaFrame:
		if isFrame(text) && len(l.evidence.Java) == 0 {
			p := l.place(r, i)
			l.keep(p, frameText(text)+" "+javaFrame+"...]")
			l.evidence.Java = []Seen[int]{{p, 8}}
		}
	case jvmOptions, arguments:
		if strings.TrimSpace(text) == what {
			l.listing, l.dynamic = what, false
			return maxFollowed
		}
	case tableTM, tableJM:
		l.listing, l.table = what, map[string]quantity.Bytes{}
		l.keep(l.place(r, i), what)
		return 2
	case distJar, "Pulling image", "Container image":
		l.jarOrImage(r, i, text)
	case profileText:
		l.profile(r, i, text)
	case slotIndex:
		if n, ok := numberBehind(text, slotIndex); ok && int(n) > l.evidence.SlotIndex.V {
			l.evidence.SlotIndex = Seen[int]{l.place(r, i), int(n)}
		}
	case segments:
		n, ok := numberBehind(text, segments)
		size, ok2 := numberBehind(text, "bytes per segment: ")
		if ok && ok2 && l.evidence.NetworkBuffers == nil {
			p := l.place(r, i)
			l.keep(p, "Allocated network buffer pool (number of memory segments: "+strconv.FormatInt(n, 10)+", bytes per segment: "+strconv.FormatInt(size, 10)+")")
			l.evidence.NetworkBuffers = &Seen[[2]int64]{p, [2]int64{n, size}}
		}
	case triggering, completed, checkpointOf, declined, failedToDo:
		l.checkpoint(r, i, what, text)
	case failedFor:
		l.reason(r, i, text)
	case timeoutTold, timeoutTold2, timeoutToldZh:
		if i > 0 || r.level == 0 {
			l.told(r, i, text)
		}
	case switched:
		l.switched(r, i, text)
		if l.listing == failure {
			return maxRecordLines
		}
	case signal:
		if n, ok := numberBehind(text, signal); ok {
			l.event(l.place(r, i), l.who()+" was told to stop (signal "+strconv.FormatInt(n, 10)+")", nil)
		}
	}
	return follow
}

// list reads the next line of a list in the banner; ok is false behind its end.
func (l *log) list(r *record, i int) (follow int, ok bool) {
	text := r.lines[i].text
	switch l.listing {
	case jvmOptions, arguments:
		item, indented := strings.CutPrefix(text, "    ")
		if !indented || item == "" {
			l.listing = ""
			return 0, false
		}
		item = strings.TrimSpace(item)
		if l.listing == arguments {
			l.argument(r, i, item)
		}
		return maxFollowed, true
	case stuck:
		if !isFrame(text) || len(l.evidence.Stuck) >= stuckFrames {
			l.listing = ""
			return 0, false
		}
		p := l.place(r, i)
		l.keep(p, "at "+frameText(text))
		l.evidence.Stuck = append(l.evidence.Stuck, Seen[string]{p, frameText(text)})
		return stuckFrames, false
	case failure:
		if i == 0 && r.level != 0 || !l.failure(r, i) {
			l.listing = ""
			return 0, false
		}
		return maxRecordLines, false
	case tableTM, tableJM:
		if l.row(text) {
			return 2, true
		}
		p := l.place(r, i)
		seen := &Seen[map[string]quantity.Bytes]{p, l.table}
		if l.listing == tableTM && l.evidence.TaskManagerMemory == nil {
			l.evidence.TaskManagerMemory = seen
		} else if l.listing == tableJM && l.evidence.JobManagerMemory == nil {
			l.evidence.JobManagerMemory = seen
		}
		l.listing = ""
		return 0, false
	}
	return 0, false
}

// stuck is the listing of the innermost frames of a task that does not stop, of which the first few are taken.
const (
	stuck       = "stuck"
	stuckFrames = 3
)

// failure is the listing of the exception that ended the job.
const failure = "failure"

// failure reads a line of the exception that ended the job: the class of its deepest cause is kept, its message is not. It tells whether the exception goes on.
func (l *log) failure(r *record, i int) bool {
	text := r.lines[i].text
	class, deeper := strings.CutPrefix(text, exceptionCause)
	for { // an exception that was sent between processes carries its class as text
		rest, ok := strings.CutPrefix(class, "org.apache.flink.util.SerializedThrowable: ")
		if !ok {
			break
		}
		class = rest
	}
	class = wordAt(class)
	if deeper || strings.HasSuffix(class, "Exception") || strings.HasSuffix(class, "Error") {
		p := l.place(r, i)
		l.keep(p, exceptionCause+class)
		l.evidence.Cause = &Seen[string]{p, class}
		return true
	}
	return isFrame(text) || strings.HasPrefix(strings.TrimSpace(text), "...") || strings.TrimSpace(text) == ""
}

// memoryRows are the rows of the tables of final memory sizes, by indentation and name.
var memoryRows = []struct {
	indent int
	name   string
	part   string
}{
	{2, "Total Process Memory:", "process"}, {4, "Total Flink Memory:", "flink"}, {6, "Total JVM Heap Memory:", "heap"}, {8, "Framework:", "frameworkHeap"},
	{8, "Task:", "taskHeap"}, {6, "Total Off-heap Memory:", "offHeap"}, {8, "Managed:", "managed"}, {8, "Total JVM Direct Memory:", "direct"},
	{10, "Framework:", "frameworkOffHeap"}, {10, "Task:", "taskOffHeap"}, {10, "Network:", "network"}, {4, "JVM Metaspace:", "metaspace"}, {4, "JVM Overhead:", "overhead"},
	{6, "JVM Heap:", "heap"}, {6, "Off-heap:", "offHeap"},
}

// row reads a row of a memory table: "INFO  [] -   Total Process Memory: 1.688gb (1811939328 bytes)".
func (l *log) row(text string) bool {
	if _, rest, ok := strings.Cut(text, "] - "); ok && strings.HasPrefix(text, "INFO") {
		text = rest
	}
	name := strings.TrimLeft(text, " ")
	indent := len(text) - len(name)
	for _, row := range memoryRows {
		if rest, ok := strings.CutPrefix(name, row.name); ok && indent == row.indent {
			if size, ok := bytesOf(rest); ok {
				l.table[row.part] = size
				return true
			}
		}
	}
	return false
}

// bytesOf reads a size as MemorySize.toHumanReadableString prints it: "0 bytes" or "1.688gb (1811939328 bytes)".
func bytesOf(text string) (quantity.Bytes, bool) {
	text, _, ok := strings.Cut(text, " bytes")
	if !ok {
		return 0, false
	}
	if i := strings.IndexByte(text, '('); i >= 0 {
		text = text[i+1:]
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return quantity.Bytes(n), err == nil && n >= 0
}

func numberBehind(text, name string) (int64, bool) {
	i := strings.Index(text, name)
	if i < 0 {
		return 0, false
	}
	text = text[i+len(name):]
	end := 0
	for end < len(text) && end < 18 && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(text[:end], 10, 64)
	return n, err == nil
}

// mask is what Flink itself prints for a hidden value.
const mask = "******"

var credentials = regexp.MustCompile(`://[^/@\s]+@`)

// harmless hides what must not be shown of a value: those of sensitive options, and credentials in addresses.
func harmless(key, value string) string {
	if option.Sensitive(key) && value != "" {
		return mask
	}
	return hideArguments(credentials.ReplaceAllString(value, "://"+mask+"@"))
}

var sensitiveArgument = regexp.MustCompile(`-D([^=\s]+)=(\S+)`)

// hideArguments hides the values of sensitive system properties inside a value, such as env.java.opts.
func hideArguments(value string) string {
	if !strings.Contains(value, "-D") {
		return value
	}
	return sensitiveArgument.ReplaceAllStringFunc(value, func(s string) string {
		if name, _, _ := strings.Cut(s[2:], "="); option.Sensitive(name) {
			return "-D" + name + "=" + mask
		}
		return s
	})
}

// maxValue is the longest value of an option that is kept.
const maxValue = 4096

func (l *log) setting(r *record, i int, text, what string) {
	_, rest, _ := strings.Cut(text, what)
	key, value, ok := strings.Cut(rest, ", ")
	if !ok {
		key, value = strings.TrimSuffix(rest, ","), ""
	}
	l.set(l.place(r, i), strings.TrimSpace(key), value, what == loadingDynamic)
}

// timeoutInProse are the ways in which people write the checkpoint timeout beside a log that they paste: as what it is. A wish ("set the checkpoint timeout
// to an hour") is none of them.
var timeoutInProse = []*regexp.Regexp{
	regexp.MustCompile(`(?i)checkpoint(?:ing)? timeout(?: (?:is|was|of|is set to|was set to))?[ :=]+(\d{1,9})[ -]?(ms|millis|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b`),
	regexp.MustCompile(`(?i)\b(\d{1,9})[ -]?(ms|millis|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?) checkpoint(?:ing)? timeout`),
	regexp.MustCompile(`检查点超时(?:时间)?(?:设置)?(?:为|是|：|:)\s*(\d{1,9})\s*(毫秒|秒|分钟|小时)`),
}

// told reads what is said of the checkpoint timeout in the text around a log.
func (l *log) told(r *record, i int, text string) {
	for _, x := range timeoutInProse {
		m := x.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		unit := strings.ToLower(m[2])
		switch {
		case strings.HasPrefix(unit, "ms"), strings.HasPrefix(unit, "milli"), unit == "毫秒":
			unit = "ms"
		case unit[0] == 's', unit == "秒":
			unit = "s"
		case unit[0] == 'm', unit == "分钟":
			unit = "min"
		default:
			unit = "h"
		}
		n := len(l.evidence.Settings)
		l.set(l.place(r, i), "execution.checkpointing.timeout", m[1]+" "+unit, false)
		if len(l.evidence.Settings) > n {
			l.evidence.Settings[n].Told = true
		}
		return
	}
}

func (l *log) set(p Place, key, value string, argument bool) {
	if key == "" || strings.ContainsAny(key, " \t") || len(value) > maxValue || len(l.evidence.Settings) >= maxSettings {
		return
	}
	value = harmless(key, value)
	l.keep(p, key+": "+value)
	if m := versionInImage.FindStringSubmatch(" " + value); m != nil && strings.HasPrefix(key, "kubernetes.container.image") {
		if v, err := version.Parse(m[1]); err == nil {
			l.version(p, v, false)
		}
	}
	l.evidence.Settings = append(l.evidence.Settings, Setting{Place: p, Key: key, Value: value, Argument: argument})
}

// argument reads one argument of the process: "-D", then "key=value", or both in one. Others are of no concern here.
func (l *log) argument(r *record, i int, item string) {
	if item == "-D" || item == "-yD" {
		l.dynamic = true
		return
	}
	rest, prefixed := strings.CutPrefix(item, "-D")
	if l.dynamic || prefixed {
		if key, value, ok := strings.Cut(rest, "="); ok {
			l.set(l.place(r, i), key, value, true)
		}
	}
	l.dynamic = false
}

var versionInBanner = regexp.MustCompile(`Starting (\S.*) \(Version: ([0-9][0-9A-Za-z._-]*)`)

// entryPoints tell the process and the deployment by what the banner calls the process.
var entryPoints = []struct{ name, process, target, mode string }{
	{"KubernetesApplicationClusterEntrypoint", jobManager, "kubernetes-native", "application"},
	{"KubernetesSessionClusterEntrypoint", jobManager, "kubernetes-native", "session"},
	{"Kubernetes TaskExecutor runner", taskManager, "kubernetes-native", ""},
	{"YarnApplicationClusterEntryPoint", jobManager, "yarn", "application"},
	{"YarnSessionClusterEntrypoint", jobManager, "yarn", "session"},
	{"YarnJobClusterEntrypoint", jobManager, "yarn", "per-job"},
	{"YARN TaskExecutor runner", taskManager, "yarn", ""},
	{"StandaloneApplicationClusterEntryPoint", jobManager, "standalone", "application"},
	{"StandaloneSessionClusterEntrypoint", jobManager, "standalone", "session"},
	{"TaskManager", taskManager, "", ""},
	{"Command Line Client", client, "", ""},
}

// Processes as they are called in reports.
const (
	taskManager = "TaskManager"
	jobManager  = "JobManager"
	client      = "client"
)

func (l *log) banner(r *record, i int, text string) {
	m := versionInBanner.FindStringSubmatch(text)
	if m == nil {
		return
	}
	v, err := version.Parse(m[2])
	if err != nil {
		return
	}
	p := l.place(r, i)
	for _, e := range entryPoints {
		if !strings.Contains(m[1], e.name) {
			continue
		}
		l.Process = e.process
		if e.target != "" && l.evidence.Target == nil {
			l.evidence.Target = &Seen[string]{p, e.target}
		}
		if e.mode != "" && l.evidence.Mode == nil {
			l.evidence.Mode = &Seen[string]{p, e.mode}
		}
		break
	}
	l.event(p, l.who()+" started (Version: "+v.String()+")", nil)
	l.version(p, v, true)
}

// who is the process for a sentence.
func (l *log) who() string {
	if l.Process == "" {
		return "the process"
	}
	return l.Process
}

func (l *log) version(p Place, v version.Version, first bool) {
	seen := Seen[version.Version]{p, v}
	list := l.evidence.Versions
	i := slices.IndexFunc(list, func(s Seen[version.Version]) bool { return s.V == v })
	switch {
	case i < 0 && len(list) < maxVersions && first:
		l.evidence.Versions = append([]Seen[version.Version]{seen}, list...)
	case i < 0 && len(list) < maxVersions:
		l.evidence.Versions = append(l.evidence.Versions, seen)
	}
}

var (
	versionInJar   = regexp.MustCompile(`flink-dist(?:_[0-9.]+)?-([0-9][0-9A-Za-z._-]*?)\.jar`)
	versionInImage = regexp.MustCompile(`[ "'/]flink:([0-9]+\.[0-9]+(?:\.[0-9]+)?)[^ "'/]*`)
)

func (l *log) jarOrImage(r *record, i int, text string) {
	p := l.place(r, i)
	for _, re := range []*regexp.Regexp{versionInJar, versionInImage} {
		m := re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		v, err := version.Parse(m[1])
		if err != nil {
			continue
		}
		l.jar = l.jar || re == versionInJar
		if isFrame(text) {
			l.keep(p, frameText(text)+" ["+strings.TrimLeft(m[0], ` "'/`)+"]")
		} else {
			l.keep(p, strings.TrimLeft(m[0], ` "'/`))
		}
		l.version(p, v, false)
	}
}

func (l *log) java(r *record, i int, text string) {
	feature, _, _ := strings.Cut(strings.TrimPrefix(text, "1."), ".")
	feature, _, _ = strings.Cut(feature, "+")
	n, err := strconv.Atoi(strings.TrimSpace(feature))
	if err == nil && n >= 7 && n < 100 && len(l.evidence.Java) < maxVersions {
		p := l.place(r, i)
		l.keep(p, "JVM: "+strconv.Itoa(n))
		l.evidence.Java = append(l.evidence.Java, Seen[int]{p, n})
	}
}

var profileParts = regexp.MustCompile(`ResourceProfile\{cpuCores=([0-9.E+-]+), taskHeapMemory=([^,}]*), taskOffHeapMemory=([^,}]*), managedMemory=([^,}]*), networkMemory=([^,}]*)`)

func (l *log) profile(r *record, i int, text string) {
	if at := strings.Index(text, profileText); l.sameProfile(text[at:]) {
		return
	}
	for _, m := range profileParts.FindAllStringSubmatch(text, -1) {
		cpu, err := strconv.ParseFloat(m[1], 64)
		var sizes [4]quantity.Bytes
		ok := err == nil
		for k := range sizes {
			var good bool
			sizes[k], good = bytesOf(m[2+k])
			ok = ok && good
		}
		v := Profile{cpu, sizes[0], sizes[1], sizes[2], sizes[3]}
		known := slices.ContainsFunc(l.evidence.Profiles, func(s Seen[Profile]) bool { return s.V == v })
		if ok && !known && len(l.evidence.Profiles) < maxProfiles {
			p := l.place(r, i)
			l.keep(p, m[0]+"}")
			l.evidence.Profiles = append(l.evidence.Profiles, Seen[Profile]{p, v})
		}
	}
}

// sameProfile tells that a text begins with the profile that was read last and names no other: slots of a TaskManager are all alike, and told of again and again.
func (l *log) sameProfile(text string) bool {
	end := strings.IndexByte(text, '}') + 1
	if end == 0 || strings.Contains(text[end:], profileText) {
		return false
	}
	same := text[:end] == l.profiled
	l.profiled = text[:end]
	return same
}

var (
	checkpointNumber = regexp.MustCompile(`[Cc]heckpoint (\d+)\b`)
	checkpointJob    = regexp.MustCompile(`(?:for|of) job ([0-9a-f]{32})`)
	checkpointSize   = regexp.MustCompile(`\((\d+) bytes`)
	checkpointTime   = regexp.MustCompile(`(?:checkpointDuration=|in )(\d+) ms`)
)

// checkpoint reads the lines of the CheckpointCoordinator:
//
//	Triggering checkpoint 5 (type=CHECKPOINT) @ 1638688805000 for job a5ed….
//	Completed checkpoint 5 for job a5ed… (35821 bytes in 202 ms).                                        up to 1.13
//	Completed checkpoint 5 for job a5ed… (35821 bytes, checkpointDuration=202 ms, finalizationTime=9 ms). from 1.14 on
//	Checkpoint 5 of job a5ed… expired before completing.
//	Decline checkpoint 5 by task … of job a5ed… at ….
//	Failed to trigger or complete checkpoint 5 for job a5ed…. (0 consecutive failed attempts so far)
func (l *log) checkpoint(r *record, i int, what, text string) {
	m := checkpointNumber.FindStringSubmatch(text)
	if m == nil {
		return
	}
	e := l.evidence
	key := checkpointKey{}
	key.id, _ = strconv.ParseInt(m[1], 10, 64)
	if j := checkpointJob.FindStringSubmatch(text); j != nil {
		key.job = hashOf(j[1])
	}
	c := e.byID[key]
	if c == nil {
		if len(e.Checkpoints) >= maxCheckpoints {
			return
		}
		c = &Checkpoint{ID: key.id}
		e.byID[key] = c
		e.Checkpoints = append(e.Checkpoints, c)
	}
	p := l.place(r, i)
	switch what {
	case triggering:
		c.Triggered = p
		return
	case completed:
		c.Outcome, c.Ended = "completed", p
		if s := checkpointSize.FindStringSubmatch(text); s != nil {
			n, _ := strconv.ParseInt(s[1], 10, 64)
			c.Size = quantity.Bytes(n)
		}
		if d := checkpointTime.FindStringSubmatch(text); d != nil {
			n, _ := strconv.ParseInt(d[1], 10, 64)
			c.Duration = time.Duration(n) * time.Millisecond
		}
		return
	case checkpointOf:
		c.Outcome, c.Ended = "expired", p
		return
	case declined:
		if c.Outcome == "" {
			c.Outcome, c.Ended = "declined", p
		}
	case failedToDo:
		if c.Outcome == "" {
			c.Outcome, c.Ended = "failed", p
		}
		return
	}
	l.keep(p, "checkpoint "+m[1]+" "+c.Outcome)
}

// reasons are the reasons for which checkpoints fail (CheckpointFailureReason), as their texts begin; anything else is not told.
var reasons = []string{
	"The maximum number of queued checkpoint requests exceeded", "The minimum time between checkpoints is still pending", "Not all required tasks are currently running",
	"An Exception occurred while triggering the checkpoint", "Asynchronous task checkpoint failed", "The checkpoint was aborted due to exception of other subtasks",
	"Checkpoint expired before completing", "Checkpoint has been subsumed", "Checkpoint was declined (tasks not ready)", "Checkpoint was declined (task is closing)",
	"Checkpoint was declined because one input stream is finished", "Checkpoint was declined", "Checkpoint was canceled because a barrier from newer checkpoint was received",
	"Task received cancellation from one of its inputs", "CheckpointCoordinator shutdown", "Checkpoint Coordinator is suspending", "FailoverRegion is restarting",
	"Task has failed", "Task local checkpoint failure", "Failure to finalize checkpoint", "Trigger checkpoint failure",
}

// reason counts the reason for which a checkpoint failed, once for each record.
func (l *log) reason(r *record, i int, text string) {
	_, rest, _ := strings.Cut(text, failedFor)
	for _, known := range reasons {
		if !strings.HasPrefix(rest, known) {
			continue
		}
		for j := range i {
			if strings.Contains(r.lines[j].text, failedFor+known) {
				return
			}
		}
		if l.evidence.Reasons[known].Count == 0 {
			l.evidence.Reasons[known] = Reason{First: l.place(r, i)}
		}
		l.evidence.Reasons[known] = Reason{l.evidence.Reasons[known].Count + 1, l.evidence.Reasons[known].First}
		return
	}
}

func hashOf(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}

var (
	jobSwitched = regexp.MustCompile(`^Job .* \(([0-9a-f]{32})\) switched from state ([A-Z]+) to ([A-Z]+)`)
	taskQuoted  = regexp.MustCompile(`^Task '(.*) \((\d+)/(\d+)\)(?:#\d+)?' did not react`)
)

// switched reads changes of the states of jobs and tasks.
func (l *log) switched(r *record, i int, text string) {
	e := l.evidence
	if !strings.Contains(text, " switched from state ") {
		if name, parallelism, ok := taskOf(text); ok {
			l.vertex(l.place(r, i), name, parallelism)
		}
		return
	}
	if m := jobSwitched.FindStringSubmatch(text); m != nil {
		p := l.place(r, i)
		switch m[3] {
		case "RESTARTING":
			e.Restarts++
		case "FAILED":
			l.listing = failure
		}
		l.event(p, "the job went from "+m[2]+" to "+m[3], nil)
		return
	}
}

// taskOf takes apart "name (1/24) (id) switched from …" and, up to 1.14, "name (1/24)#0 (id) switched from …".
func taskOf(text string) (name, parallelism string, ok bool) {
	at := strings.LastIndex(text, switched)
	if at < 0 {
		return "", "", false
	}
	text = text[:at]
	id := strings.LastIndex(text, " (")
	if id < 0 || !strings.HasSuffix(text, ")") {
		return "", "", false
	}
	text = text[:id]
	if i := strings.LastIndexByte(text, '#'); i > 0 && text[i-1] == ')' {
		text = text[:i]
	}
	subtask := strings.LastIndex(text, " (")
	if subtask < 0 || !strings.HasSuffix(text, ")") {
		return "", "", false
	}
	_, parallelism, ok = strings.Cut(text[subtask+2:len(text)-1], "/")
	return text[:subtask], parallelism, ok
}

func (l *log) vertex(p Place, name, parallelism string) {
	n, err := strconv.Atoi(parallelism)
	if err != nil || n < 1 || len(l.evidence.Vertices) >= maxVertices {
		return
	}
	v := Vertex{Place: p, Parallelism: n, key: hashOf(name)}
	if slices.ContainsFunc(l.evidence.Vertices, func(x Vertex) bool { return x.key == v.key && x.Parallelism == n }) {
		return
	}
	v.Kind, v.Window = kindOf(name), windowOf(name)
	l.keep(p, v.Kind+" (1/"+parallelism+")")
	l.evidence.Vertices = append(l.evidence.Vertices, v)
}

var operatorOfPlanner = regexp.MustCompile(`^([A-Z][A-Za-z]+)(?:\[\d+\])?\(`)

// plannerKinds are operators that the planner of Flink SQL names by their kind; what stands behind that is the user's.
var plannerKinds = []string{"Calc", "Correlate", "Deduplicate", "Expand", "GroupAggregate", "GroupWindowAggregate", "Join", "Rank", "Sort", "TableSourceScan", "Sink", "Union", "Match"}

// kindOf is the kinds of the operators of a task, without the names that people give: "Source -> Calc -> Sink".
func kindOf(name string) string {
	var out []string
	for part := range strings.SplitSeq(name, " -> ") {
		part = strings.TrimLeft(part, "(")
		kind := "operator"
		switch m := operatorOfPlanner.FindStringSubmatch(part); {
		case strings.HasPrefix(part, "Source: "):
			kind = "Source"
		case strings.HasPrefix(part, "Sink: "), strings.HasPrefix(part, "IcebergSink"):
			kind = "Sink"
		case m != nil && (slices.ContainsFunc(plannerKinds, func(k string) bool { return strings.HasSuffix(m[1], k) }) || strings.HasSuffix(m[1], "Aggregate")):
			kind = m[1]
		}
		out = append(out, kind)
	}
	return strings.Join(slices.Compact(out), " -> ")
}

var plannerWindow = regexp.MustCompile(`window=\[(TUMBLE|HOP|CUMULATE|SESSION)\(([^)]*)\)`)

var windowKinds = map[string]string{"TUMBLE": "tumbling", "HOP": "sliding", "CUMULATE": "cumulative", "SESSION": "session"}

// windowOf reads a window as the planner prints it: window=[HOP(slice_end=[$slice_end], size=[15 min], slide=[1 min])].
func windowOf(name string) *Window {
	m := plannerWindow.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	w := &Window{Kind: windowKinds[m[1]], Distinct: strings.Contains(strings.ToLower(name), "distinct")}
	for field := range strings.SplitSeq(m[2], ", ") {
		switch key, value, _ := strings.Cut(field, "="); strings.TrimSpace(key) {
		case "size", "maxSize", "gap":
			w.Size = strings.Trim(value, "[]")
		case "slide", "step":
			w.Slide = strings.Trim(value, "[]")
		}
	}
	return w
}
