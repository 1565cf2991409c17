package upgrade

import (
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A conversion carries a setting over the minor line since, in which Flink stopped reading it or its value. It says what to write instead; nothing to write
// and a reason means that the entry goes. ok is false where the conversion does not apply to the value.
type conversion struct {
	// key is the option, or a prefix that ends in a dot or a suffix that begins with one ("*" in the middle).
	key     string
	since   version.Version
	convert func(t *advisor.Target, e *conf.Entry) (settings []written, reason string, ok bool)
}

// matches tells whether a key fits a pattern with at most one "*".
func matches(pattern, key string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == key
	}
	return len(key) > len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)
}

// conversions hold what can be carried over without a decision. Sources: MemoryBackwardsCompatibilityUtils, TaskExecutorFlinkMemoryUtils,
// SecurityOptions.isInternalSSLEnabled, TaskManagerLoadBalanceMode.loadFromConfiguration, StateBackendLoader, YarnEntrypointUtils and ReporterSetup of
// the last line that did it itself; the release notes of 1.11, 1.15, 1.17 and 2.0.
var conversions = []conversion{
	{"taskmanager.heap.size", version.Of(2, 0), legacyHeap("taskmanager.memory.", false)},
	{"taskmanager.heap.mb", version.Of(2, 0), legacyHeap("taskmanager.memory.", true)},
	{"jobmanager.heap.size", version.Of(2, 0), legacyHeap("jobmanager.memory.", false)},
	{"jobmanager.heap.mb", version.Of(2, 0), legacyHeap("jobmanager.memory.", true)},
	{"taskmanager.network.numberOfBuffers", version.Of(2, 0), numberOfBuffers},
	{"security.ssl.enabled", version.Of(2, 0), sslEnabled},
	{"cluster.evenly-spread-out-slots", version.Of(2, 0), flag("taskmanager.load-balance.mode", "SLOTS")},
	{"table.exec.legacy-transformation-uids", version.Of(2, 0), flag("table.exec.uid.generation", "DISABLED")},
	{"sql-client.display.max-column-width", version.Of(2, 0), renamedTo("table.display.max-column-width")},
	{"table.exec.insert-and-updateafter-sensitive", version.Of(1, 15), renamedTo("table.exec.deduplicate.insert-update-after-sensitive-enabled")},
	{"table.exec.topn.cache-size", version.Of(1, 15), renamedTo("table.exec.rank.topn-cache-size")},
	{"table.exec.deduplicate.mini-batch.compact-changes", version.Of(1, 15), renamedTo("table.exec.deduplicate.mini-batch.compact-changes-enabled")},
	{"yarn.application-master.env.*", version.Of(2, 0), renamedBelow("yarn.application-master.env.", "containerized.master.env.")},
	{"yarn.taskmanager.env.*", version.Of(2, 0), renamedBelow("yarn.taskmanager.env.", "containerized.taskmanager.env.")},
	{"metrics.reporter.*.class", version.Of(1, 17), reporterClass},
	{"state.backend", version.Of(2, 0), stateBackend},
	{"state.backend.type", version.Of(2, 0), stateBackend},
	{"jobmanager.scheduler", version.Of(2, 0), scheduler},
}

// legacyHeap is a heap size of the memory model before 1.10, which later versions took for one of the sizes of the new model.
func legacyHeap(prefix string, megabytes bool) func(*advisor.Target, *conf.Entry) ([]written, string, bool) {
	return func(t *advisor.Target, e *conf.Entry) ([]written, string, bool) {
		key := "flink.size"
		if prefix == "jobmanager.memory." {
			key = "heap.size"
		}
		// On Kubernetes the JobManager's pod computes with the start scripts from 1.13 on.
		scripts := t.Deployment == budget.Standalone || prefix == "jobmanager.memory." && t.Deployment == budget.Kubernetes && t.Version.AtLeast(1, 13)
		if !scripts {
			key = "process.size"
		}
		key = prefix + key
		old := strings.TrimSuffix(prefix, "memory.") + "heap.size"
		switch {
		case t.Conf.String(key).Set():
			return nil, hiddenBy + key + " is set", true
		case megabytes && t.Conf.String(old).Set():
			return nil, hiddenBy + old + " is set", true
		case e.Placeholder:
			return nil, "", false
		case megabytes:
			return []written{{key: key, value: quantity.Trim(e.Value) + "m"}}, "", true
		}
		return []written{{key: key, own: true}}, "", true
	}
}

// numberOfBuffers is network memory given as a number of segments.
func numberOfBuffers(t *advisor.Target, e *conf.Entry) ([]written, string, bool) {
	const network = "taskmanager.memory.network."
	for _, k := range []string{"fraction", "min", "max"} {
		if t.Conf.String(network + k).Set() {
			return nil, hiddenBy + network + k + " is set", true
		}
	}
	n, err := quantity.ParseInt(e.Value)
	segment := t.Conf.Memory("taskmanager.memory.segment-size")
	if err != nil || !segment.Has || e.Placeholder {
		return nil, "", false
	}
	size := (quantity.Bytes(n) * segment.V).Config()
	return []written{{key: network + "min", value: size}, {key: network + "max", value: size}}, "", true
}

// sslEnabled stood for both kinds of connections where they were not set.
func sslEnabled(t *advisor.Target, e *conf.Entry) ([]written, string, bool) {
	on, err := quantity.ParseBool(e.Value)
	if err != nil {
		return nil, "", false
	}
	var out []written
	for _, k := range []string{"security.ssl.internal.enabled", "security.ssl.rest.enabled"} {
		if on && !t.Conf.String(k).Set() {
			out = append(out, written{key: k, own: true})
		}
	}
	return out, "not read any more; this is the default", true
}

// flag is a boolean option whose true became a value of another option and whose false is the default.
func flag(key, value string) func(*advisor.Target, *conf.Entry) ([]written, string, bool) {
	return func(t *advisor.Target, e *conf.Entry) ([]written, string, bool) {
		on, err := quantity.ParseBool(e.Value)
		switch {
		case err != nil:
			return nil, "", false
		case !on:
			return nil, "not read any more; this is the default", true
		case t.Conf.String(key).Set():
			return nil, hiddenBy + key + " is set", true
		}
		return []written{{key: key, value: value}}, "", true
	}
}

// renamedTo is an option that went on under another name, which does not read the old one.
func renamedTo(key string) func(*advisor.Target, *conf.Entry) ([]written, string, bool) {
	return func(t *advisor.Target, _ *conf.Entry) ([]written, string, bool) {
		if t.Conf.Entry(key) != nil {
			return nil, hiddenBy + key + " is set", true
		}
		return []written{{key: key, own: true}}, "", true
	}
}

func renamedBelow(old, now string) func(*advisor.Target, *conf.Entry) ([]written, string, bool) {
	return func(t *advisor.Target, e *conf.Entry) ([]written, string, bool) {
		return renamedTo(now+strings.TrimPrefix(e.Key, old))(t, e)
	}
}

// flinkReporters are the reporters that Flink brings: each has a factory of the same name with "Factory" behind it.
var flinkReporters = []string{
	"prometheus.PrometheusReporter", "prometheus.PrometheusPushGatewayReporter", "jmx.JMXReporter", "graphite.GraphiteReporter", "influxdb.InfluxdbReporter",
	"statsd.StatsDReporter", "datadog.DatadogHttpReporter", "slf4j.Slf4jReporter",
}

// reporterClass is a metric reporter by class, which 1.17 and newer do not start.
func reporterClass(t *advisor.Target, e *conf.Entry) ([]written, string, bool) {
	prefix := strings.TrimSuffix(e.Key, "class")
	if strings.HasSuffix(prefix, ".factory.") || strings.Contains(strings.TrimSuffix(strings.TrimPrefix(prefix, "metrics.reporter."), "."), ".") {
		return nil, "", false
	}
	key := prefix + "factory.class"
	if t.Conf.Entry(key) != nil {
		return nil, hiddenBy + key + " is set", true
	}
	for _, r := range flinkReporters {
		if e.Value == "org.apache.flink.metrics."+r {
			return []written{{key: key, value: e.Value + "Factory"}}, "", true
		}
	}
	return nil, fmt.Sprintf("no reporter is started by class; name its factory in %s", key), true
}

// stateBackend are state backends that 2.0 does not have.
func stateBackend(t *advisor.Target, e *conf.Entry) ([]written, string, bool) {
	const key, storage = "state.backend.type", "execution.checkpointing.storage"
	switch strings.ToLower(e.Value) {
	case "filesystem", "org.apache.flink.runtime.state.filesystem.fsstatebackendfactory":
		return []written{{key: key, value: "hashmap"}}, "", true
	case "jobmanager", "org.apache.flink.runtime.state.memory.memorystatebackendfactory":
		// It kept checkpoints on the JobManager's heap, whatever the storage said.
		out := []written{{key: key, value: "hashmap"}}
		if !t.Conf.String(storage).Set() {
			out = append(out, written{key: storage, value: "jobmanager"})
		}
		return out, "", true
	case "org.apache.flink.contrib.streaming.state.rocksdbstatebackendfactory":
		return []written{{key: key, value: "rocksdb"}}, "", true
	}
	return nil, "", false
}

// scheduler is the first name of the default scheduler.
func scheduler(_ *advisor.Target, e *conf.Entry) ([]written, string, bool) {
	if !strings.EqualFold(e.Value, "ng") {
		return nil, "", false
	}
	return []written{{key: "jobmanager.scheduler", value: "Default"}}, "", true
}
