package memory

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed java-opts-override.md
var javaOptsOverrideDoc string

// JavaOptsOverride finds JVM limits in env.java.opts that take the place of those that Flink computes.
var JavaOptsOverride = &advisor.Rule{
	ID:         "memory/java-opts-override",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Certain,
	Reads:      []string{"env.java.opts.all", "env.java.opts.taskmanager", "env.java.opts.jobmanager"},
	Doc:        javaOptsOverrideDoc,
	Check:      javaOptsOverride,
}

// A jvmLimit is a limit that Flink gives the JVM, and the option by which a user would change it.
type jvmLimit struct {
	flag, name, key string
	flink           quantity.Bytes
}

func javaOptsOverride(t *advisor.Target, r *advisor.Report) {
	if m := t.TaskManager; accepted(m) {
		overrides(t, r, "TaskManager", "env.java.opts.taskmanager", []jvmLimit{
			{"-Xmx", "heap", tmTaskHeap, m.FrameworkHeap.Bytes + m.TaskHeap.Bytes},
			{"-XX:MaxDirectMemorySize=", "direct memory", "taskmanager.memory.task.off-heap.size", m.FrameworkOffHeap.Bytes + m.TaskOffHeap.Bytes + m.Network.Bytes},
			{"-XX:MaxMetaspaceSize=", "metaspace", "taskmanager.memory.jvm-metaspace.size", m.JVMMetaspace.Bytes},
		})
	}
	if j := t.JobManager; len(j.Refusals) == 0 && j.ProcessSize.Known && j.Heap.Known {
		limits := []jvmLimit{{"-Xmx", "heap", jmHeap, j.Heap.Bytes}, {"-XX:MaxMetaspaceSize=", "metaspace", "jobmanager.memory.jvm-metaspace.size", j.JVMMetaspace.Bytes}}
		// Without this option Flink gives the JobManager no limit of direct memory, and one of the user's own replaces nothing.
		if t.Conf.Bool("jobmanager.memory.enable-jvm-direct-memory-limit").V {
			limits = append(limits, jvmLimit{"-XX:MaxDirectMemorySize=", "direct memory", "jobmanager.memory.off-heap.size", j.OffHeap.Bytes})
		}
		overrides(t, r, "JobManager", "env.java.opts.jobmanager", limits)
	}
}

// overrides reports the limits that the JVM options of a process replace. The options for all processes come first, and the JVM takes the last of two.
func overrides(t *advisor.Target, r *advisor.Report, process, own string, limits []jvmLimit) {
	for _, limit := range limits {
		for _, key := range []string{own, "env.java.opts.all"} {
			v := t.Conf.String(key)
			value, ok := jvmSize(v.V, limit.flag)
			if !v.Set() || !ok {
				continue
			}
			if value != limit.flink {
				r.Find(override(t, process, limit, v, value))
			}
			break
		}
	}
}

func override(t *advisor.Target, process string, limit jvmLimit, v conf.Value[string], value quantity.Bytes) advisor.Finding {
	flag := strings.TrimSuffix(limit.flag, "=")
	f := advisor.Finding{
		Message: fmt.Sprintf("%s in %s gives the %s %s of %s in place of the %s that Flink computes", flag, v.Entry.Key, process, value.Pretty(), limit.name, limit.flink.Pretty()),
		Labels:  mark(t, []string{v.Key}, func(string) string { return "" }),
		Terms: []budget.Term{
			{Name: limit.name + " by " + flag, Value: float64(value), Unit: budget.Bytes, Origin: conf.Given, From: v.From(), Span: v.Span()},
			{Name: limit.name + " by Flink", Value: float64(limit.flink), Unit: budget.Bytes, From: "derived from the memory options"},
		},
		Notes: []string{"these options stand behind Flink's own on the command line, and the JVM takes the last of two"},
		Help:  fmt.Sprintf("remove %s and size it by %s", flag, limit.key),
	}
	if value > limit.flink {
		f.Notes = append(f.Notes, fmt.Sprintf("the process may use %s more than its process size", (value-limit.flink).Pretty()))
	}
	return f
}

// jvmSize finds the last occurrence of a size flag among JVM options: digits and k, m, g or t.
func jvmSize(options, flag string) (quantity.Bytes, bool) {
	size, found := quantity.Bytes(0), false
	for _, word := range strings.Fields(options) {
		text, ok := strings.CutPrefix(strings.Trim(word, `"'`), flag)
		if !ok || text == "" {
			continue
		}
		unit := quantity.Bytes(1)
		switch text[len(text)-1] | 0x20 {
		case 'k':
			unit = quantity.KiB
		case 'm':
			unit = quantity.MiB
		case 'g':
			unit = quantity.GiB
		case 't':
			unit = quantity.TiB
		}
		if unit > 1 {
			text = text[:len(text)-1]
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 || quantity.Bytes(n) > quantity.MaxBytes/unit {
			continue
		}
		size, found = quantity.Bytes(n)*unit, true
	}
	return size, found
}
