package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A behaviour is a change of Flink's that no default and no option tells of.
type behaviour struct {
	since version.Version
	// when tells which configurations it concerns; before and after are the two sides.
	when    func(before, after *advisor.Target) bool
	weight  Weight
	message string
	help    string
	// keep is the setting that brings the old behaviour back, "" where there is none.
	keep   []Setting
	source string
}

func everyone(_, _ *advisor.Target) bool { return true }

func either(f func(*advisor.Target) bool) func(before, after *advisor.Target) bool {
	return func(before, after *advisor.Target) bool { return f(before) || f(after) }
}

func unset(keys ...string) func(*advisor.Target) bool {
	return func(t *advisor.Target) bool {
		return !slices.ContainsFunc(keys, func(k string) bool { return t.Conf.String(k).Set() || t.Conf.Entry(k) != nil })
	}
}

func all(list ...func(*advisor.Target) bool) func(before, after *advisor.Target) bool {
	return func(_, after *advisor.Target) bool {
		return !slices.ContainsFunc(list, func(f func(*advisor.Target) bool) bool { return !f(after) })
	}
}

func streaming(t *advisor.Target) bool { return !batch(t) }

func java8(t *advisor.Target) bool { return t.Job.Java.Known && t.Job.Java.V < 11 }

func perJob(t *advisor.Target) bool {
	return t.Job.Deployment.Mode.Known && t.Job.Deployment.Mode.V == "per-job" || is("execution.target", "yarn-per-job")(t)
}

func images(t *advisor.Target) bool {
	return t.Deployment == budget.Kubernetes || t.Job.Deployment.Target.Known && t.Job.Deployment.Target.V == "docker"
}

// startScripts tells a cluster that the scripts of a distribution start; images and Kubernetes have their own way with the file.
func startScripts(t *advisor.Target) bool { return t.Deployment == budget.Standalone && !images(t) }

func highlyAvailable(t *advisor.Target) bool {
	v := t.Conf.String("high-availability.type")
	return v.Has && v.Set() && !is("high-availability.type", "none", "standalone")(t)
}

// suite tells whether a cipher suite is named that current Java releases have turned off.
func suite(t *advisor.Target) bool {
	v := t.Conf.String("security.ssl.algorithms")
	return tls(t) && v.Has && v.Set() && strings.Contains(v.V, "TLS_RSA_")
}

// behaviours are on record in Flink's release notes (RN) of the line named, or were read in the class named. They stand in the order of the lines.
var behaviours = []behaviour{
	{since: version.Of(1, 11), when: everyone, weight: Changes,
		message: "the JobManager's memory has a model of its own: jobmanager.heap.size stands for a part of it, and direct memory, metaspace and overhead come on top",
		help:    "compare the JobManager's budget below, and set jobmanager.memory.process.size", source: "RN 1.11, FLINK-16614"},
	{since: version.Of(1, 11), when: all(func(t *advisor.Target) bool {
		return len(t.Conf.Prefixed("s3.")) > 0 || len(t.Conf.Prefixed("fs.s3a.")) > 0
	}), weight: Changes,
		message: "file systems are loaded as plugins only: a jar of flink-s3-fs-* in lib is not found any more", help: "move it below plugins", source: "RN 1.11"},
	{since: version.Of(1, 13), when: all(is("restart-strategy.type", "failure-rate", "failurerate")), weight: Changes,
		message: "the failure-rate strategy allows as many restarts as it says; before, it was one less (1.11.4 and 1.12.3 do already)",
		help:    "lower restart-strategy.failure-rate.max-failures-per-interval by one to keep the number", source: "RN 1.13, FLINK-20752"},
	{since: version.Of(1, 13), when: all(images, unset("taskmanager.numberOfTaskSlots")), weight: Changes,
		message: "the image does not set taskmanager.numberOfTaskSlots to the number of processors any more: a TaskManager has 1 slot", help: "set taskmanager.numberOfTaskSlots", source: "RN 1.13, FLINK-21036"},
	{since: version.Of(1, 14), when: everyone, weight: Changes,
		message: "a TaskManager that cannot be reached is given up after two failed heartbeats, no longer only after heartbeat.timeout",
		keep:    []Setting{{"heartbeat.rpc-failure-threshold", "-1"}}, source: "RN 1.14, FLINK-23209"},
	{since: version.Of(1, 15), when: all(startScripts, unset("jobmanager.bind-host", "taskmanager.bind-host")), weight: Changes,
		message: "the configuration file that Flink ships binds its processes to localhost: settings that are copied into it cannot be reached from other machines",
		help:    "set jobmanager.bind-host, taskmanager.bind-host and rest.bind-address to 0.0.0.0 and taskmanager.host to the host's own name, or start from this file", source: "RN 1.15, FLINK-24474"},
	{since: version.Of(1, 17), when: either(batch), weight: Changes,
		message: "batch jobs are scheduled by the adaptive batch scheduler, which chooses parallelism by the amount of data where none is set", keep: []Setting{{"jobmanager.scheduler", "Default"}},
		source: "RN 1.17, FLINK-30682"},
	{since: version.Of(1, 19), when: all(checkpoints, unset("restart-strategy.type")), weight: Changes,
		message: "without a restart strategy a job with checkpoints restarts with growing delay (exponential-delay, 1 s to 1 min), no longer each second (fixed-delay)",
		keep:    []Setting{{"restart-strategy.type", "fixed-delay"}, {"restart-strategy.fixed-delay.attempts", "2147483647"}, {"restart-strategy.fixed-delay.delay", "1 s"}},
		source:  "RN 1.19, FLINK-33735"},
	{since: version.Of(1, 19), when: either(images), weight: Changes,
		message: "the image rewrites the configuration as nested YAML when it starts, and takes all blanks out of FLINK_PROPERTIES: comments are lost, and values with blanks change",
		help:    "put the settings into the file or the resource rather than into FLINK_PROPERTIES", source: "docker-entrypoint.sh of the 1.19 image"},
	{since: version.Of(2, 0), when: everyone, weight: Changes,
		message: "state of 1.x jobs is not promised to be readable by 2.x", help: "rehearse the restore from a canonical savepoint of a copy; plan for a start without state", source: "RN 2.0"},
	{since: version.Of(2, 0), when: everyone, weight: Changes,
		message: "the DataSet API, the Scala APIs, SourceFunction, SinkFunction and the first Sink API are gone, and so are connectors built on them", help: "jobs have to be compiled against 2.x with connectors for 2.x",
		source: "RN 2.0"},
	{since: version.Of(2, 0), when: func(before, _ *advisor.Target) bool { return java8(before) }, weight: Breaks,
		message: "Java 8 is not supported: 11 is the least, 17 what the image has", help: "move to Java 17, and drop JVM options that it does not know", source: "RN 2.0"},
	{since: version.Of(2, 0), when: func(before, _ *advisor.Target) bool { return !before.Job.Java.Known }, weight: Changes,
		message: "Java 11 is the least, 17 what the image has", help: "look through env.java.opts for options that Java 17 does not know, such as those of the CMS collector", source: "RN 2.0"},
	{since: version.Of(2, 0), when: either(perJob), weight: Breaks,
		message: "per-job mode (yarn-per-job) is gone", help: "use application mode: execution.target: yarn-application", source: "RN 2.0"},
	{since: version.Of(2, 0), when: either(highlyAvailable), weight: Changes,
		message: "high-availability data of 1.x is not taken over: running jobs are not found by the new cluster", help: "stop each job with a savepoint and start it from that", source: "HighAvailabilityOptions, KubernetesUtils: execution plans have a place of their own"},
	{since: version.Of(2, 0), when: all(streaming, on("execution.checkpointing.local-backup.enabled"), is("jobmanager.scheduler", "adaptive"), unset("execution.state-recovery.from-local")), weight: Changes,
		message: "the adaptive scheduler recovers from local state only where execution.state-recovery.from-local is on", help: "set execution.state-recovery.from-local: true", source: "RN 2.0, FLINK-36201"},
	{since: version.Of(1, 20), when: either(suite), weight: Breaks,
		message: "the TLS_RSA_* suites that security.ssl.algorithms names fail with the Java releases of 2026 (11.0.30, 17.0.18, 21.0.10), which turned them off",
		help:    "name TLS_ECDHE_RSA_* suites, or leave the option to its default", source: "RN 2.0, FLINK-39022"},
	{since: version.Of(2, 1), when: either(python), weight: Changes, message: "Python 3.8 is not supported any more", help: "use Python 3.9 or newer", source: "RN 2.1"},
}

// behaviours reports what is on record between the two versions and concerns this configuration.
func (a *analysis) behaviours() {
	for _, b := range behaviours {
		if !a.crosses(b.since.Major, b.since.Minor) || !b.when(a.Before, a.After) {
			continue
		}
		c := Change{Kind: Behaviour, Weight: b.weight, Message: fmt.Sprintf("from %s on %s", b.since, b.message), Help: b.help, Source: b.source}
		if len(b.keep) > 0 {
			c.Keep = &b.keep[0]
			if len(b.keep) > 1 {
				c.Help = "to keep it, set " + settingList(b.keep)
				c.Keep = nil
			}
		}
		a.add(c)
	}
}

func settingList(list []Setting) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.Key + ": " + s.Value
	}
	return strings.Join(out, ", ")
}
