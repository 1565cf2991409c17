package carrier

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// corpusVariable names a folder of real files, a subfolder per kind; the files are not ours to ship, so the test is for those who have some.
const corpusVariable = "FLINKADVISE_CORPUS"

func TestCorpus(t *testing.T) {
	root := os.Getenv(corpusVariable)
	if root == "" {
		t.Skip(corpusVariable + " is not set")
	}
	type count struct{ files, carried, entries, faults, fatal int }
	counts := map[string]*count{}
	var order []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == root {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		kind := filepath.Base(filepath.Dir(path))
		if counts[kind] == nil {
			counts[kind] = &count{}
			order = append(order, kind)
		}
		n := counts[kind]
		n.files++
		// The files' names are repository and name, joined by underscores.
		name := filepath.Base(path)
		f := source.NewFile(name[max(strings.LastIndex(name, "__")+2, 0):], data)
		found, err := Open(f, conf.Options{})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		for _, c := range found {
			n.carried++
			v := c.Version()
			if !v.Known() {
				v = version.Newest()
			}
			e, err := conf.Merge(v, c.Layers...)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			n.entries += len(e.Entries())
			if testing.Verbose() {
				t.Logf("%s | %s %q | version %v | %d documents, %d options | parallelism %v | TMs %v | TM memory %v", d.Name(), c.Kind, c.Name, c.Version(), len(c.Documents), len(e.Entries()),
					c.Facts.Job.Parallelism.V, c.Facts.Deployment.TaskManagers.V, c.Facts.TaskManager.ContainerMemory.V)
			}
			for _, doc := range c.Documents {
				checkPlaces(t, doc, data)
				for _, x := range doc.Faults {
					n.faults++
					if x.Fatal {
						n.fatal++
					}
					if testing.Verbose() {
						t.Logf("   FAULT fatal=%v %s %s: %s", x.Fatal, x.Kind, x.Span, strings.ReplaceAll(fmt.Sprintf("%.90s | %s", x.Span.Text(), x.Detail), "\n", "⏎"))
					}
				}
			}
		}
		if len(found) == 0 && testing.Verbose() {
			t.Logf("%s | NOTHING", d.Name())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range order {
		t.Logf("%-16s %+v", k, *counts[k])
	}
}

// checkPlaces fails when a span leaves the file or an entry's span does not hold what it was read from.
func checkPlaces(t testing.TB, d *conf.Document, data []byte) {
	t.Helper()
	for _, e := range d.Entries {
		for _, s := range []source.Span{e.KeySpan, e.ValueSpan} {
			if !s.Valid() || s.Start < 0 || s.End < s.Start || s.End > len(data) {
				t.Errorf("%s: %s has the span %d..%d of %d bytes", d.Path(), e.Key, s.Start, s.End, len(data))
			}
		}
		last := e.Key[strings.LastIndexByte(e.Key, '.')+1:]
		if e.KeySpan != e.ValueSpan && !strings.Contains(e.KeySpan.Text(), last) && !strings.ContainsAny(e.KeySpan.Text(), "\\\"'") {
			t.Errorf("%s: the key %s stands at %q", d.Path(), e.Key, e.KeySpan.Text())
		}
	}
	for _, x := range d.Faults {
		if x.Span.Valid() && (x.Span.Start < 0 || x.Span.End > len(data)) {
			t.Errorf("%s: %s has the span %d..%d of %d bytes", d.Path(), x.Kind, x.Span.Start, x.Span.End, len(data))
		}
	}
}
