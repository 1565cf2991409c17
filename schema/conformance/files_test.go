package conformance_test

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/conf"
)

// Differences in YAML that both tests meet.
var (
	javaSet  = knownDifference{regexp.MustCompile(`!!set`), "the tag !!set makes a Java set, which no option reads; we call the file not loadable"}
	lineEnds = knownDifference{regexp.MustCompile("[\u2028\u0085]"),
		"snakeyaml-engine skips U+2028 and U+0085 as line ends before a token and takes them for text elsewhere; we always take them for text"}
)

// TestFiles compares whole files in both dialects: the exact keys and values with their types and texts, or that Flink does not start.
func TestFiles(t *testing.T) {
	t.Parallel()
	set := open(t, "files")
	c := newTally(t)
	c.known = []knownDifference{javaSet, lineEnds, {regexp.MustCompile(`&[^\s,\[\]{}]*[^\w\s,\[\]{}-]`),
		"snakeyaml-engine takes any character in an anchor's name, our YAML library letters, digits, '-' and '_'"}}
	for i := range set.Vectors {
		v := &set.Vectors[i]
		var ours []string
		for r, release := range set.Releases {
			flink, ok := v.Output(r)
			if !ok {
				continue
			}
			if ours == nil {
				ours = fileAnswer(t, v.Input[0], v.Input[1])
			}
			c.compare(v, release.Version, withoutKind(flink), ours)
		}
	}
	c.report(1500)
}

// withoutKind leaves out why a file cannot be loaded: Java's exceptions have no counterpart here.
func withoutKind(flink []string) []string {
	if flink[0] == "unloadable" {
		return flink[:1]
	}
	return flink
}

// javaTypes are the simple names of the classes that the loaders give values.
var javaTypes = map[conf.Kind][]string{
	conf.Text: {"String"}, conf.Int: {"Integer", "Long"}, conf.BigInt: {"BigInteger"}, conf.Double: {"Double"}, conf.Bool: {"Boolean"}, conf.Sequence: {"String"},
	conf.Binary: {"byte[]"},
}

func fileAnswer(t *testing.T, loader, text string) []string {
	t.Helper()
	parse := conf.ParseFlat
	if loader == "yaml" {
		parse = conf.ParseYAML
	}
	doc, err := parse(view([]byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	if isFatal(doc) {
		return []string{"unloadable"}
	}
	last := map[string]conf.Entry{}
	var keys []string
	for _, e := range doc.Entries {
		if _, seen := last[e.Key]; !seen {
			keys = append(keys, e.Key)
		}
		last[e.Key] = e
	}
	slices.Sort(keys)
	out := []string{"ok"}
	for _, k := range keys {
		e := last[k]
		kind := javaTypes[e.Kind][0]
		if e.Kind == conf.Int && len(e.Value) > 9 && !fits32(e.Value) {
			kind = "Long"
		}
		value, text := e.Value, e.Text
		if e.Kind == conf.Binary {
			value = base64.StdEncoding.EncodeToString([]byte(value))
			text = "!!binary |-\n  " + value
		}
		out = append(out, k, kind, value, text)
	}
	return out
}

func fits32(text string) bool {
	var n int64
	_, err := fmt.Sscan(text, &n)
	return err == nil && n == int64(int32(n))
}
