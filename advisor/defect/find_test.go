package defect

import (
	"slices"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

const (
	uc       = "execution.checkpointing.unaligned: true; "
	act      = "execution.checkpointing.alignment-timeout: 30 s; "
	rdb      = "state.backend: rocksdb; "
	inc      = "state.backend.incremental: true; "
	k8sHA    = "high-availability: kubernetes; "
	zkHA     = "high-availability: zookeeper; "
	kafkaEOS = "job: {vertices: [{id: a, sink: {kind: kafka, guarantee: exactly-once}}]}\n"
)

// Versions with settings and facts, and the defects that must and must not be met with certainty.
func TestFind(t *testing.T) {
	cases := []struct {
		name, version, conf, job string
		hit, not                 string
	}{
		{"unaligned on 1.13.1", "1.13.1", uc, "", "FLINK-22946 FLINK-22376", "FLINK-22815 FLINK-35351 FLINK-31963 FLINK-24621"},
		{"unaligned and broadcast on 1.13.1", "1.13.1", uc, "job: {edges: [{from: a, to: b, shipStrategy: BROADCAST}], vertices: [{id: a}, {id: b}]}\n", "FLINK-22946 FLINK-22815", "FLINK-35351"},
		{"unaligned on 1.13.2", "1.13.2", uc, "", "", "FLINK-22946 FLINK-22815"},
		{"incremental on 1.12.1", "1.12.1", uc + rdb + inc, "", "FLINK-20654 FLINK-22946", "FLINK-25407"},
		{"debloating on 1.14.2", "1.14.2", "taskmanager.network.memory.buffer-debloat.enabled: true; execution.checkpointing.interval: 1 min; ", "java: 11\n", "FLINK-24468 FLINK-24789 FLINK-24156", "CVE-2021-44228"},
		{"SQL with a file sink on 1.15.1", "1.15.1", "", "job: {api: sql, vertices: [{id: a, sink: {kind: filesystem}}]}\n", "FLINK-28861 FLINK-29509", "FLINK-36287 FLINK-37870"},
		{"SQL with a file sink, unaligned, on 1.15.1", "1.15.1", uc, "job: {api: sql, vertices: [{id: a, sink: {kind: filesystem}}]}\n", "FLINK-28861 FLINK-29509 FLINK-36287", "FLINK-37870"},
		{"aligned timeout on 1.16.0", "1.16.0", uc + act, "", "FLINK-31293 FLINK-33693", "FLINK-25407"},
		{"HA on Google Cloud on 1.17.0", "1.17.0", zkHA + "high-availability.storageDir: gs://b/ha; ", "", "FLINK-31612", "FLINK-33793"},
		{"compression on 1.18.1", "1.18.1", k8sHA + "execution.checkpointing.snapshot-compression: true; ", "", "FLINK-34007 FLINK-34063", "FLINK-33693 FLINK-33793"},
		{"exactly-once Kafka on 1.19.2", "1.19.2", uc, kafkaEOS, "FLINK-37870", "FLINK-36287"},
		{"mini-batch on 1.19.0", "1.19.0", "table.exec.mini-batch.enabled: true; ", "", "", "FLINK-33936 FLINK-34166"},
		{"mini-batch with TTL on 1.19.0", "1.19.0", "table.exec.mini-batch.enabled: true; table.exec.state.ttl: 1 d; ", "", "FLINK-33936", "FLINK-34166"},
		{"file merging on 1.20.0", "1.20.0", uc + "execution.checkpointing.file-merging.enabled: true; ", "job: {vertices: [{id: a, sink: {kind: file}}]}\n", "FLINK-38327 FLINK-36287", "FLINK-37870"},
		{"short interval on 1.20.4", "1.20.4", rdb + inc + "execution.checkpointing.interval: 5 s; ", "", "FLINK-38574", "CVE-2026-35194 FLINK-38267 FLINK-35556 FLINK-38704"},
		{"multi-way join on 2.1.1", "2.1.1", "table.optimizer.multi-join.enabled: true; ", "", "FLINK-38916", "FLINK-35184"},
		{"RocksDB on 2.2.1", "2.2.1", rdb, "", "", "FLINK-38704 FLINK-38499 FLINK-39753 FLINK-35661"},
		{"mini-batch on 2.3.0", "2.3.0", "table.exec.mini-batch.enabled: true; ", "", "", "FLINK-35661 FLINK-38704"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var sure []string
			for _, h := range Find(contextOf(t, c.version, c.conf, c.job)) {
				if h.Verdict.Truth == True {
					sure = append(sure, h.ID)
				}
			}
			for _, id := range strings.Fields(c.hit) {
				if !slices.Contains(sure, id) {
					t.Errorf("%s is not met; met are %v", id, sure)
				}
			}
			for _, id := range strings.Fields(c.not) {
				if slices.Contains(sure, id) {
					t.Errorf("%s is met", id)
				}
			}
		})
	}
}

// The defects that matter most, each with a configuration that meets it and one that differs in what counts and does not.
func TestTopDefects(t *testing.T) {
	const interval = "execution.checkpointing.interval: 1 min; "
	fileSink := "job: {vertices: [{id: a, sink: {kind: file, guarantee: exactly-once}}]}\n"
	custom := "job: {vertices: [{id: a}, {id: b}], edges: [{from: a, to: b, shipStrategy: CUSTOM}]}\n"
	mixed := "job: {vertices: [{id: a}, {id: b}, {id: c}], edges: [{from: a, to: b, shipStrategy: HASH}, {from: b, to: c, shipStrategy: FORWARD}]}\n"
	hashOnly := "job: {vertices: [{id: a}, {id: b}], edges: [{from: a, to: b, shipStrategy: HASH}]}\n"
	adaptive := "jobmanager.scheduler: adaptive; "
	cases := []struct{ id, version, conf, job, unmetConf, unmetJob string }{
		{"FLINK-22946", "1.12.4", uc, "", uc + "execution.checkpointing.mode: AT_LEAST_ONCE; ", ""},
		{"FLINK-20654", "1.11.0", uc, "", "execution.checkpointing.unaligned: false; ", ""},
		{"FLINK-22815", "1.11.3", uc, "job: {vertices: [{id: a}, {id: b}], edges: [{from: a, to: b, shipStrategy: BROADCAST}]}\n", uc, hashOnly},
		{"FLINK-23223", "1.13.0", interval + "execution.buffer-timeout: 0 ms; ", "", interval, ""},
		{"FLINK-31293", "1.17.0", "", "", "taskmanager.network.memory.max-overdraft-buffers-per-gate: 0; ", ""},
		{"FLINK-31963", "1.15.4", uc + adaptive, "", adaptive, ""},
		{"FLINK-38267", "1.19.1", uc + adaptive, mixed, uc + adaptive, hashOnly},
		{"FLINK-35351", "1.16.2", uc + adaptive, custom, uc + adaptive, hashOnly},
		{"FLINK-39162", "2.1.0", uc + "job.autoscaler.enabled: true; ", custom, uc + "job.autoscaler.enabled: true; ", hashOnly},
		{"FLINK-33693", "1.18.0", uc + "execution.checkpointing.aligned-checkpoint-timeout: 30 s; ", "", uc, ""},
		{"FLINK-36287", "1.17.2", uc, fileSink, uc, "job: {vertices: [{id: a, sink: {kind: jdbc, guarantee: at-least-once}}]}\n"},
		{"FLINK-37870", "2.0.0", uc, fileSink, "", fileSink},
		{"FLINK-40016", "2.3.0", uc + "execution.checkpointing.during-recovery.enabled: true; ", "", uc, ""},
		{"FLINK-24621", "1.13.3", uc, "", "", ""},
		{"FLINK-29913", "1.16.1", rdb + inc + "execution.checkpointing.max-concurrent-checkpoints: 2; ", "", rdb + inc, ""},
		{"FLINK-38574", "2.0.1", rdb + inc + "execution.checkpointing.interval: 3 s; ", "", rdb + inc + interval, ""},
		{"FLINK-22502", "1.12.3", zkHA, "", "high-availability: NONE; ", ""},
		{"FLINK-22494", "1.13.0", "high-availability: org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory; ", "", "", ""},
		{"FLINK-30461", "1.16.0", rdb + inc, "", rdb, ""},
		{"FLINK-21986", "1.12.2", rdb, "", "state.backend: filesystem; ", ""},
		{"FLINK-35580", "1.20.4", rdb + "state.backend.rocksdb.incremental-restore-async-compact-after-rescale: true; ", "", rdb, ""},
		{"FLINK-38415", "1.20.3", rdb + inc + adaptive + "table.exec.state.ttl: 1 h; ", "", rdb + inc + adaptive, ""},
		{"FLINK-39753", "2.3.0", rdb + "state.backend.rocksdb.manual-compaction.min-interval: 1 min; ", "", rdb, ""},
		{"FLINK-39923", "1.18.1", rdb + "state.backend.rocksdb.metrics.bytes-written: true; ", "", rdb + "state.backend.rocksdb.metrics.estimate-num-keys: true; ", ""},
		{"FLINK-35537", "1.19.1", rdb + "state.backend.rocksdb.compression.per.level: SNAPPY_COMPRESSION; ", "", rdb, ""},
		{"FLINK-34063", "1.18.0", "execution.checkpointing.snapshot-compression: true; ", "", "", ""},
		{"FLINK-28861", "1.15.0", "", "job: {api: sql}\n", "", "job: {api: datastream}\n"},
		{"FLINK-36421", "1.18.1", "state.checkpoints.dir: file:///checkpoints; ", "", "state.checkpoints.dir: s3://b/c; ", ""},
		{"FLINK-28602", "1.15.1", "state.backend.changelog.enabled: true; dstl.dfs.compression.enabled: true; ", "", "state.backend.changelog.enabled: true; ", ""},
		{"FLINK-38327", "1.20.2", "execution.checkpointing.file-merging.enabled: true; ", "", "", ""},
		{"FLINK-38433", "2.1.0", "state.backend.type: forst; ", "", rdb, ""},
		{"FLINK-34007", "1.18.1", "high-availability.type: kubernetes; ", "", zkHA, ""},
		{"FLINK-28265", "1.14.6", k8sHA, "", zkHA, ""},
		{"FLINK-22006", "1.12.1", k8sHA, "deployment: {mode: session}\n", k8sHA, "deployment: {mode: application}\n"},
		{"FLINK-25486", "1.13.5", zkHA, "deployment: {mode: per-job}\n", zkHA, "deployment: {mode: application}\n"},
		{"FLINK-38499", "2.0.0", zkHA + "high-availability.zookeeper.client.max-retry-attempts: 30; ", "", zkHA, ""},
		{"FLINK-35159", "1.19.0", "scheduler-mode: reactive; ", "", "", ""},
		{"FLINK-30213", "1.16.3", "job.autoscaler.enabled: true; ", "", "job.autoscaler.enabled: false; ", ""},
		{"FLINK-16111", "1.10.0", "taskmanager.cpu.cores: 4; ", "deployment: {target: kubernetes-native}\n", "taskmanager.cpu.cores: 4; ", "deployment: {target: yarn}\n"},
		{"FLINK-24156", "1.14.2", "", "java: 11\n", "", "java: 8\n"},
		{"FLINK-31612", "1.17.0", "high-availability.storageDir: gs://b/ha; ", "", "high-availability.storageDir: s3://b/ha; ", ""},
		{"FLINK-33793", "1.18.0", "state.checkpoints.dir: gs://b/c; ", "", "state.checkpoints.dir: s3://b/c; ", ""},
		{"FLINK-33936", "1.18.1", "table.exec.mini-batch.enabled: true; table.exec.state.ttl: 1 d; ", "", "table.exec.mini-batch.enabled: true; ", ""},
		{"FLINK-34252", "1.19.1", "table.exec.source.idle-timeout: 10 s; ", "", "table.exec.source.idle-timeout: 0 ms; ", ""},
		{"FLINK-38916", "2.2.0", "table.optimizer.multi-join.enabled: true; ", "", "", ""},
		{"FLINK-37125", "1.20.1", `env.log.max: "7"; `, "", "env.log.max: 7; ", ""},
		{"ICEBERG-15846", "1.20.4", uc, "job: {vertices: [{id: a, sink: {kind: iceberg}}]}\n", uc, "job: {vertices: [{id: a, sink: {kind: kafka, guarantee: exactly-once}}]}\n"},
		{"FLINK-26808", "1.18.1", "web.submit.enable: false; ", "deployment: {mode: session}\n", "web.submit.enable: false; ", "deployment: {mode: application, target: kubernetes-operator}\n"},
	}
	if len(cases) < 40 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		d := ByID(c.id)[0]
		met, unmet := contextOf(t, c.version, c.conf, c.job), contextOf(t, c.version, c.unmetConf, c.unmetJob)
		if c.id == "FLINK-24621" {
			met.From = version.MustParse("1.13.1")
			unmet = contextOf(t, c.version, c.conf, c.job)
			unmet.From = version.MustParse("1.13.2")
		}
		if d.Affects(met.Flink) != Yes {
			t.Errorf("%s does not affect %s", c.id, c.version)
		}
		if v := d.Eval(met); v.Truth != True {
			t.Errorf("%s is %s with %q %q: %+v", c.id, v.Truth, c.conf, c.job, v)
		}
		if v := d.Eval(unmet); v.Truth != False {
			t.Errorf("%s is %s with %q %q: %+v", c.id, v.Truth, c.unmetConf, c.unmetJob, v)
		}
	}
}

// The edits of a workaround do away with the condition, in every configuration of the cases above that meets it and has no fact to say
// otherwise; so a plan that takes them is clean.
func TestWorkaroundsCure(t *testing.T) {
	// everything switches on what conditions ask for, one version at a time.
	const everything = uc + "execution.checkpointing.aligned-checkpoint-timeout: 30 s; " + inc +
		"execution.checkpointing.interval: 5 s; execution.checkpointing.min-pause: 1 s; execution.checkpointing.max-concurrent-checkpoints: 2; " +
		"execution.checkpointing.snapshot-compression: true; execution.checkpointing.file-merging.enabled: true; execution.buffer-timeout: 0 ms; " +
		"taskmanager.network.memory.buffer-debloat.enabled: true; taskmanager.data.port: 6121; state.backend.changelog.enabled: true; " +
		"state.backend.local-recovery: true; state.backend.rocksdb.manual-compaction.min-interval: 1 min; metrics.latency.interval: 1000; " +
		"state.backend.rocksdb.incremental-restore-async-compact-after-rescale: true; table.exec.mini-batch.enabled: true; " +
		"table.exec.state.ttl: 1 d; table.exec.source.idle-timeout: 10 s; table.optimizer.multi-join.enabled: true; " +
		"execution.batch-shuffle-mode: ALL_EXCHANGES_HYBRID_FULL; security.ssl.rest.enabled: true; web.submit.enable: false; " +
		"high-availability.zookeeper.client.max-retry-attempts: 30; slotmanager.number-of-slots.max: 10; jobmanager.bind-host: 10.0.0.1; " +
		"cluster.fine-grained-resource-management.enabled: true; state.backend.rocksdb.compression.per.level: SNAPPY_COMPRESSION; " +
		"job.autoscaler.enabled: true; fs.default-scheme: hdfs://n/; execution.checkpointing.during-recovery.enabled: true; "
	const facts = "java: 11\ndeployment: {mode: session, target: yarn}\njob: {type: batch, api: sql, vertices: [{id: a, sink: {kind: iceberg, guarantee: exactly-once}}, {id: b}], edges: [{from: a, to: b, shipStrategy: BROADCAST}]}\n"
	cured := map[string]bool{}
	for _, backend := range []string{rdb, "state.backend: forst; "} {
		for _, extra := range []string{"jobmanager.scheduler: adaptive; ", zkHA, k8sHA + "restart-strategy: failure-rate; "} {
			for _, v := range released() {
				c := contextOf(t, v.String(), everything+backend+extra, facts)
				for _, h := range Find(c) {
					if h.Verdict.Truth != True || len(h.Edits) == 0 {
						continue
					}
					after := *c
					after.Conf = applied(t, c.Conf, h.Edits)
					if got := h.Eval(&after); got.Truth == True && !onlyEases[h.ID] {
						t.Errorf("%s on %s: still met after %v: %+v", h.ID, v, h.Edits, got.Reasons)
					}
					cured[h.ID] = true
				}
			}
		}
	}
	if len(cured) < 25 {
		t.Errorf("only %d workarounds were tried", len(cured))
	}
}

// onlyEases are defects whose workaround makes them rarer or milder without ending their condition.
var onlyEases = map[string]bool{
	"FLINK-33798": true, // less is logged, the files still stay
}

// applied is the configuration with the edits, each under the name that the version reads.
func applied(t testing.TB, e *conf.Effective, edits []Edit) *conf.Effective {
	t.Helper()
	var entries []conf.Entry
	removed := map[string]bool{}
	for _, edit := range edits {
		removed[e.Name(edit.Key)] = true
		if s := e.String(edit.Key); s.Set() {
			removed[s.Entry.Key] = true
		}
		if !edit.Unset {
			entries = append(entries, conf.Entry{Key: e.Name(edit.Key), Value: edit.Value, Text: edit.Value, Raw: edit.Value})
		}
	}
	for _, entry := range e.Entries() {
		if !removed[entry.Key] {
			entries = append(entries, *entry)
		}
	}
	out, err := conf.Merge(e.Version, conf.Layer{Name: "after", Dialect: conf.Flat, Entries: entries})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFindIsSortedAndQuiet(t *testing.T) {
	hits := Find(contextOf(t, "1.13.1", uc+rdb+inc, ""))
	for i := 1; i < len(hits); i++ {
		if hits[i].Severity < hits[i-1].Severity {
			t.Errorf("%s (%s) stands after %s (%s)", hits[i].ID, hits[i].Severity, hits[i-1].ID, hits[i-1].Severity)
		}
	}
	if hits := Find(&Context{}); len(hits) != 0 {
		t.Errorf("without a version %d defects are claimed", len(hits))
	}
	for _, h := range Find(&Context{Flink: version.MustParse("1.13.1")}) {
		if h.Product != Flink {
			t.Errorf("%s of %s is claimed without its version", h.ID, h.Product)
		}
	}
	operator := Find(&Context{Operator: version.MustParse("1.8.0")})
	if !slices.ContainsFunc(operator, func(h Hit) bool { return h.ID == "FLINK-35192" && h.Verdict.Truth == True }) {
		t.Error("FLINK-35192 is not met by the operator 1.8.0")
	}
}

func TestDecidable(t *testing.T) {
	decidable := 0
	for _, d := range entries(t) {
		if d.Decidable() {
			decidable++
		}
	}
	t.Logf("%d of %d can be decided by options and facts", decidable, len(entries(t)))
	for id, want := range map[string]bool{
		"FLINK-22946": true, "FLINK-18595": false, "FLINK-31963": true, "FLINK-21351": false, "CVE-2021-44228": true, "FLINK-29397": false, "FLINK-31277": true,
	} {
		if got := ByID(id)[0].Decidable(); got != want {
			t.Errorf("%s: decidable %t, want %t", id, got, want)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for b.Loop() {
		if _, err := decode(defectsText); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	c := contextOf(b, "1.13.1", uc+rdb+inc, "")
	for b.Loop() {
		Find(c)
	}
}

// The first Find of a process decodes the data and parses the conditions of the release.
func BenchmarkFirstFind(b *testing.B) {
	c := contextOf(b, "1.13.1", uc+rdb+inc, "")
	for b.Loop() {
		data, err := decode(defectsText)
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range data.defects {
			if d.Affects(c.Flink) == Yes {
				d.Eval(c)
			}
		}
	}
}
