package budget

import (
	"fmt"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// Keys of the JobManager's memory model that are named more than once.
const (
	jmPrefix      = "jobmanager.memory."
	jmProcessSize = jmPrefix + "process.size"
	jmFlinkSize   = jmPrefix + "flink.size"
	jmHeap        = jmPrefix + "heap.size"
	jmOffHeap     = jmPrefix + "off-heap.size"
)

// DeriveJobManager follows JobManagerProcessUtils of the version at hand, to the byte. Flink 1.10 has no memory model for this process:
// there only the heap (and, in containers, the process size) is known.
func DeriveJobManager(in Input) *JobManager {
	return deriveJobManager(in, nil)
}

func deriveJobManager(in Input, replaced map[string]Part) *JobManager {
	d := jobManager{memory: newMemory(in, jmPrefix, "JobManager"), deployment: in.Deployment, out: &JobManager{}}
	switch {
	case d.version.Before(1, 10):
		d.out.Configured = true
	case d.version.Before(1, 11):
		d.before111()
	case replaced != nil:
		d.replaced = replaced
		d.memoryParts()
	default:
		d.legacy("jobmanager.heap", d.legacyTarget())
		d.memoryParts()
	}
	d.out.Refusals = d.refusals
	return d.out
}

// jobManager is the derivation of the JobManager.
type jobManager struct {
	*memory
	deployment Deployment
	out        *JobManager
}

// legacyTarget is what jobmanager.heap.size and heap.mb stand for (1.11 to 1.20): the heap where start scripts compute, which is also in
// the pods of native Kubernetes from 1.13 on; the process size on YARN and, before, on Kubernetes.
func (d *jobManager) legacyTarget() string {
	if d.deployment == Standalone || d.deployment == Kubernetes && d.version.AtLeast(1, 13) {
		return jmHeap
	}
	return jmProcessSize
}

// memoryParts is ProcessMemoryUtils.memoryProcessSpecFromConfig with JobManagerFlinkMemoryUtils.
func (d *jobManager) memoryParts() {
	j := d.out
	j.Configured = true
	switch {
	case d.contains(jmHeap):
		d.fromHeap()
		j.ProcessSize, j.JVMMetaspace, j.JVMOverhead = d.aroundFlink(j.FlinkSize)
	case d.contains(jmFlinkSize):
		j.FlinkSize = d.size(flinkSize, jmFlinkSize)
		d.fromFlinkSize()
		j.ProcessSize, j.JVMMetaspace, j.JVMOverhead = d.aroundFlink(j.FlinkSize)
	case d.contains(jmProcessSize):
		j.ProcessSize = d.size(processSize, jmProcessSize)
		j.FlinkSize, j.JVMMetaspace, j.JVMOverhead = d.withinProcess(j.ProcessSize)
		d.fromFlinkSize()
	default:
		j.Configured = false
		d.notConfigured(jmProcessSize, jmFlinkSize, jmHeap)
	}
	if len(d.refusals) == 0 {
		d.results()
	}
}

// fromHeap is JobManagerFlinkMemoryUtils.deriveFromRequiredFineGrainedOptions.
func (d *jobManager) fromHeap() {
	j := d.out
	j.Heap = d.size("heap", jmHeap)
	j.OffHeap = d.size("off-heap", jmOffHeap)
	if !d.contains(jmFlinkSize) {
		j.FlinkSize, _ = d.add(flinkSize, j.Heap, j.OffHeap)
		return
	}
	j.FlinkSize = d.size(flinkSize, jmFlinkSize)
	if d.contains(jmOffHeap) {
		sum, _ := d.add("heap and off-heap", j.Heap, j.OffHeap)
		// FLINK-18993: 1.11.0 and 1.11.1 compared the heap alone.
		flawed := d.version.HasPatch() && d.version.AtLeast(1, 11) && !d.version.AtLeastPatch(1, 11, 2)
		if sum.Known && j.FlinkSize.Known && (sum.Bytes != j.FlinkSize.Bytes || flawed && j.Heap.Bytes != 0) {
			r := Refusal{
				ID: "J1", Flink: d.failed("Sum of the configured JVM Heap Memory ("),
				Message: fmt.Sprintf("%s come to %s, but %s is %s: they must be equal", join([]Part{j.Heap, j.OffHeap}),
					sum.Bytes.Pretty(), j.FlinkSize.Key, j.FlinkSize.Bytes.Pretty()),
				Terms: terms(j.Heap, j.OffHeap, j.FlinkSize),
			}
			if sum.Bytes == j.FlinkSize.Bytes {
				r.Message = fmt.Sprintf("Flink %s refuses %s, %s and %s together even where they add up (FLINK-18993)", d.version, jmHeap, jmOffHeap, jmFlinkSize)
			}
			r.Keys, r.Spans = given(j.FlinkSize, j.Heap, j.OffHeap)
			d.refuse(r)
		}
		return
	}
	if j.Heap.Known && j.FlinkSize.Known && j.FlinkSize.Bytes < j.Heap.Bytes {
		r := Refusal{
			ID: "J2", Flink: d.failed("The configured JVM Heap Memory ("),
			Terms: terms(j.Heap, j.FlinkSize), Need: j.Heap.Bytes, Have: j.FlinkSize.Bytes,
		}
		r.Message = fmt.Sprintf("%s is %s, but %s is %s: short by %s", j.Heap.Key, j.Heap.Bytes.Pretty(),
			j.FlinkSize.Key, j.FlinkSize.Bytes.Pretty(), r.Shortage().Pretty())
		r.Keys, r.Spans = given(j.FlinkSize, j.Heap)
		d.refuse(r)
	}
	j.OffHeap = remainder("off-heap", jmOffHeap, j.FlinkSize, j.Heap)
}

// fromFlinkSize is JobManagerFlinkMemoryUtils.deriveFromTotalFlinkMemory: the heap is what off-heap leaves, and must not be empty.
func (d *jobManager) fromFlinkSize() {
	j := d.out
	j.OffHeap = d.size("off-heap", jmOffHeap)
	if j.FlinkSize.Known && j.OffHeap.Known && j.FlinkSize.Bytes <= j.OffHeap.Bytes {
		r := Refusal{
			ID: "J3", Flink: d.failed("The configured Total Flink Memory ("),
			Terms: terms(j.OffHeap, j.FlinkSize), Need: j.OffHeap.Bytes + 1, Have: j.FlinkSize.Bytes,
		}
		have := fmt.Sprintf("%s is %s", j.FlinkSize.Key, j.FlinkSize.Bytes.Pretty())
		first := j.FlinkSize
		if j.FlinkSize.By == Remainder && j.ProcessSize.Known {
			have = fmt.Sprintf("%s %s leaves %s for total Flink memory", j.ProcessSize.Key, j.ProcessSize.Bytes.Pretty(), j.FlinkSize.Bytes.Pretty())
			first = j.ProcessSize
		}
		r.Message = fmt.Sprintf("%s, of which off-heap takes %s: nothing is left for the heap", have, j.OffHeap.Bytes.Pretty())
		r.Keys, r.Spans = given(first, j.OffHeap)
		d.refuse(r)
		j.Heap = Part{Name: "heap", By: Remainder, Key: jmHeap, From: "what is left of " + flinkSize}
		return
	}
	j.Heap = remainder("heap", jmHeap, j.FlinkSize, j.OffHeap)
}

// results fills what follows from the parts.
func (d *jobManager) results() {
	j := d.out
	if !j.ProcessSize.Known || !j.Heap.Known || !j.OffHeap.Known {
		return
	}
	j.JVMArguments = []string{fmt.Sprintf("-Xmx%d", j.Heap.Bytes), fmt.Sprintf("-Xms%d", j.Heap.Bytes)}
	limit, _ := number(d.memory, d.conf.Bool(jmPrefix+"enable-jvm-direct-memory-limit"))
	if limit {
		j.JVMArguments = append(j.JVMArguments, fmt.Sprintf("-XX:MaxDirectMemorySize=%d", j.OffHeap.Bytes))
	}
	j.JVMArguments = append(j.JVMArguments, fmt.Sprintf("-XX:MaxMetaspaceSize=%d", j.JVMMetaspace.Bytes))
	if d.version.AtLeast(1, 12) {
		j.DynamicOptions = []quantity.Pair{
			inBytes(jmHeap, j.Heap), inBytes(jmOffHeap, j.OffHeap), inBytes(jmPrefix+"jvm-metaspace.size", j.JVMMetaspace),
			inBytes(jmPrefix+"jvm-overhead.min", j.JVMOverhead), inBytes(jmPrefix+"jvm-overhead.max", j.JVMOverhead),
		}
	}
	j.Container = d.container(j.ProcessSize.Bytes)
}

// container is what the client asks for to run the JobManager in.
func (d *jobManager) container(process quantity.Bytes) Container {
	switch d.deployment {
	case Kubernetes:
		// The client reads a legacy heap size as the pod's size, although the scripts in the pod read it as the heap.
		if p, ok := d.replaced[jmHeap]; ok && p.Known {
			process = p.Bytes
		}
		cpu, _ := number(d.memory, d.conf.Double("kubernetes.jobmanager.cpu.amount"))
		return d.pod("kubernetes.jobmanager", process, cpu)
	case YARN:
		vcores, _ := number(d.memory, d.conf.Int("yarn.appmaster.vcores"))
		size := process / quantity.MiB * quantity.MiB
		return Container{Known: true, Memory: size, MemoryLimit: size, CPU: float64(vcores), CPULimit: float64(vcores)}
	}
	return Container{}
}

// before111 is Flink 1.10: the scripts give the heap as many whole MiB as jobmanager.heap.size says; in a container that is the
// container's size, and a cut-off is taken from it (BootstrapTools.calculateHeapSize).
func (d *jobManager) before111() {
	j := d.out
	j.Configured = true
	key := "jobmanager.heap.size"
	total := d.size("heap", key)
	if v := d.conf.Int("jobmanager.heap.mb"); v.Set() && !d.contains(key) {
		mb, known := number(d.memory, v)
		total = Part{Name: "heap", Bytes: quantity.Bytes(max(mb, 0)) * quantity.MiB, Known: known, By: Configured, Origin: conf.Given,
			From: v.From(), Span: v.Span(), Key: v.Key}
	}
	total.Bytes = total.Bytes / quantity.MiB * quantity.MiB
	if d.deployment == Standalone {
		j.Heap = total
	} else {
		d.cutOff(total)
	}
	if j.Heap.Known {
		heap := j.Heap.Bytes.Mebibytes()
		j.JVMArguments = []string{fmt.Sprintf("-Xms%dm", heap), fmt.Sprintf("-Xmx%dm", heap)}
		if len(d.refusals) == 0 && j.ProcessSize.Known {
			j.Container = d.container(j.ProcessSize.Bytes)
		}
	}
}

// cutOff takes the container's reserve from its size.
func (d *jobManager) cutOff(total Part) {
	j := d.out
	j.ProcessSize = total
	j.ProcessSize.Name = processSize
	j.Heap = Part{Name: "heap", By: Remainder, Key: total.Key, From: "what the cut-off leaves of " + processSize}
	ratio, ratioKnown := number(d.memory, d.conf.Fraction("containerized.heap-cutoff-ratio"))
	least, leastKnown := number(d.memory, d.conf.Int("containerized.heap-cutoff-min"))
	if !total.Known || !ratioKnown || !leastKnown {
		return
	}
	mb := total.Bytes.Mebibytes()
	if int64(least) > mb {
		r := Refusal{
			ID: "J3", Need: quantity.Bytes(least) * quantity.MiB, Have: total.Bytes,
			Flink: "The configuration value 'containerized.heap-cutoff-min'='",
		}
		r.Message = fmt.Sprintf("%s is %s, less than what containerized.heap-cutoff-min takes from it, %s", total.Key, total.Bytes.Pretty(), r.Need.Pretty())
		r.Keys, r.Spans = given(total)
		d.refuse(r)
		return
	}
	cut := max(int64(float32(mb)*ratio), int64(least))
	if cut >= mb {
		return
	}
	j.Heap.Bytes, j.Heap.Known = quantity.Bytes(mb-cut)*quantity.MiB, true
}
