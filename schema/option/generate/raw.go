package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Declaration is one static ConfigOption field as reflection saw it in the minor lines From to To (places in version.Minors).
type Declaration struct {
	Class, Field string
	From, To     int
	Facts
}

// Facts are what reflection tells about a field in one line.
type Facts struct {
	// Key is the key in the ConfigOption itself; for reporters and the like it is relative to SuffixOf.
	Key string
	// Kind is "string", "boolean", "int", "long", "float", "double", "memory", "duration", "enum", "map", or "list<kind>".
	Kind string
	// Values are the constants of an enum, as Flink prints them, joined by "|".
	Values string
	// Default is "" for none, else "=" and the text, or "machine" where two machines differ.
	Default string
	// Aliases are the other keys in Flink's order, each with "d:" (deprecated) or "f:" (fallback) in front.
	Aliases string
	// Flags are "deprecated", "internal", "internal-class" and "excluded" (from Flink's documentation).
	Flags string
	// SuffixOf is the value of Flink's SuffixOption annotation.
	SuffixOf string
	// Artefact is the jar the class came from, without version and Scala suffix.
	Artefact string
}

var rawColumns = []string{"class", "field", "from", "to", "key", "kind", "values", "default", "aliases", "flags", "suffix-of", "artefact"}

const packagePrefix = "org.apache.flink."

// parseDeclarations reads raw.tsv.
func parseDeclarations(text string) ([]Declaration, error) {
	lines, err := table(text, rawColumns)
	if err != nil {
		return nil, err
	}
	var all []Declaration
	for _, f := range lines {
		from, err := minor(f[2])
		if err != nil {
			return nil, err
		}
		to, err := minor(f[3])
		if err != nil {
			return nil, err
		}
		all = append(all, Declaration{f[0], f[1], from, to, Facts{f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11]}})
	}
	return all, nil
}

// table splits a tab-separated file whose first line that is no comment names the columns.
func table(text string, columns []string) ([][]string, error) {
	var rows [][]string
	head := false
	for n, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if !head {
			if !slices.Equal(f, columns) {
				return nil, fmt.Errorf("line %d: columns %q, want %q", n+1, f, columns)
			}
			head = true
			continue
		}
		if len(f) != len(columns) {
			return nil, fmt.Errorf("line %d: %d columns, want %d", n+1, len(f), len(columns))
		}
		rows = append(rows, f)
	}
	return rows, nil
}

// minor is the place of a minor line in version.Minors.
func minor(text string) (int, error) {
	v, err := version.Parse(text)
	if err != nil {
		return 0, err
	}
	i, exact := v.Index()
	if !exact {
		return 0, fmt.Errorf("%s is not a known minor line", text)
	}
	return i, nil
}

// printDeclarations writes raw.tsv.
func printDeclarations(all []Declaration, comments []string) string {
	var b strings.Builder
	for _, c := range comments {
		fmt.Fprintf(&b, "# %s\n", c)
	}
	b.WriteString(strings.Join(rawColumns, "\t") + "\n")
	for _, d := range all {
		row := []string{d.Class, d.Field, version.Minors[d.From].String(), version.Minors[d.To].String(),
			d.Key, d.Kind, d.Values, d.Default, d.Aliases, d.Flags, d.SuffixOf, d.Artefact}
		b.WriteString(strings.Join(row, "\t") + "\n")
	}
	return b.String()
}

// A run is what the Java program printed for one minor line: by class and field.
type run map[[2]string]Facts

// parseRun reads the output of the Java program. Durations and sizes are printed as Flink prints them, artefacts lose their
// version.
func parseRun(text string) (run, error) {
	r := run{}
	for n, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 10 {
			return nil, fmt.Errorf("line %d: %d columns, want 10", n+1, len(f))
		}
		def, err := normalDefault(f[3], f[5])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		name := [2]string{strings.TrimPrefix(f[0], packagePrefix), f[1]}
		if _, ok := r[name]; ok {
			return nil, fmt.Errorf("line %d: %v twice", n+1, name)
		}
		r[name] = Facts{Key: f[2], Kind: f[3], Values: f[4], Default: def, Aliases: f[6], Flags: f[7], SuffixOf: f[8], Artefact: artefact(f[9])}
	}
	return r, nil
}

// artefact cuts version and Scala suffix off the name of a jar: "flink-dist_2.11-1.13.6.jar" is "flink-dist".
func artefact(jar string) string {
	name := strings.TrimSuffix(jar, ".jar")
	for i := 0; i+1 < len(name); i++ {
		if (name[i] == '-' || name[i] == '_') && '0' <= name[i+1] && name[i+1] <= '9' {
			return name[:i]
		}
	}
	return name
}

// normalDefault turns the Java program's "1073741824 bytes" and "600000 ms" into what Flink prints: "1 gb", "10 min".
func normalDefault(kind, def string) (string, error) {
	text, ok := strings.CutPrefix(def, "=")
	if !ok || (kind != "memory" && kind != "duration") {
		return def, nil
	}
	number, unit, _ := strings.Cut(text, " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return "", fmt.Errorf("default %q of kind %s: %w", text, kind, err)
	}
	switch unit {
	case "bytes":
		return "=" + quantity.Bytes(n).String(), nil
	case "ms":
		seconds := floorDiv(n, 1000)
		d := quantity.Duration{Sec: seconds, Nanos: int32(n-seconds*1000) * 1e6}
		return "=" + d.Format(version.Newest()), nil
	}
	return def, nil
}

// floorDiv rounds down, as java.time.Duration does with negative values.
func floorDiv(a, b int64) int64 {
	if a%b < 0 {
		return a/b - 1
	}
	return a / b
}

// mergeMachines compares the same line reflected on two different machines and marks defaults that differ.
func mergeMachines(a, b run) (run, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("%d fields on one machine, %d on the other", len(a), len(b))
	}
	out := run{}
	for name, fa := range a {
		fb, ok := b[name]
		if !ok {
			return nil, fmt.Errorf("%v is missing on the second machine", name)
		}
		if fa.Default != fb.Default {
			fa.Default, fb.Default = "machine", "machine"
		}
		if fa != fb {
			return nil, fmt.Errorf("%v differs between machines: %+v and %+v", name, fa, fb)
		}
		out[name] = fa
	}
	return out, nil
}

// mergeLines joins the runs of all minor lines into histories: a new declaration starts where any fact changes.
func mergeLines(runs []run) []Declaration {
	var all []Declaration
	for i, r := range runs {
		for name, f := range r {
			all = append(all, Declaration{name[0], name[1], i, i, f})
		}
	}
	slices.SortFunc(all, func(a, b Declaration) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Field, b.Field), cmp.Compare(a.From, b.From))
	})
	joined := all[:0]
	for _, d := range all {
		if n := len(joined) - 1; n >= 0 && joined[n].Class == d.Class && joined[n].Field == d.Field && joined[n].Facts == d.Facts && joined[n].To+1 == d.From {
			joined[n].To = d.To
			continue
		}
		joined = append(joined, d)
	}
	return joined
}
