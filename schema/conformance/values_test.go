package conformance_test

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conformance"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Options of Flink that every version reads as a list and as a map: the harness uses options of its own, which the catalogue does not know.
const (
	listKey = "pipeline.jars"
	mapKey  = "pipeline.global-job-parameters"
)

// sampleEnum is the harness's enum.
var sampleEnum = []string{"EXACTLY_ONCE", "NO_CLAIM", "dashed-name"}

// TestValues compares how values of every type are read, and how those that Flink prints are printed.
func TestValues(t *testing.T) {
	t.Parallel()
	set := open(t, "values")
	c := newTally(t)
	c.known = []knownDifference{javaSet, lineEnds, {regexp.MustCompile(`\\/`), `YAML 1.2 has the escape "\/", our YAML library has not`}}
	for i := range set.Vectors {
		v := &set.Vectors[i]
		for r, release := range set.Releases {
			// Lists of maps (tolerations) are not read by anything here; their vectors wait for the first use.
			if flink, ok := v.Output(r); ok && v.Input[0] != "maplist" {
				ours := valueAnswer(t, release.Version, v.Input[0], v.Input[1], v.Input[2])
				if v.Input[0] == "duration" && flink[len(flink)-1] == "unprintable" && len(ours) == len(flink) {
					// Up to 1.20 Flink cannot print a duration of more than 2^63-1 ns, which it reads; we print it as 2.0 does.
					ours[len(ours)-1] = "unprintable"
				}
				c.compare(v, release.Version, withoutCause(flink), ours)
			}
		}
	}
	c.report(3000)
}

// withoutCause keeps "refused" and "unloadable" without the Java classes of the exceptions.
func withoutCause(answer []string) []string {
	word, _, _ := strings.Cut(answer[0], " ")
	if word == "refused" || word == "unloadable" {
		return []string{word}
	}
	return answer
}

func valueAnswer(t *testing.T, v version.Version, kind, mode, text string) []string {
	t.Helper()
	key := listKey
	if kind == "map" {
		key = mapKey
	}
	layer := conf.Layer{Dialect: conf.Arguments, Entries: []conf.Entry{{Key: key, Value: text, Text: text, Raw: text}}}
	switch mode {
	case "legacy":
		layer.Dialect = conf.Flat
	case "standard":
		layer.Dialect = conf.YAML
	case "yaml":
		doc, err := conf.ParseYAML(view([]byte(key + ": " + text + "\n")))
		if err != nil {
			t.Fatal(err)
		}
		if isFatal(doc) {
			return []string{"unloadable"}
		}
		for i := range doc.Entries {
			doc.Entries[i].Placeholder = false // "${HOME}" is text to Flink, and to us something that is filled in later
		}
		layer = conf.Layer{Dialect: conf.YAML, Entries: doc.Entries}
	}
	e, err := conf.Merge(v, layer)
	if err != nil {
		t.Fatal(err)
	}
	entry := e.Entry(key)
	if entry == nil && (kind != "map" || len(e.Prefixed(key+".")) == 0) {
		return []string{"absent"}
	}
	out, err := readValue(e, v, kind, entry)
	if err != nil {
		return []string{"refused"}
	}
	return append([]string{"ok"}, out...)
}

func view(data []byte) *source.View {
	f := source.NewFile("vector", data)
	v := source.NewView(f)
	v.Append(0, len(data))
	return v
}

func isFatal(d *conf.Document) bool {
	return slices.ContainsFunc(d.Faults, func(f conf.Fault) bool { return f.Fatal })
}

func readValue(e *conf.Effective, v version.Version, kind string, n *conf.Entry) ([]string, error) {
	switch kind {
	case "memory":
		b, err := quantity.ParseBytes(n.Value)
		return []string{fmt.Sprint(int64(b)), b.String(), b.Human()}, err
	case "duration":
		return readDuration(n.Value, v)
	case "boolean":
		b, err := quantity.ParseBool(n.Value)
		return []string{fmt.Sprint(b)}, err
	case "int":
		i, err := quantity.ParseInt(n.Value)
		return []string{fmt.Sprint(i)}, err
	case "long":
		i, err := quantity.ParseLong(n.Value)
		return []string{fmt.Sprint(i)}, err
	case "float":
		return readFloat(n)
	case "double":
		d, err := quantity.ParseDouble(n.Value)
		return []string{strconv.FormatUint(math.Float64bits(canonicalNaN(d)), 16)}, err
	case "string":
		return []string{n.Text}, nil
	case "enum":
		if c, ok := quantity.MatchEnum(n.Value, sampleEnum); ok {
			return []string{c}, nil
		}
		return nil, fmt.Errorf("no constant")
	case "list":
		l := e.List(listKey)
		return append([]string{strconv.Itoa(len(l.V))}, l.V...), l.Err
	case "intlist":
		return readElements(e, func(s string) (string, error) {
			i, err := quantity.ParseInt(s)
			return fmt.Sprint(i), err
		})
	case "durationlist":
		return readElements(e, func(s string) (string, error) {
			f, err := readDuration(s, v)
			return strings.Join(f, " | "), err
		})
	case "map":
		m := e.Map(mapKey)
		pairs := slices.SortedFunc(slices.Values(m.V), func(a, b quantity.Pair) int { return cmp.Compare(a.Key, b.Key) })
		var out []string
		for _, p := range pairs {
			out = append(out, p.Key+" => "+p.Value)
		}
		return out, m.Err
	}
	return nil, fmt.Errorf("no such kind")
}

func canonicalNaN(d float64) float64 {
	if math.IsNaN(d) {
		return math.Float64frombits(0x7ff8000000000000)
	}
	return d
}

func readDuration(text string, v version.Version) ([]string, error) {
	d, err := quantity.ParseDuration(text, v)
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("%d %d", d.Sec, d.Nanos), d.Format(v)}, nil
}

// readFloat follows conf.Effective.Fraction: YAML's doubles are narrowed, everything else is text.
func readFloat(n *conf.Entry) ([]string, error) {
	f, err := quantity.ParseFloat(n.Value)
	if n.Kind == conf.Double {
		var d float64
		if d, err = quantity.ParseDouble(n.Value); err == nil {
			f, err = quantity.FloatFromDouble(d)
		}
	}
	bits := math.Float32bits(f)
	if math.IsNaN(float64(f)) {
		bits = 0x7fc00000
	}
	return []string{strconv.FormatUint(uint64(bits), 16)}, err
}

func readElements(e *conf.Effective, read func(string) (string, error)) ([]string, error) {
	l := e.List(listKey)
	if l.Err != nil {
		return nil, l.Err
	}
	out := []string{strconv.Itoa(len(l.V))}
	for _, s := range l.V {
		x, err := read(s)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// FuzzRead keeps the reader from failing on anything but with an error.
func FuzzRead(f *testing.F) {
	f.Add("#version\t1.13.6\tj\n+a\n0\tx\n")
	f.Fuzz(func(t *testing.T, text string) {
		set, err := conformance.Read(strings.NewReader(text))
		if err == nil {
			for i := range set.Vectors {
				for r := range set.Releases {
					set.Vectors[i].Output(r)
				}
			}
		}
	})
}
