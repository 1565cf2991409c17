package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// TestCompactFormIsCurrent: the compiled catalogue and the counts are what raw.tsv and classes.tsv make.
func TestCompactFormIsCurrent(t *testing.T) {
	rows, all, err := load(".")
	if err != nil {
		t.Fatal(err)
	}
	want, err := GoSource(rows)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../catalog_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("catalog_gen.go is not what the generator makes; run go generate ./schema/option")
	}
	printed, err := os.ReadFile("counts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(counts(all, rows), string(printed)); diff != "" {
		t.Errorf("counts.tsv (-want +got):\n%s", diff)
	}
}

// TestCountsOfCatalogue: package option yields as many options per line as the generator printed.
func TestCountsOfCatalogue(t *testing.T) {
	text, err := os.ReadFile("counts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := table(string(text), []string{"line", "fields", "options", "aliases"})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(version.Minors) {
		t.Fatalf("%d lines in counts.tsv, want %d", len(rows), len(version.Minors))
	}
	for _, r := range rows {
		n := 0
		for range option.All(version.MustParse(r[0])) {
			n++
		}
		if got := strconv.Itoa(n); got != r[2] {
			t.Errorf("%s: %s options, the generator printed %s", r[0], got, r[2])
		}
	}
}

// TestRandomPicks: 200 fields of raw.tsv over five lines, taken as the jars have them, are found in the catalogue with the same
// kind, default, values and old names.
func TestRandomPicks(t *testing.T) {
	raw, err := os.ReadFile("raw.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all, err := parseDeclarations(string(raw))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("classes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	uses, err := parseUses(string(text))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, line := range []string{"1.10", "1.13", "1.17", "1.20", "2.3"} {
		v := version.MustParse(line)
		i, _ := v.Index()
		var pool []Declaration
		for _, d := range all {
			// A deprecated field may have given way to a current one with the same key; TestShadowing looks at those.
			if d.From <= i && i <= d.To && uses[d.Class].isOption(d) && !d.obsolete() {
				pool = append(pool, d)
			}
		}
		for range 40 {
			d := pool[random.IntN(len(pool))]
			m, ok := option.Lookup(d.Key, v)
			if !ok || m.Via != option.Canonical {
				t.Errorf("%s at %s: not found as an option of its own", d.Key, line)
				continue
			}
			if diff := cmp.Diff(asJarSays(d), asCatalogueSays(m.Option)); diff != "" {
				t.Errorf("%s at %s (-jar +catalogue):\n%s", d.Key, line, diff)
			}
		}
	}
}

type facts struct{ Key, Kind, Values, Default, Aliases string }

func asJarSays(d Declaration) facts {
	var aliases []string
	for _, a := range strings.Fields(d.Aliases) {
		if a[2:] != d.Key {
			aliases = append(aliases, a)
		}
	}
	return facts{d.Key, d.Kind, d.Values, d.Default, strings.Join(aliases, " ")}
}

func asCatalogueSays(o *option.Option) facts {
	names := map[option.Kind]string{
		option.String: "string", option.Boolean: "boolean", option.Int: "int", option.Long: "long", option.Float: "float",
		option.Double: "double", option.Memory: "memory", option.Duration: "duration", option.Enum: "enum", option.Map: "map",
	}
	kind := names[o.Kind]
	if o.Kind == option.List {
		kind = "list<" + names[o.Elem] + ">"
	}
	var def string
	switch {
	case o.MachineDefault:
		def = "machine"
	case o.HasDefault:
		def = "=" + o.Default
	}
	var aliases []string
	for _, k := range o.Fallback {
		aliases = append(aliases, "f:"+k)
	}
	for _, k := range o.Deprecated {
		aliases = append(aliases, "d:"+k)
	}
	return facts{o.Key, kind, strings.Join(o.Values, "|"), def, strings.Join(aliases, " ")}
}

// TestEveryFieldIsAnswered: every key that any jar declares for the configuration is known to Lookup in its line, and keys with a
// name in them are members of a family with the same kind and default.
func TestEveryFieldIsAnswered(t *testing.T) {
	raw, err := os.ReadFile("raw.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all, err := parseDeclarations(string(raw))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("classes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	uses, err := parseUses(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if uses[d.Class].kind != "option" {
			continue
		}
		for i := d.From; i <= d.To; i++ {
			v := version.Minors[i]
			if uses[d.Class].isOption(d) {
				if _, ok := option.Lookup(d.Key, v); !ok {
					t.Errorf("%s at %s is unknown", d.Key, v)
				}
				continue
			}
			if d.SuffixOf == "" && !strings.Contains(d.Key, "<") {
				continue // a key that the class has for something else
			}
			key := d.Key
			if d.SuffixOf != "" {
				key = d.SuffixOf + "." + key
			}
			key = strings.NewReplacer("<", "", ">", "").Replace(key)
			m, ok := option.Lookup(key, v)
			if !ok || m.Via != option.ByFamily {
				t.Errorf("%s (%s, %s) at %s is in no family", key, d.Class, d.Field, v)
				continue
			}
			want := asJarSays(d)
			want.Key, want.Aliases = key, ""
			if diff := cmp.Diff(want, asCatalogueSays(m.Option)); diff != "" {
				t.Errorf("%s (%s.%s) at %s (-jar +family):\n%s", key, d.Class, d.Field, v, diff)
			}
		}
	}
}
