package diagnose

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// plainLog is a log of this size: the log of a healthy JobManager and TaskManager behind their start, over and over, as one that ran for long.
func plainLog(t testing.TB, size int) []byte {
	t.Helper()
	var once bytes.Buffer
	for _, file := range []string{"healthy-2.2.1-jobmanager.log.gz", "healthy-2.2.1-taskmanager-1.log.gz"} {
		f, err := os.Open(filepath.Join(logs, file))
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		if i := bytes.Index(data, []byte("Registered UNIX signal handlers")); i > 0 {
			data = data[i+bytes.IndexByte(data[i:], '\n')+1:]
		}
		once.Write(data)
	}
	return bytes.Repeat(once.Bytes(), size/once.Len()+1)
}

// userLog is a log of this size of what most logs are full of: lines of the job itself.
func userLog(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "2024-03-09 10:%02d:%02d,%03d INFO  com.example.orders.EnrichmentFunction                       [] - order %d enriched with 3 prices in %d ms for customer %d\n",
			i/60000%60, i/1000%60, i%1000, i, i%17, i*7919%100003)
	}
	return b.Bytes()
}

const benchSize = 32 << 20

func benchmarkRead(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		e := NewEvidence()
		if err := e.Read("x.log", bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadFlink(b *testing.B) { benchmarkRead(b, plainLog(b, benchSize)) }
func BenchmarkReadUser(b *testing.B)  { benchmarkRead(b, userLog(benchSize)) }

// BenchmarkGrep is the yardstick: grep -c of one text over the same bytes.
func BenchmarkGrep(b *testing.B) {
	if _, err := exec.LookPath("grep"); err != nil {
		b.Skip("there is no grep")
	}
	for name, data := range map[string][]byte{"Flink": plainLog(b, benchSize), "User": userLog(benchSize)} {
		file := filepath.Join(b.TempDir(), "x.log")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				_ = exec.Command("grep", "-c", "OutOfMemoryError", file).Run()
			}
		})
	}
}

// FuzzRead reads anything: nothing may crash, and every place lies in its excerpt.
func FuzzRead(f *testing.F) {
	f.Add([]byte(fixture(f)))
	f.Add([]byte("2024-03-09T10:15:01.001+01:00 [main] WARN x - Program Arguments:\n    -D\n    a=b\n"))
	f.Add([]byte(`{"message":"a\nOutOfMemoryError: Metaspace","level":"ERROR","timestamp":1709979301001}` + "\n"))
	f.Add([]byte(`{"log":"2024-03-09 10:15:01,001 ERROR x [] - Inconsistently configured\n"}`))
	f.Add([]byte("Final TaskExecutor Memory configuration:\n  Total Process Memory:          1.688gb (1811939328 bytes)\n\n"))
	f.Add([]byte("{\x00\xff}\r\r\nResourceProfile{cpuCores=1E+1, taskHeapMemory=0 bytes, taskOffHeapMemory=0 bytes, managedMemory=0 bytes, networkMemory=9223372036854775807 bytes}"))
	f.Add([]byte("{\x1f\x8b"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e := NewEvidence()
		if err := e.Read("x.log", bytes.NewReader(data)); err != nil {
			return
		}
		e.Close()
		d, err := New(e, advisor.TargetInput{})
		if err != nil {
			return
		}
		d.Run(d.Rules())
		for _, p := range d.Result.Panics {
			t.Errorf("%s: %s\n%s", p.Rule.ID, p.Value, p.Stack)
		}
		events, _ := d.Timeline(100)
		for _, ev := range events {
			if ev.Line < 1 || ev.Line > e.Logs[0].Lines {
				t.Errorf("an event on line %d of %d", ev.Line, e.Logs[0].Lines)
			}
			if s := d.Span(ev.Place); s.Valid() && strings.Contains(s.Text(), "\n") {
				t.Errorf("the excerpt of line %d has several lines", ev.Line)
			}
		}
		d.Facts()
	})
}
