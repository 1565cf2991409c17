package deployment

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

//go:embed jvm-memory-flags.md
var jvmMemoryFlagsDoc string

// JVMMemoryFlags finds JVM flags that override the sizes that Flink computes.
var JVMMemoryFlags = &advisor.Rule{
	ID:         "deployment/jvm-memory-flags",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.Unstable,
	Confidence: advisor.Certain,
	Reads:      []string{keyAll, keyJM, keyTM},
	Doc:        jvmMemoryFlagsDoc,
	Check:      jvmMemoryFlags,
}

// memoryFlags are the flags that Flink passes itself (ProcessMemoryUtils.generateJvmParametersStr), with what says the same to Flink.
var memoryFlags = []struct{ flag, what, instead string }{
	{"-Xmx", "the heap", "taskmanager.memory.task.heap.size or jobmanager.memory.heap.size"},
	{"-XX:MaxHeapSize=", "the heap", "taskmanager.memory.task.heap.size or jobmanager.memory.heap.size"},
	{"-XX:MaxDirectMemorySize=", "direct memory", "taskmanager.memory.task.off-heap.size or jobmanager.memory.off-heap.size"},
	{"-XX:MaxMetaspaceSize=", "metaspace", "taskmanager.memory.jvm-metaspace.size or jobmanager.memory.jvm-metaspace.size"},
}

func jvmMemoryFlags(t *advisor.Target, r *advisor.Report) {
	for _, key := range []string{keyAll, keyJM, keyTM} {
		v := t.Conf.String(key)
		if !v.Set() || !v.Has {
			continue
		}
		for word := range strings.FieldsSeq(v.V) {
			word = strings.Trim(word, `"'`)
			for _, m := range memoryFlags {
				if !strings.HasPrefix(word, m.flag) {
					continue
				}
				r.Find(advisor.Finding{
					Message: fmt.Sprintf("%s in %s overrides what Flink computes for %s", word, v.Entry.Key, m.what),
					Labels:  []advisor.Label{{Span: within(v.Span(), word), Key: v.Entry.Key, Text: "the last one on the command line counts"}},
					Notes:   []string{"the parts of the process no longer add up to its size: it may outgrow its container, or fail with memory to spare"},
					Help:    fmt.Sprintf("remove it and set %s", m.instead),
				})
			}
		}
	}
}

// within is the place of a word in a value; the whole value where it cannot be found.
func within(s source.Span, word string) source.Span {
	if i := strings.Index(s.Text(), word); i >= 0 {
		return s.File.Span(s.Start+i, s.Start+i+len(word))
	}
	return s
}
