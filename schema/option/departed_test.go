package option

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

func TestDeparted(t *testing.T) {
	for _, test := range []struct {
		key, version string
		want         Departure
		ok           bool
	}{
		{"taskmanager.memory.preallocate", "1.10", Departure{Key: "taskmanager.memory.preallocate", Fixed: "false", Note: "managed memory is reserved as it is used"}, true},
		{"parallelization.degree.default", "2.2", Departure{Key: "parallelization.degree.default", By: []string{"parallelism.default"}}, true},
		{"taskmanager.heap.mb", "1.20", Departure{}, false},
		{"taskmanager.heap.mb", "2.0", Departure{Key: "taskmanager.heap.mb", Last: version.Of(1, 20),
			By:   []string{"taskmanager.memory.flink.size", "taskmanager.memory.process.size"},
			Note: "up to 1.20 the start scripts took it for total Flink memory, Kubernetes and YARN for the process size"}, true},
		// An old name of an option that another name still reads.
		{"state.backend.rocksdb.checkpointdir", "2.1", Departure{Key: "state.backend.rocksdb.checkpointdir", Last: version.Of(1, 20), By: []string{"state.backend.rocksdb.localdir"}, Same: true}, true},
		// Nothing took its place.
		{"high-availability.job.delay", "2.0", Departure{Key: "high-availability.job.delay", Last: version.Of(1, 20)}, true},
		{"execution-retries.delay", "1.16", Departure{Key: "execution-retries.delay", By: []string{"restart-strategy.fixed-delay.delay"}, Note: "restart-strategy.type: fixed-delay goes with it"}, true},
		{"no.such.key", "2.0", Departure{}, false},
		{"rest.port", "2.0", Departure{}, false},
		// Yet to come.
		{"execution.checkpointing.dir", "1.13", Departure{}, false},
	} {
		got, ok := Departed(test.key, version.MustParse(test.version))
		if ok != test.ok {
			t.Errorf("%s at %s: departed %v", test.key, test.version, ok)
			continue
		}
		if diff := cmp.Diff(test.want, got); ok && diff != "" {
			t.Errorf("%s at %s: %s", test.key, test.version, diff)
		}
	}
}

// Each row must be about keys that are really gone, and name successors that are really there.
func TestDeparturesAreGoneAndSuccessorsThere(t *testing.T) {
	for _, row := range departures {
		matches := func(k string) bool { return strings.HasPrefix(k, row.key) }
		found := false
		for _, o := range options {
			if matches(o.Key) && o.Until.Known() {
				found = true
			}
		}
		for _, a := range aliases {
			found = found || matches(a.key) && int(a.span.to) < len(version.Minors)-1
		}
		for _, f := range families {
			found = found || matches(f.pattern) && f.until != line{}
		}
		if !found {
			t.Errorf("%s: no key of the catalogue that is gone", row.key)
		}
	}
	for _, row := range ancient {
		for _, v := range version.Minors {
			if m, ok := Lookup(strings.TrimSuffix(row.key, "."), v); ok && m.Via != ByFamily {
				t.Errorf("%s is known to %s", row.key, v)
			}
		}
	}
	for _, row := range slices.Concat(departures[:], ancient[:]) {
		for _, by := range row.by {
			if m, ok := Lookup(by, version.Newest()); !ok || m.Via != Canonical {
				t.Errorf("%s: %s took its place, which %s does not know by that name", row.key, by, version.Newest())
			}
		}
	}
}

func TestStatefulFunctionsAreKnown(t *testing.T) {
	if m, ok := Lookup("statefun.flink-job-name", version.Of(1, 11)); !ok || !m.Open {
		t.Errorf("got %+v, %v", m, ok)
	}
}
