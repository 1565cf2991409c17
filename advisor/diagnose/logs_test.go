package diagnose

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// logs is the folder of real logs with their truths.
const logs = "../../cmd/internal/diagnose/testdata/logs"

// indexed is a line of INDEX.tsv.
type indexed struct{ file, flink, process, incident, cause string }

func index(t testing.TB) []indexed {
	t.Helper()
	f, err := os.Open(filepath.Join(logs, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []indexed
	for _, row := range rows[1:] {
		out = append(out, indexed{row[0], row[1], row[2], row[3], row[4]})
	}
	return out
}

// read reads logs as a user would name them.
func read(t testing.TB, files ...string) *Diagnosis {
	t.Helper()
	e := NewEvidence()
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Read(filepath.Base(file), f); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	e.Close()
	d, err := New(e, advisor.TargetInput{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRealLogs holds the verdict of each incident's logs, read together, against the truth.
func TestRealLogs(t *testing.T) {
	together := map[string][]indexed{}
	var order []string
	for _, x := range index(t) {
		key := x.incident + " " + x.flink + " "
		if strings.Contains(x.file, "-json-") {
			key += "json"
		}
		if !slices.Contains(order, key) {
			order = append(order, key)
		}
		together[key] = append(together[key], x)
	}
	for _, key := range order {
		t.Run(key, func(t *testing.T) {
			var files []string
			for _, x := range together[key] {
				files = append(files, filepath.Join(logs, x.file))
			}
			x := together[key][0]
			d := read(t, files...)
			var got []string
			for _, v := range d.Verdicts {
				got = append(got, v.ID)
			}
			if v := d.TargetInput.Version; v.Known() && v.String() != x.flink || !v.Known() && x.incident != "old-file-name" {
				t.Errorf("Flink %s, want %s", v, x.flink)
			}
			if x.incident == "ignored-file" {
				// Flink passes over the file without a word: the log shows what follows from it, and only --conf can tell the rest.
				x.cause = "not-enough-slots"
			}
			switch {
			case x.cause == "none" && len(d.Verdicts)+len(d.Possible) > 0:
				t.Errorf("a healthy run has the verdicts %v and %d possible defects", got, len(d.Possible))
			case x.cause != "none" && (len(got) != 1 || got[0] != x.cause):
				t.Errorf("verdicts %v, want %s alone", got, x.cause)
			}
		})
	}
}

// TestOneLogOfMany reads each log by itself: what it shows of the incident may be less than the whole, but a cause that it names must be the true one.
func TestOneLogOfMany(t *testing.T) {
	for _, x := range index(t) {
		d := read(t, filepath.Join(logs, x.file))
		for _, v := range d.Verdicts {
			if v.Kind == Cause && v.ID != x.cause && x.incident != "ignored-file" && x.incident != "skipped-line" {
				t.Errorf("%s: the cause %s, want %s", x.file, v.ID, x.cause)
			}
		}
	}
}

// TestReadingOrder gives the logs in another order and wants the same.
func TestReadingOrder(t *testing.T) {
	names := []string{"worker-killed-1.17.2-jobmanager.log", "worker-killed-1.17.2-taskmanager-1.log", "worker-killed-1.17.2-taskmanager-2.log"}
	tell := func(names []string) []string {
		var files, out []string
		for _, n := range names {
			files = append(files, filepath.Join(logs, n))
		}
		d := read(t, files...)
		events, _ := d.Timeline(1000)
		for _, e := range events {
			out = append(out, d.String(e.Place)+" "+e.Text)
		}
		return out
	}
	want := tell(names)
	slices.Reverse(names)
	if diff := cmp.Diff(want, tell(names)); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
}
