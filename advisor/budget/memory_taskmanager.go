package budget

import (
	"fmt"
	"math"
	"strconv"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// Keys of the TaskManager's memory model that are named more than once.
const (
	tmPrefix         = "taskmanager.memory."
	tmProcessSize    = tmPrefix + "process.size"
	tmFlinkSize      = tmPrefix + "flink.size"
	tmTaskHeap       = tmPrefix + "task.heap.size"
	tmManaged        = tmPrefix + "managed.size"
	tmNetwork        = tmPrefix + "network"
	tmSegmentSize    = tmPrefix + "segment-size"
	tmNetworkBuffers = "taskmanager.network.numberOfBuffers"
	tmSlots          = "taskmanager.numberOfTaskSlots"
	tmCPU            = "taskmanager.cpu.cores"
)

// minSegmentSize is MemoryManager.MIN_PAGE_SIZE.
const minSegmentSize = 4 * quantity.KiB

// DeriveTaskManager follows TaskExecutorProcessUtils and ProcessMemoryUtils of the version at hand, to the byte. Flink 1.9 and older had another
// model: nothing is known there.
func DeriveTaskManager(in Input) *TaskManager {
	return deriveTaskManager(in, nil)
}

func deriveTaskManager(in Input, replaced map[string]Part) *TaskManager {
	d := taskManager{memory: newMemory(in, tmPrefix, "TaskManager"), deployment: in.Deployment, out: &TaskManager{}}
	if d.version.Before(1, 10) {
		d.out.Configured = true
		return d.out
	}
	if replaced == nil {
		d.legacyHeap()
	} else {
		d.replaced = replaced
	}
	// The ResourceManager of an active deployment asks for the CPU first (WorkerResourceSpecFactory), the scripts last.
	if d.deployment == Standalone {
		d.memoryParts()
		d.cpu()
	} else {
		d.cpu()
		d.memoryParts()
	}
	// The number of slots is part of what the launcher computes from 1.13 on.
	before := len(d.refusals)
	slots, known := d.slots()
	if len(d.refusals) == 0 || before == 0 && d.version.Before(1, 13) {
		d.rederive()
		d.results(slots)
	}
	// The rest is refused when the TaskManager starts with what was derived.
	d.slotCount(slots, known)
	d.pages()
	d.out.PerSlot = d.perSlot()
	d.out.Refusals = d.refusals
	return d.out
}

// taskManager is the derivation of one TaskManager.
type taskManager struct {
	*memory
	deployment Deployment
	out        *TaskManager
}

// legacyHeap puts taskmanager.heap.size and heap.mb in the place of a total (MemoryBackwardsCompatibilityUtils, up to Flink 1.20): the
// start scripts take them for Flink size, Kubernetes and YARN for the process size. The catalogue no longer knows them in 2.0.
func (d *taskManager) legacyHeap() {
	target := tmFlinkSize
	if d.deployment != Standalone {
		target = tmProcessSize
	}
	d.legacy("taskmanager.heap", target)
}

// legacy lets the old heap options below prefix stand in for target when that is not set.
func (m *memory) legacy(prefix, target string) {
	if m.contains(target) {
		return
	}
	if v := m.conf.Memory(prefix + ".size"); v.Set() {
		p := m.size("", prefix+".size")
		p.From += ", read as " + target
		m.replaced[target] = p
		return
	}
	v := m.conf.Int(prefix + ".mb")
	if !v.Set() {
		return
	}
	mb, known := number(m, v)
	if known && mb < 0 {
		m.refuse(Refusal{
			ID: "F19", Keys: []string{v.Key}, Spans: spans(v.Span()),
			Message: fmt.Sprintf("%s is %d; a size cannot be below zero", v.Key, mb),
			Flink:   "Configured total process memory size must not be less than 0.",
		})
		known = false
	}
	m.replaced[target] = Part{
		Bytes: quantity.Bytes(max(mb, 0)) * quantity.MiB, Known: known, By: Configured, Origin: conf.Given,
		From: v.From() + ", read as " + target, Span: v.Span(), Key: v.Key,
	}
}

// memoryParts is ProcessMemoryUtils.memoryProcessSpecFromConfig.
func (d *taskManager) memoryParts() {
	t := d.out
	t.Configured = true
	switch {
	case d.contains(tmTaskHeap) && d.contains(tmManaged):
		d.fromTaskHeapAndManaged()
	case d.contains(tmFlinkSize):
		t.FlinkSize = d.size(flinkSize, tmFlinkSize)
		d.fromFlinkSize(t.FlinkSize)
		t.ProcessSize, t.JVMMetaspace, t.JVMOverhead = d.aroundFlink(t.FlinkSize)
	case d.contains(tmProcessSize):
		t.ProcessSize = d.size(processSize, tmProcessSize)
		t.FlinkSize, t.JVMMetaspace, t.JVMOverhead = d.withinProcess(t.ProcessSize)
		d.fromFlinkSize(t.FlinkSize)
	default:
		t.Configured = false
		d.notConfigured(tmProcessSize, tmFlinkSize, tmTaskHeap, tmManaged)
	}
}

// notConfigured refuses a configuration without any of the sizes that Flink requires (F1).
func (m *memory) notConfigured(process, flink string, fine ...string) {
	third, also := fine[0], ""
	if len(fine) == 2 {
		third = "both " + fine[0] + " and " + fine[1]
	}
	for _, key := range fine {
		if len(fine) > 1 && m.contains(key) {
			also = fmt.Sprintf(" (%s alone is not enough)", key)
		}
	}
	beginning := "Either required fine-grained memory ("
	if m.version.Before(1, 11) {
		beginning = "Either Task Heap Memory size ("
	}
	m.refuse(Refusal{
		ID: "F1", Keys: append([]string{process, flink}, fine...),
		Message: fmt.Sprintf("the size of the %s is not configured: Flink requires %s, %s or %s%s", m.process, process, flink, third, also),
		Flink:   m.failed(beginning),
	})
}

// fromTaskHeapAndManaged is TaskExecutorFlinkMemoryUtils.deriveFromRequiredFineGrainedOptions with what surrounds it.
func (d *taskManager) fromTaskHeapAndManaged() {
	t := d.out
	t.TaskHeap = d.size("task heap", tmTaskHeap)
	t.Managed = d.size("managed memory", tmManaged)
	d.fixedParts()
	parts := []Part{t.FrameworkHeap, t.FrameworkOffHeap, t.TaskHeap, t.TaskOffHeap, t.Managed}
	if d.contains(tmFlinkSize) {
		t.FlinkSize = d.size(flinkSize, tmFlinkSize)
		d.networkRemainder(t.FlinkSize, parts)
	} else {
		used, _ := d.add("the other parts", parts...)
		t.Network = d.network(used, true)
		t.FlinkSize, _ = d.add(flinkSize, append(parts, t.Network)...)
	}
	t.ProcessSize, t.JVMMetaspace, t.JVMOverhead = d.aroundFlink(t.FlinkSize)
}

// fixedParts reads the parts that never are derived.
func (d *taskManager) fixedParts() {
	t := d.out
	t.FrameworkHeap = d.size("framework heap", tmPrefix+"framework.heap.size")
	t.FrameworkOffHeap = d.size("framework off-heap", tmPrefix+"framework.off-heap.size")
	t.TaskOffHeap = d.size("task off-heap", tmPrefix+"task.off-heap.size")
}

// fromFlinkSize is TaskExecutorFlinkMemoryUtils.deriveFromTotalFlinkMemory.
func (d *taskManager) fromFlinkSize(flink Part) {
	t := d.out
	d.fixedParts()
	taskHeapSet := d.contains(tmTaskHeap)
	if taskHeapSet {
		t.TaskHeap = d.size("task heap", tmTaskHeap)
	}
	if d.contains(tmManaged) {
		t.Managed = d.size("managed memory", tmManaged)
	} else {
		t.Managed = d.share("managed memory", flink, d.managedBounds(), false, flinkSize)
		t.Managed.Key = d.prefix + "managed.fraction"
	}
	if taskHeapSet {
		d.networkRemainder(flink, []Part{t.FrameworkHeap, t.FrameworkOffHeap, t.TaskHeap, t.TaskOffHeap, t.Managed})
		return
	}
	t.Network = d.network(flink, false)
	parts := []Part{t.FrameworkHeap, t.FrameworkOffHeap, t.TaskOffHeap, t.Managed, t.Network}
	used, atLeast := d.add("the other parts", parts...)
	if flink.Known && atLeast > flink.Bytes {
		d.tooMuch("F7", flink, atLeast, parts)
	}
	t.TaskHeap = remainder("task heap", tmTaskHeap, flink, used)
}

// tooMuch refuses parts that exceed Flink size (F6, F7).
func (d *taskManager) tooMuch(id string, flink Part, need quantity.Bytes, parts []Part) {
	total := d.out.ProcessSize
	r := Refusal{
		ID: id, Need: need, Have: flink.Bytes,
		Flink: d.failed("Sum of configured Framework Heap Memory ("),
		Terms: append(terms(parts...), flink.term(flinkSize)),
	}
	have := fmt.Sprintf("%s (%s) is %s", flinkSize, flink.Key, flink.Bytes.Pretty())
	if flink.By == Remainder && total.Known {
		have = fmt.Sprintf("%s %s leaves %s for total Flink memory", total.Key, total.Bytes.Pretty(), flink.Bytes.Pretty())
		r.Keys, r.Spans = given(append([]Part{total}, parts...)...)
	} else {
		r.Keys, r.Spans = given(append([]Part{flink}, parts...)...)
	}
	r.Message = fmt.Sprintf("%s come to %s, but %s: short by %s", join(parts), need.Pretty(), have, r.Shortage().Pretty())
	d.refuse(r)
}

// usesBuffers tells whether taskmanager.network.numberOfBuffers is in effect
// (TaskExecutorFlinkMemoryUtils.isUsingLegacyNetworkConfigs, up to Flink 1.20).
func (d *taskManager) usesBuffers() bool {
	return d.conf.Int(tmNetworkBuffers).Set() && !d.contains(tmNetwork+".min") && !d.contains(tmNetwork+".max") &&
		!d.conf.Fraction(tmNetwork+".fraction").Set()
}

// network derives network memory from its own options: a share of base, or of the sum that base completes.
func (d *taskManager) network(base Part, inverse bool) Part {
	if d.usesBuffers() {
		return d.networkBuffers()
	}
	return d.share("network memory", base, d.bounds(tmNetwork), inverse, flinkSize)
}

// networkBuffers is network memory given as a number of buffers, which knows neither minimum nor maximum.
func (d *taskManager) networkBuffers() Part {
	v := d.conf.Int(tmNetworkBuffers)
	p := Part{Name: "network memory", By: Configured, Origin: conf.Given, Span: v.Span(), Key: v.Key}
	n, known := number(d.memory, v)
	segment, segmentKnown := d.segmentSize()
	p.From = fmt.Sprintf("%d buffers of %s (%s)", n, segment.Pretty(), v.From())
	if !known || !segmentKnown {
		return p
	}
	if n < 0 {
		d.refuse(Refusal{
			ID: "F16", Keys: []string{v.Key}, Spans: spans(v.Span()),
			Message: fmt.Sprintf("%s is %d; a number of buffers cannot be below zero", v.Key, n),
			Flink:   "bytes must be >= 0",
		})
		return p
	}
	p.Bytes, p.Known = quantity.Bytes(n)*segment, true
	return p
}

// networkRemainder gives network memory what the other parts leave of Flink size and checks it against the network options
// (F6, F11, F12).
func (d *taskManager) networkRemainder(flink Part, parts []Part) {
	t := d.out
	used, atLeast := d.add("the other parts", parts...)
	if flink.Known && atLeast > flink.Bytes {
		d.tooMuch("F6", flink, atLeast, parts)
	}
	t.Network = remainder("network memory", tmNetwork+".max", flink, used)
	const outer = "If Total Flink, Task Heap and (or) Managed Memory sizes are explicitly configured then "
	before := len(d.refusals)
	if d.usesBuffers() {
		want := d.networkBuffers()
		if want.Known && t.Network.Known && want.Bytes != t.Network.Bytes {
			r := Refusal{
				ID: "F11", Need: want.Bytes, Have: t.Network.Bytes,
				Message: fmt.Sprintf("%s asks for %s of network memory, but the other parts leave %s of %s: give either the buffers or the other sizes",
					want.Key, want.Bytes.Pretty(), t.Network.Bytes.Pretty(), flink.Name),
				Terms: append(terms(parts...), flink.term(flinkSize), want.term(want.Key)),
			}
			r.Keys, r.Spans = given(append([]Part{want, flink}, parts...)...)
			d.refuse(r)
		}
	} else {
		b := d.bounds(tmNetwork)
		d.outside("F12", t.Network, b, flink, parts)
	}
	// Flink wraps whatever goes wrong in this check.
	for i := before; i < len(d.refusals); i++ {
		if id := d.refusals[i].ID; id != "F14" && id != "F16" && id != "F17" {
			d.refusals[i].Flink = d.failed(outer)
		}
	}
}

// outside refuses a remainder that is not within its range (F10, F12).
func (m *memory) outside(id string, rest Part, b bounds, total Part, parts []Part) {
	if !rest.Known || !b.valid || b.min.Bytes <= rest.Bytes && rest.Bytes <= b.max.Bytes {
		return
	}
	r := Refusal{ID: id}
	limit, word := b.max, "above"
	if rest.Bytes < b.min.Bytes {
		limit, word = b.min, "below"
		r.Need, r.Have = b.min.Bytes, rest.Bytes
	}
	r.Message = fmt.Sprintf("%s %s minus %s leaves %s for %s, which is %s %s (%s)",
		total.Key, total.Bytes.Pretty(), join(parts), rest.Bytes.Pretty(), rest.Name, word, limit.Key, limit.Bytes.Pretty())
	r.Terms = append(append([]Term{total.term(total.Name)}, terms(parts...)...), limit.term(limit.Key))
	r.Keys, r.Spans = given(append([]Part{total, limit}, parts...)...)
	m.refuse(r)
}

// withinProcess takes metaspace and overhead off the process size (ProcessMemoryUtils.deriveJvmMetaspaceAndOverheadWithTotalProcessMemory).
func (m *memory) withinProcess(process Part) (flink, metaspace, overhead Part) {
	metaspace = m.size("JVM metaspace", m.prefix+"jvm-metaspace.size")
	overhead = m.share("JVM overhead", process, m.bounds(m.prefix+"jvm-overhead"), false, processSize)
	used, atLeast := m.add("JVM metaspace and overhead", metaspace, overhead)
	if process.Known && atLeast > process.Bytes {
		r := Refusal{
			ID: "F5", Need: atLeast, Have: process.Bytes,
			Flink: m.failed("Sum of configured JVM Metaspace ("),
			Terms: append(terms(metaspace, overhead), process.term(processSize)),
		}
		r.Message = fmt.Sprintf("%s come to %s, but %s is %s: short by %s before Flink has any memory",
			join([]Part{metaspace, overhead}), atLeast.Pretty(), process.Key, process.Bytes.Pretty(), r.Shortage().Pretty())
		r.Keys, r.Spans = given(process, metaspace, overhead)
		m.refuse(r)
	}
	flink = remainder(flinkSize, m.prefix+"flink.size", process, used)
	return flink, metaspace, overhead
}

// aroundFlink puts metaspace and overhead around Flink size (ProcessMemoryUtils.deriveJvmMetaspaceAndOverheadFromTotalFlinkMemory): the
// overhead is what a configured process size leaves, or a fraction.
func (m *memory) aroundFlink(flink Part) (process, metaspace, overhead Part) {
	metaspace = m.size("JVM metaspace", m.prefix+"jvm-metaspace.size")
	used, atLeast := m.add("Flink size and JVM metaspace", flink, metaspace)
	key := m.prefix + "process.size"
	if !m.contains(key) {
		overhead = m.share("JVM overhead", used, m.bounds(m.prefix+"jvm-overhead"), true, processSize)
		process, _ = m.add(processSize, flink, metaspace, overhead)
		process.Key = key
		return process, metaspace, overhead
	}
	process = m.size(processSize, key)
	if process.Known && process.Bytes < atLeast {
		r := Refusal{
			ID: "F9", Need: atLeast, Have: process.Bytes,
			Flink: m.failed("The configured Total Process Memory size ("),
			Terms: append(terms(flink, metaspace), process.term(processSize)),
		}
		if m.version.Before(1, 11) {
			r.ID, r.Flink = "F16", "bytes must be >= 0"
		}
		r.Message = fmt.Sprintf("%s come to %s, but %s is %s: short by %s",
			join([]Part{flink, metaspace}), atLeast.Pretty(), process.Key, process.Bytes.Pretty(), r.Shortage().Pretty())
		r.Keys, r.Spans = given(process, flink, metaspace)
		m.refuse(r)
	}
	overhead = remainder("JVM overhead", m.prefix+"jvm-overhead.max", process, used)
	before := len(m.refusals)
	m.outside("F10", overhead, m.bounds(m.prefix+"jvm-overhead"), process, []Part{flink, metaspace})
	for i := before; i < len(m.refusals); i++ {
		if m.refusals[i].ID == "F10" {
			m.refusals[i].Flink = m.failed("Derived JVM Overhead size (")
		}
	}
	return process, metaspace, overhead
}

// cpu is TaskExecutorProcessUtils.getCpuCoresWithFallback: the option, the deployment's own, the number of slots.
func (d *taskManager) cpu() {
	t := d.out
	v := d.conf.Double(tmCPU)
	if v.Set() {
		t.CPU, _ = number(d.memory, v)
		switch {
		case math.IsNaN(t.CPU) || math.IsInf(t.CPU, 0):
			// A CPUResource is a BigDecimal, which has neither.
			d.unreadable(tmCPU, v.Span(), v.Entry.Value, fmt.Errorf("%s is no number of CPU cores", quantity.FormatDouble(t.CPU)))
			t.CPU = 0
		case v.Has && t.CPU <= 0:
			d.noCPU(tmCPU, v.Span(), fmt.Sprintf("%s is %s; a TaskManager needs more than 0 CPU cores", tmCPU, quantity.FormatDouble(t.CPU)))
		}
		return
	}
	if t.CPU = d.deploymentCPU(); t.CPU > 0 {
		return
	}
	n, known := d.slots()
	t.CPU = float64(n)
	if known && n <= 0 {
		d.noCPU(tmSlots, d.conf.Int(tmSlots).Span(),
			fmt.Sprintf("%s is %d, which Flink also takes for the number of CPU cores; a TaskManager needs more than 0", tmSlots, n))
	}
}

// slots reads the number of slots; known is false for what is refused or not filled in yet.
func (d *taskManager) slots() (n int, known bool) {
	v := d.conf.Int(tmSlots)
	slots, known := number(d.memory, v)
	if !v.Set() && !known {
		return 1, true
	}
	return int(slots), known
}

// slotCount is ConfigurationParserUtils.getSlot, which reads -1 as 1.
func (d *taskManager) slotCount(n int, known bool) {
	switch {
	case !known:
	case n == -1:
		d.out.Slots = 1
	case n < 1:
		d.refuse(Refusal{
			ID: "F18", Keys: []string{tmSlots}, Spans: spans(d.conf.Int(tmSlots).Span()),
			Message: fmt.Sprintf("%s is %d; a TaskManager needs at least one slot", tmSlots, n),
			Flink:   "Invalid configuration value for taskmanager.numberOfTaskSlots",
		})
	default:
		d.out.Slots = n
	}
}

func (d *taskManager) noCPU(key string, place source.Span, message string) {
	d.refuse(Refusal{
		ID: "F13", Keys: []string{key}, Spans: spans(place), Message: message,
		Flink: "TaskExecutors need to be started with a positive number of CPU cores.",
	})
}

// segmentSize reads the size of a memory segment (ConfigurationParserUtils.getPageSize) and refuses it once.
func (d *taskManager) segmentSize() (quantity.Bytes, bool) {
	v := d.conf.Memory(tmSegmentSize)
	size, known := number(d.memory, v)
	if !known {
		return 0, false
	}
	problem := ""
	switch {
	case size > math.MaxInt32:
		problem = "larger than an int can hold"
	case size < minSegmentSize:
		problem = "below the smallest that Flink takes, 4 KiB"
	case size&(size-1) != 0:
		problem = "not a power of two"
	default:
		return size, true
	}
	if !d.told[tmSegmentSize] {
		d.told[tmSegmentSize] = true
		d.refuse(Refusal{
			ID: "F17", Keys: []string{tmSegmentSize}, Spans: spans(v.Span()),
			Message: fmt.Sprintf("%s is %s (%d bytes), which is %s", tmSegmentSize, size.Pretty(), int64(size), problem),
			Flink:   "Invalid configuration value for taskmanager.memory.segment-size : ",
		})
	}
	return 0, false
}

// pages is NettyShuffleEnvironmentConfiguration.calculateNumberOfNetworkBuffers as far as it refuses.
func (d *taskManager) pages() {
	size, known := d.segmentSize()
	network := d.out.Network
	if !known || !network.Known || network.Bytes/size <= math.MaxInt32 {
		return
	}
	r := Refusal{
		ID: "F21", Need: network.Bytes, Have: size * math.MaxInt32,
		Message: fmt.Sprintf("network memory of %s is more than 2^31-1 segments of %s", network.Bytes.Pretty(), size.Pretty()),
		Flink:   "The number of memory bytes (",
	}
	r.Keys, r.Spans = given(network, d.out.ProcessSize, d.out.FlinkSize)
	d.refuse(r)
}

// rederives tells whether the ResourceManager sizes a worker's overhead without the configured totals
// (ActiveResourceManagerFactory.getEffectiveConfigurationForResourceManager): always from 1.19, in 1.13 to 1.18 with fine-grained resource
// management, whose default became true in 1.18.
func (d *taskManager) rederives() bool {
	if d.deployment == Standalone || d.version.Before(1, 13) {
		return false
	}
	return d.version.AtLeast(1, 19) || d.conf.Bool("cluster.fine-grained-resource-management.enabled").V
}

func (d *taskManager) rederive() {
	t := d.out
	if !d.rederives() || !t.ProcessSize.Known {
		return
	}
	t.Before = t.ProcessSize.Bytes
	base, _ := d.add("Flink size and JVM metaspace", t.FlinkSize, t.JVMMetaspace)
	overhead := d.share("JVM overhead", base, d.bounds(tmPrefix+"jvm-overhead"), true, processSize)
	process, _ := d.add(processSize, t.FlinkSize, t.JVMMetaspace, overhead)
	if !process.Known {
		return
	}
	t.Rederived = true
	if overhead.Bytes == t.JVMOverhead.Bytes {
		return
	}
	if process.Bytes != t.ProcessSize.Bytes {
		process.Key = tmProcessSize
		process.From = fmt.Sprintf("derived again by Flink's ResourceManager, which ignores %s", t.ProcessSize.Bytes.Pretty())
		process.Span = t.ProcessSize.Span
		t.ProcessSize = process
	}
	t.JVMOverhead = overhead
}

// results fills what follows from the parts.
func (d *taskManager) results(slots int) {
	t := d.out
	if !t.ProcessSize.Known || !t.TaskHeap.Known || !t.Network.Known {
		return
	}
	heap := t.FrameworkHeap.Bytes + t.TaskHeap.Bytes
	direct := t.FrameworkOffHeap.Bytes + t.TaskOffHeap.Bytes + t.Network.Bytes
	t.JVMArguments = []string{
		fmt.Sprintf("-Xmx%d", heap), fmt.Sprintf("-Xms%d", heap),
		fmt.Sprintf("-XX:MaxDirectMemorySize=%d", direct), fmt.Sprintf("-XX:MaxMetaspaceSize=%d", t.JVMMetaspace.Bytes),
	}
	t.DynamicOptions = d.dynamicOptions(slots)
	t.Container = d.container(t)
}

// dynamicOptions is TaskExecutorProcessUtils.generateDynamicConfigsStr, in a fixed order.
func (d *taskManager) dynamicOptions(slots int) []quantity.Pair {
	t := d.out
	out := []quantity.Pair{
		{Key: tmCPU, Value: quantity.FormatDouble(t.CPU)},
		inBytes(tmPrefix+"framework.heap.size", t.FrameworkHeap),
		inBytes(tmPrefix+"framework.off-heap.size", t.FrameworkOffHeap),
		inBytes(tmTaskHeap, t.TaskHeap),
		inBytes(tmPrefix+"task.off-heap.size", t.TaskOffHeap),
		inBytes(tmNetwork+".min", t.Network),
		inBytes(tmNetwork+".max", t.Network),
		inBytes(tmManaged, t.Managed),
	}
	if d.version.AtLeastPatch(1, 12, 2) {
		out = append(out,
			inBytes(tmPrefix+"jvm-metaspace.size", t.JVMMetaspace),
			inBytes(tmPrefix+"jvm-overhead.min", t.JVMOverhead),
			inBytes(tmPrefix+"jvm-overhead.max", t.JVMOverhead))
	}
	if d.version.AtLeast(1, 13) {
		out = append(out, quantity.Pair{Key: tmSlots, Value: strconv.Itoa(slots)})
		// Configured external resources (GPUs) are not modelled; without any, Flink passes this on.
		if !d.conf.List("external-resources").Set() {
			out = append(out, quantity.Pair{Key: "external-resources", Value: "none"})
		}
	}
	return out
}

func inBytes(key string, p Part) quantity.Pair {
	return quantity.Pair{Key: key, Value: fmt.Sprintf("%db", p.Bytes)}
}
