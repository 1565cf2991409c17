package conf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func TestDetect(t *testing.T) {
	const flat, tree = "a.b: c\n", "a:\n  b: c\n"
	v118, v120, v20 := version.Of(1, 18), version.Of(1, 20), version.Of(2, 0)
	for _, c := range []struct {
		name, text string
		v          version.Version
		want       Dialect
		unread     bool
	}{
		{"conf/flink-conf.yaml", tree, version.Version{}, Flat, false},
		{"conf/flink-conf.yaml", flat, v120, Flat, false},
		{"flink-conf.yaml.j2", flat, v20, Flat, true},
		{"config.yaml", flat, version.Version{}, YAML, false},
		{"config.yaml", flat, v118, YAML, true},
		{"config.yaml", tree, v20, YAML, false},
		{"config.yml", tree, v20, YAML, true},
		{"-", flat, version.Version{}, Flat, false},
		{"-", tree, version.Version{}, YAML, false},
		{"-", tree, v118, Flat, false},
		{"my.yaml", flat, v20, YAML, false},
		{"my.yaml", "a:\n  b: x: y\n", v120, Flat, false},
	} {
		got, why := Detect(c.name, []byte(c.text), c.v)
		if got != c.want || (why.Unread != "") != c.unread {
			t.Errorf("%s, Flink %s, %q: %v %+v", c.name, c.v, c.text, got, why)
		}
	}
}

func TestOpen(t *testing.T) {
	f := source.NewFile("flink-conf.yaml", []byte("a: 'b'\nc: d\n"))
	d, err := Open(f.Whole(), Options{Version: version.Of(2, 1), Dialect: YAML})
	if err != nil || d.Dialect != YAML || d.Entries[0].Value != "b" {
		t.Fatalf("a forced dialect: %+v, %v", d, err)
	}
	if len(d.Faults) != 1 || d.Faults[0].Kind != FaultWrongFileName || d.Faults[0].Span.Line != 1 {
		t.Errorf("Flink 2.1 does not read flink-conf.yaml: %+v", d.Faults)
	}
	if d, _ := Open(f.Whole(), Options{Version: version.Of(2, 1), Name: "config.yaml"}); len(d.Faults) != 0 {
		t.Errorf("the given name decides: %+v", d.Faults)
	}
	if _, err := Open(f.Whole(), Options{Dialect: Arguments}); err == nil {
		t.Error("arguments are not a file")
	}
}

func TestArguments(t *testing.T) {
	l, err := ParseArguments("--set", "a.b=c=d", "-Dx=", "-yDy= z ", "-Dflag")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range l.Entries {
		got = append(got, e.Layer+" "+e.Key+" "+e.Value)
	}
	if diff := cmp.Diff([]string{"--set a.b c=d", "--set x ", "--set y  z", "--set flag true"}, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "=x", "flag", "-D"} {
		if _, err := ParseArguments("--set", bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestMergeKeepsLayersAndPrefixes(t *testing.T) {
	file := parseFlat(t, "state.backend: rocksdb\nstate.backend.incremental: true\nstate.backend: hashmap\n").Layer()
	set, _ := ParseArguments("--set", "-Dstate.backend.incremental=false")
	e, err := Merge(version.Of(1, 18), file, set)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.String("state.backend.type").V; got != "hashmap" {
		t.Errorf("state.backend is %q", got)
	}
	v := e.Bool("state.backend.incremental")
	if v.V || v.From() != "--set" || !v.Set() {
		t.Errorf("incremental: %+v from %s", v, v.From())
	}
	if n := len(e.Overridden()); n != 2 {
		t.Errorf("%d entries are overridden, want 2", n)
	}
	for _, c := range []struct {
		v      version.Version
		layers []Layer
		want   bool
	}{
		{version.Of(1, 18), nil, false}, {version.Of(1, 20), []Layer{file}, false}, {version.Of(1, 20), []Layer{set}, true},
		{version.Of(1, 20), []Layer{{Dialect: YAML}}, true}, {version.Of(2, 0), []Layer{file}, true},
	} {
		if e, _ := Merge(c.v, c.layers...); e.Standard != c.want {
			t.Errorf("Flink %s with %v reads lists as standard YAML: %v, want %v", c.v, c.layers, e.Standard, c.want)
		}
	}
}
