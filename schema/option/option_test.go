package option

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

func TestLookup(t *testing.T) {
	tests := []struct {
		key, version string
		want         string // canonical key, "" for unknown
		via          Via
		kind         Kind
		def          string
	}{
		{"taskmanager.memory.network.max", "1.16", "taskmanager.memory.network.max", Canonical, Memory, "1 gb"},
		{"taskmanager.memory.network.max", "1.17", "taskmanager.memory.network.max", Canonical, Memory, "9223372036854775807 bytes"},
		{"execution.checkpointing.timeout", "1.13.1", "execution.checkpointing.timeout", Canonical, Duration, "10 min"},
		{"state.checkpoints.dir", "1.19", "state.checkpoints.dir", Canonical, String, ""},
		{"state.checkpoints.dir", "1.20", "execution.checkpointing.dir", ByDeprecated, String, ""},
		{"execution.checkpointing.dir", "1.19", "", 0, 0, ""},
		{"akka.ask.timeout", "1.13", "akka.ask.timeout", Canonical, String, "10 s"},
		{"akka.ask.timeout", "2.2", "pekko.ask.timeout", ByDeprecated, Duration, "10 s"},
		{"rest.port", "1.20", "rest.port", Canonical, Int, "8081"},
		{"taskmanager.memory.managed.consumer-weights.PYTHON", "1.14", "taskmanager.memory.managed.consumer-weights", ByPrefix, Map, "OPERATOR:70,STATE_BACKEND:70,PYTHON:30"},
		{"taskmanager.memory.managed.consumer-weights.PYTHON", "1.13", "", 0, 0, ""},
		{"kubernetes.jobmanager.annotations.prometheus.io/scrape", "1.18", "kubernetes.jobmanager.annotations", ByPrefix, Map, ""},
		{"metrics.reporter.prom.factory.class", "1.13", "metrics.reporter.prom.factory.class", ByFamily, String, ""},
		{"metrics.reporter.prom.interval", "2.2", "metrics.reporter.prom.interval", ByFamily, Duration, "10 s"},
		{"metrics.reporter.prom.anything.at.all", "1.13", "metrics.reporter.prom.anything.at.all", ByFamily, String, ""},
		{"metrics.reporter..port", "1.13", "", 0, 0, ""},
		{"metrics.reporters.prom.port", "1.13", "", 0, 0, ""},
		{"traces.reporter.otel.factory.class", "1.18", "", 0, 0, ""},
		{"flink.hadoop.dfs.replication", "1.15", "flink.hadoop.dfs.replication", ByFamily, String, ""},
		{"flink.hadoop", "1.15", "", 0, 0, ""},
		{"fs.s3.limit.total", "1.15", "fs.s3.limit.total", ByFamily, Int, "-1"},
		{"zookeeper.heap.mb", "1.13", "zookeeper.heap.mb", ByScript, String, ""},
		{"taskmanager.memory.proces.size", "1.13", "", 0, 0, ""},
		{"state.backend", "1.13", "state.backend", Canonical, String, ""},
		{"state.backend", "1.17", "state.backend.type", ByDeprecated, String, ""},
		// Lines outside the known ones count as the nearest.
		{"akka.ask.timeout", "1.9", "akka.ask.timeout", Canonical, String, "10 s"},
		{"akka.ask.timeout", "9.0", "pekko.ask.timeout", ByDeprecated, Duration, "10 s"},
		{"", "1.13", "", 0, 0, ""},
		{".", "2.2", "", 0, 0, ""},
	}
	for _, test := range tests {
		m, ok := Lookup(test.key, version.MustParse(test.version))
		if ok != (test.want != "") {
			t.Errorf("%s at %s: known %v, want %v", test.key, test.version, ok, test.want != "")
			continue
		}
		if !ok {
			continue
		}
		if m.Option.Key != test.want || m.Via != test.via || m.Option.Kind != test.kind || m.Option.Default != test.def {
			t.Errorf("%s at %s: %q via %d kind %d default %q; want %q via %d kind %d default %q", test.key, test.version,
				m.Option.Key, m.Via, m.Option.Kind, m.Option.Default, test.want, test.via, test.kind, test.def)
		}
	}
}

func TestLookupOthers(t *testing.T) {
	m, ok := Lookup("state.backend.local-recovery", version.Of(2, 0))
	if !ok || m.Via != ByDeprecated || len(m.Others) != 1 {
		t.Fatalf("got %+v, %v", m, ok)
	}
	got := []string{m.Option.Key, m.Others[0].Key}
	if diff := cmp.Diff([]string{"execution.checkpointing.local-backup.enabled", "execution.state-recovery.from-local"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAllIsSortedAndCanonical(t *testing.T) {
	for _, v := range version.Minors {
		var keys []string
		for o := range All(v) {
			keys = append(keys, o.Key)
			if m, ok := Lookup(o.Key, v); !ok || m.Option != o || m.Via != Canonical {
				t.Errorf("%s: All yields %s, Lookup finds %+v", v, o.Key, m)
			}
			if v.Compare(o.Since) < 0 || (o.Until.Known() && v.Compare(o.Until) > 0) {
				t.Errorf("%s: %s is since %s until %s", v, o.Key, o.Since, o.Until)
			}
			for _, k := range slices.Concat(o.Fallback, o.Deprecated) {
				if _, ok := Lookup(k, v); !ok {
					t.Errorf("%s: alias %s of %s is unknown", v, k, o.Key)
				}
			}
		}
		if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != len(keys) {
			t.Errorf("%s: keys are not sorted and unique", v)
		}
	}
}

func TestHistory(t *testing.T) {
	h, ok := History("state.backend")
	if !ok || len(h.Own) == 0 || len(h.Alias) == 0 {
		t.Fatalf("got %+v", h)
	}
	last := h.Own[len(h.Own)-1]
	if last.To != version.Of(1, 16) || h.Alias[0].From != version.Of(1, 17) || h.Alias[0].Option.Key != "state.backend.type" {
		t.Errorf("own until %s, alias %+v", last.To, h.Alias[0])
	}
	if h.Since() != version.Oldest() || h.Until() != version.Newest() || !h.Known(version.Of(2, 1)) {
		t.Errorf("since %s until %s", h.Since(), h.Until())
	}
	gone, _ := History("akka.watch.threshold")
	if gone.Until() != version.Of(1, 20) || gone.Known(version.Of(2, 0)) {
		t.Errorf("akka.watch.threshold until %s", gone.Until())
	}
	if _, ok := History("no.such.key"); ok {
		t.Error("no.such.key has a history")
	}
}

func TestNearest(t *testing.T) {
	tests := []struct {
		key, version, want string // want is the first suggestion, "" for none
	}{
		{"taskmanager.memory.proces.size", "1.13", "taskmanager.memory.process.size"},
		{"taskmanager.numberOfTaskSlot", "1.13", "taskmanager.numberOfTaskSlots"},
		{"taskmanager.number-of-task-slots", "1.13", "taskmanager.numberOfTaskSlots"},
		{"state.checkpoint.dir", "1.19", "state.checkpoints.dir"},
		{"state.checkpoint.dir", "2.0", "state.checkpoints.dir"},
		{"execution.checkpoint.interval", "1.13", "execution.checkpointing.interval"},
		{"metrics.reporters.prom.factory.class", "1.13", "metrics.reporter.prom.factory.class"},
		{"jobmanager.memory.size", "1.13", "jobmanager.memory.heap.size"},
		{"restart-strategy.fixed-delay.attempt", "1.13", "restart-strategy.fixed-delay.attempts"},
		{"fs.s3b.endpoint", "1.13", "fs.s3.endpoint"},
		{"com.example.job.threads", "1.13", ""},
		{"x", "1.13", ""},
		{"", "1.13", ""},
	}
	for _, test := range tests {
		var got string
		if s := Nearest(test.key, version.MustParse(test.version), 3); len(s) > 0 {
			got = s[0].Key
		}
		if got != test.want {
			t.Errorf("%s at %s: %q, want %q", test.key, test.version, got, test.want)
		}
	}
}

func TestSensitive(t *testing.T) {
	for key, want := range map[string]bool{
		"security.ssl.rest.keystore-PASSWORD": true, "s3.secret-key": true, "s3.access-key": true, "fs.azure.account.key.x": true,
		"rest.port": false, "state.backend.type": false,
	} {
		if Sensitive(key) != want {
			t.Errorf("Sensitive(%q) = %v", key, !want)
		}
	}
}

var sink Match

func BenchmarkLookup(b *testing.B) {
	for name, key := range map[string]string{
		"canonical": "taskmanager.memory.process.size", "alias": "state.checkpoints.dir", "prefix": "kubernetes.jobmanager.annotations.a.b",
		"family": "metrics.reporter.prom.port", "lastFamily": "autoscaler.standalone.x", "unknown": "taskmanager.memory.proces.size",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			v := version.Of(2, 2)
			for b.Loop() {
				sink, _ = Lookup(key, v)
			}
		})
	}
}

func BenchmarkAll(b *testing.B) {
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for range All(version.Of(2, 2)) {
			n++
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Nearest("taskmanager.memory.proces.size", version.Of(2, 2), 3)
	}
}
