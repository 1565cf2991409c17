package option

import (
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Departure is what became of a key that Flink read once and does not read any more.
type Departure struct {
	Key string
	// Last is the last minor line that read it; unknown for keys that were gone before the oldest line of version.Minors.
	Last version.Version
	// By are the keys that took its place in the version asked for. Same tells that By is one key with the same meaning, so that the value
	// can move as it is.
	By   []string
	Same bool
	// Fixed is the value that holds now and cannot be changed, "" where there is no such value. An option that was set to it loses nothing.
	Fixed string
	// Note says how to carry the value over or what holds instead, "" where there is nothing to say. It is part of a sentence.
	Note string
}

// departed is a row of what is known about keys that are gone. A key that ends in a dot stands for all below it.
type departed struct {
	key  string
	by   []string
	note string
	// fixed is the value that holds since, "" for none.
	fixed string
}

// ancient are keys that were gone before Flink 1.10: constants and options in the classes of release 1.9.3 (ConfigConstants, TaskManagerOptions,
// NettyShuffleEnvironmentOptions, RestartBackoffTimeStrategyOptions) that 1.10.3 declares nowhere and its code does not read, and keys of the
// documentation of Flink 0.9 and older.
var ancient = [...]departed{
	{"execution-retries.default", []string{"restart-strategy.fixed-delay.attempts"}, "restart-strategy.type: fixed-delay goes with it", ""},
	{"execution-retries.delay", []string{"restart-strategy.fixed-delay.delay"}, "restart-strategy.type: fixed-delay goes with it", ""},
	{"jobmanager.web.checkpoints.disable", nil, "the web interface always shows checkpoints", ""},
	{"local.number-jobmanager", nil, "a local cluster has one JobManager", ""},
	{"local.start-webserver", nil, "a local cluster has a web interface where flink-runtime-web is on the class path", ""},
	{"mesos.initial-tasks", nil, "TaskManagers start as slots are asked for", ""},
	{"mesos.maximum-failed-tasks", nil, "", ""},
	{"parallelization.degree.default", []string{"parallelism.default"}, "", ""},
	{"parallelization.intra-node.default", []string{"taskmanager.numberOfTaskSlots"}, "", ""},
	{"restart-backoff-time-strategy.", []string{"restart-strategy.type"}, "the strategies have their options below restart-strategy", ""},
	{"taskmanager.hostname", []string{"taskmanager.host"}, "", ""},
	{"taskmanager.memory.fraction", []string{"taskmanager.memory.managed.fraction"}, "a share of total Flink memory since 1.10, no longer of the heap", ""},
	{"taskmanager.memory.off-heap", nil, "managed memory is always outside of the heap", "true"},
	{"taskmanager.memory.preallocate", nil, "managed memory is reserved as it is used", "false"},
	{"taskmanager.network.bounded-blocking-subpartition-type", nil, "", ""},
	{"taskmanager.network.credit-based-flow-control.enabled", nil, "flow control is always based on credit", "true"},
	{"taskmanager.network.credit-model", nil, "flow control is always based on credit", "true"},
	{"taskmanager.network.defaultIOMode", nil, "", ""},
	{"webclient.port", []string{"rest.port"}, "the web interface uploads and starts jobs", ""},
	{"yarn.reallocate-failed", nil, "lost TaskManagers are always replaced", ""},
}

// departures are keys that a line of version.Minors was the last to read, where there is something to say. Sources: Flink's release notes
// 1.11 to 2.2, @deprecated remarks in the option classes, and for the values that hold instead the classes of 2.0 and 2.3.
var departures = [...]departed{
	{"akka.transport.", nil, "Flink's own heartbeats find lost processes (heartbeat.interval, heartbeat.timeout)", ""},
	{"akka.watch.", nil, "Flink's own heartbeats find lost processes (heartbeat.interval, heartbeat.timeout)", ""},
	{"cluster.declarative-resource-management.enabled", nil, "it is always on", "true"},
	{"cluster.evenly-spread-out-slots", []string{"taskmanager.load-balance.mode"}, "true is SLOTS, false the default", "false"},
	{"cluster.fine-grained-resource-management.enabled", nil, "it is always on", "true"},
	{"containerized.heap-cutoff-", []string{"jobmanager.memory.jvm-overhead.fraction", "jobmanager.memory.jvm-overhead.min"}, "memory outside of the heap has options of its own", ""},
	{"execution.checkpointing.force", nil, "checkpoints of iterations cannot be forced", ""},
	{"execution.checkpointing.prefer-checkpoint-for-recovery", nil, "recovery takes the latest checkpoint or savepoint", ""},
	{"fine-grained.shuffle-mode.all-blocking", nil, "", ""},
	{"high-availability.job.delay", nil, "", ""},
	{"high-availability.use-old-ha-services", nil, "", ""},
	{"high-availability.zookeeper.path.checkpoint", nil, "the nodes below high-availability.zookeeper.path.root have fixed names", ""},
	{"high-availability.zookeeper.path.l", nil, "the nodes below high-availability.zookeeper.path.root have fixed names", ""},
	{"high-availability.zookeeper.path.running-registry", nil, "results of jobs are kept in the job result store", ""},
	{"jobmanager.heap.", []string{"jobmanager.memory.heap.size", "jobmanager.memory.process.size"},
		"up to 1.20 the start scripts took it for the heap, YARN's client for the process size", ""},
	{"jobmanager.scheduler.scheduling-strategy", nil, "pipelined regions are scheduled one by one", ""},
	{"mesos.", nil, "Flink does not run on Mesos any more", ""},
	{"pipeline.auto-type-registration", nil, "types are registered by pipeline.serialization-config alone", ""},
	{"pipeline.default-kryo-serializers", []string{"pipeline.serialization-config"}, "a list of class: {type: kryo, kryo-type: default, class: serializer}", ""},
	{"pipeline.registered-kryo-types", []string{"pipeline.serialization-config"}, "a list of class: {type: kryo}", ""},
	{"pipeline.registered-pojo-types", []string{"pipeline.serialization-config"}, "a list of class: {type: pojo}", ""},
	{"pipeline.time-characteristic", nil, "time is event time; processing time is asked for operator by operator", ""},
	{"python.fn-execution.buffer.memory.size", []string{"taskmanager.memory.managed.consumer-weights"}, "Python workers take their share of managed memory", ""},
	{"python.fn-execution.framework.memory.size", []string{"taskmanager.memory.managed.consumer-weights"}, "Python workers take their share of managed memory", ""},
	{"resourcemanager.taskmanager-release.wait.result.consumed", nil, "idle TaskManagers wait until their results are consumed", ""},
	{"security.ssl.enabled", []string{"security.ssl.internal.enabled", "security.ssl.rest.enabled"}, "up to 1.20 it stood for both where they were not set", "false"},
	{"slotmanager.request-timeout", []string{"slot.request.timeout"}, "", ""},
	{"sql-client.display.max-column-width", []string{"table.display.max-column-width"}, "", ""},
	{"state.backend.async", nil, "snapshots are always asynchronous", "true"},
	{"state.backend.rocksdb.ttl.compaction.filter.enabled", nil, "the filter is always on for state with time to live", "true"},
	{"table.exec.deduplicate.insert-and-updateafter-sensitive", []string{"table.exec.deduplicate.insert-update-after-sensitive-enabled"}, "", ""},
	{"table.exec.deduplicate.mini-batch.compact-changes", []string{"table.exec.deduplicate.mini-batch.compact-changes-enabled"}, "", ""},
	{"table.exec.insert-and-updateafter-sensitive", []string{"table.exec.deduplicate.insert-update-after-sensitive-enabled"}, "", ""},
	{"table.exec.legacy-transformation-uids", []string{"table.exec.uid.generation"}, "true is DISABLED", "false"},
	{"table.exec.shuffle-mode", []string{"execution.batch-shuffle-mode"}, "", ""},
	{"table.exec.topn", []string{"table.exec.rank.topn-cache-size"}, "", ""},
	{"table.planner", nil, "there is one planner", ""},
	{"task.checkpoint.alignment.max-size", nil, "", ""},
	{"taskmanager.heap.", []string{"taskmanager.memory.flink.size", "taskmanager.memory.process.size"},
		"up to 1.20 the start scripts took it for total Flink memory, Kubernetes and YARN for the process size", ""},
	{"taskmanager.network.batch-shuffle.compression.enabled", []string{"taskmanager.network.compression.codec"}, "compression is on unless the codec is NONE", "true"},
	{"taskmanager.network.blocking-shuffle.compression.enabled", []string{"taskmanager.network.compression.codec"}, "compression is on unless the codec is NONE", "true"},
	{"taskmanager.network.hybrid-shuffle.enable-new-mode", nil, "the tiered mode is the only one", "true"},
	{"taskmanager.network.memory.buffers-per-channel", nil, "a remote channel has 2 exclusive buffers", "2"},
	{"taskmanager.network.memory.floating-buffers-per-gate", nil, "a gate has 8 floating buffers", "8"},
	{"taskmanager.network.memory.max-buffers-per-channel", nil, "a subpartition may hold 10 buffers", "10"},
	{"taskmanager.network.memory.max-overdraft-buffers-per-gate", nil, "a result partition may overdraw 20 buffers; the default was 5 up to 1.20", "20"},
	{"taskmanager.network.numberOfBuffers", []string{"taskmanager.memory.network.min", "taskmanager.memory.network.max"},
		"up to 1.20 network memory was this number of segments where neither fraction, min nor max was set", ""},
	{"taskmanager.network.sort-shuffle.min-parallelism", nil, "every blocking exchange is a sort shuffle", "1"},
	{"taskmanager.registration.initial-backoff", []string{"cluster.registration.initial-timeout"}, "", ""},
	{"taskmanager.registration.max-backoff", []string{"cluster.registration.max-timeout"}, "", ""},
	{"taskmanager.registration.refused-backoff", []string{"cluster.registration.refused-registration-delay"}, "", ""},
	{"traces.report-events-as-spans", nil, "events have reporters of their own (events.reporter.<name>.factory.class)", ""},
	{"web.backpressure.", nil, "tasks measure their back pressure themselves", ""},
	{"web.ssl.enabled", []string{"security.ssl.rest.enabled"}, "", ""},
	{"fs.hdfs.", nil, "Hadoop's configuration is found through HADOOP_CONF_DIR, single keys are set below flink.hadoop", ""},
	{"yarn.application-master.env.", nil, "now below containerized.master.env", ""},
	{"yarn.taskmanager.env.", nil, "now below containerized.taskmanager.env", ""},
}

// Departed tells what became of a key that the minor line of v does not read and an older Flink did; false where no older Flink is known to have read it,
// and where v still reads it.
func Departed(key string, v version.Version) (Departure, bool) {
	if _, ok := Lookup(key, v); ok {
		return Departure{}, false
	}
	d := Departure{Key: key}
	for n := index(v) - 1; n >= 0 && !d.Last.Known(); n-- {
		if _, ok := Lookup(key, version.Minors[n]); ok {
			d.Last = version.Minors[n]
		}
	}
	if !d.Last.Known() {
		row, ok := rowOf(ancient[:], key)
		d.fill(row, v)
		return d, ok
	}
	// An old name of an option that lives on under another name.
	if m, _ := Lookup(key, d.Last); m.Via == ByDeprecated || m.Via == ByFallback {
		if now, ok := Lookup(m.Option.Key, v); ok && now.Option != nil && len(now.Others) == 0 {
			d.By, d.Same = []string{now.Option.Key}, true
			return d, true
		}
		key = m.Option.Key
	}
	row, _ := rowOf(departures[:], key)
	d.fill(row, v)
	return d, true
}

func rowOf(list []departed, key string) (departed, bool) {
	for _, row := range list {
		if strings.HasPrefix(key, row.key) {
			return row, true
		}
	}
	return departed{}, false
}

// fill takes over what the row says for version v: today's names are spelled as v spells them.
func (d *Departure) fill(row departed, v version.Version) {
	d.Note, d.Fixed = row.note, row.fixed
	for _, key := range row.by {
		if m, ok := Lookup(key, v); ok && m.Option != nil {
			d.By = append(d.By, m.Option.Key)
			continue
		}
		if m, ok := Lookup(key, version.Newest()); ok {
			for _, old := range slices.Concat(m.Option.Fallback, m.Option.Deprecated) {
				if o := canonical(old, index(v)); o != nil {
					d.By = append(d.By, o.Key)
					break
				}
			}
		}
	}
}
