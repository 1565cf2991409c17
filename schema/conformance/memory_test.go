package conformance_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// TestMemory compares every component in bytes, the JVM arguments, the -D options, the slot profile and the number of buffers; and where
// Flink refuses, the reason and the option it names.
func TestMemory(t *testing.T) {
	t.Parallel()
	set := open(t, "memory")
	c := newTally(t)
	for i := range set.Vectors {
		v := &set.Vectors[i]
		for r, release := range set.Releases {
			flink, ok := v.Output(r)
			if !ok {
				continue
			}
			in := memoryInput(t, release.Version, v.Input[0], v.Input[1], v.Input[2:])
			flink = expected(flink)
			var refusals []budget.Refusal
			var ours []string
			if v.Input[0] == "jm" {
				jm := budget.DeriveJobManager(in)
				refusals, ours = jm.Refusals, jobManagerAnswer(jm)
			} else {
				tm := budget.DeriveTaskManager(in)
				refusals, ours = tm.Refusals, taskManagerAnswer(in, tm)
			}
			if len(refusals) > 0 {
				ours = []string{refused(refusals[0], flink[0])}
			}
			c.compare(v, release.Version, flink, ours)
		}
	}
	c.report(3000)
}

func memoryInput(t *testing.T, v version.Version, process, launcher string, options []string) budget.Input {
	t.Helper()
	layer := conf.Layer{Name: "vector", Dialect: conf.Arguments}
	for _, o := range options {
		key, value, _ := strings.Cut(o, "=")
		layer.Entries = append(layer.Entries, conf.Entry{Key: key, Value: value, Text: value, Raw: value})
	}
	e, err := conf.Merge(v, layer)
	if err != nil {
		t.Fatal(err)
	}
	in := budget.Input{Conf: e, Job: &job.Facts{}}
	if launcher == "native" {
		in.Deployment = budget.Kubernetes
		if process == "jm" {
			// The pod's own script maps legacy heap keys as the other scripts do; YARN's client is where they mean the process size.
			in.Deployment = budget.YARN
		}
	}
	return in
}

// expected is Flink's answer without the Java classes of its exceptions. Where the launcher's derivation succeeds and the TaskManager then
// refuses to start (a bad number of slots, a bad segment size), that refusal is the answer.
func expected(flink []string) []string {
	for _, s := range flink {
		if f := strings.Fields(s); strings.HasPrefix(s, "refused ") {
			return []string{strings.Join(append(f[:2:2], f[3:]...), " ")}
		}
	}
	return flink
}

// refused names our first refusal as Flink's is named: with the option, where Flink's message names one.
func refused(r budget.Refusal, flink string) string {
	s := "refused " + r.ID
	f := strings.Fields(flink)
	if len(f) < 3 || len(r.Keys) == 0 {
		return s
	}
	key := r.Keys[0]
	if r.ID == "F4" {
		// Flink names the fraction whichever of the three is at fault.
		key = strings.TrimSuffix(strings.TrimSuffix(key, ".min"), ".max")
		if key != r.Keys[0] {
			key += ".fraction"
		}
	}
	return s + " " + key
}

func parts(p ...budget.Part) string {
	s := make([]string, len(p))
	for i := range p {
		s[i] = fmt.Sprint(int64(p[i].Bytes))
	}
	return strings.Join(s, ",")
}

func pairs(options []quantity.Pair) string {
	options = slices.SortedFunc(slices.Values(options), func(a, b quantity.Pair) int { return cmp.Compare(a.Key, b.Key) })
	s := make([]string, len(options))
	for i, p := range options {
		s[i] = p.Key + "=" + p.Value
	}
	return strings.Join(s, " ")
}

func taskManagerAnswer(in budget.Input, tm *budget.TaskManager) []string {
	return []string{"ok",
		parts(tm.FrameworkHeap, tm.TaskHeap, tm.FrameworkOffHeap, tm.TaskOffHeap, tm.Network, tm.Managed, tm.JVMMetaspace, tm.JVMOverhead, tm.FlinkSize, tm.ProcessSize),
		strings.Join(tm.JVMArguments, " "), pairs(tm.DynamicOptions), tm.PerSlot.Profile, fmt.Sprint(budget.DeriveNetwork(in, tm).Buffers.V)}
}

func jobManagerAnswer(jm *budget.JobManager) []string {
	return []string{"ok", parts(jm.Heap, jm.OffHeap, jm.JVMMetaspace, jm.JVMOverhead, jm.FlinkSize, jm.ProcessSize), strings.Join(jm.JVMArguments, " "), pairs(jm.DynamicOptions)}
}
