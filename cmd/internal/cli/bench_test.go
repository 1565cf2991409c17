package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sixtyLines is a configuration of ordinary size: every line an option that files in the wild have.
func sixtyLines() string {
	base := `jobmanager.rpc.address: jobmanager
jobmanager.rpc.port: 6123
jobmanager.memory.process.size: 2g
taskmanager.memory.process.size: 8g
taskmanager.numberOfTaskSlots: 4
parallelism.default: 8
state.backend.type: rocksdb
execution.checkpointing.incremental: true
execution.checkpointing.interval: 1min
execution.checkpointing.timeout: 10min
execution.checkpointing.unaligned.enabled: true
execution.checkpointing.dir: s3://bucket/checkpoints
execution.checkpointing.savepoint-dir: s3://bucket/savepoints
high-availability.type: kubernetes
high-availability.storageDir: s3://bucket/ha
restart-strategy.type: exponential-delay
rest.bind-port: 8081
blob.server.port: 6124
taskmanager.rpc.port: 6122
`
	var b strings.Builder
	b.WriteString(base)
	for i := strings.Count(base, "\n"); i < 60; i++ {
		fmt.Fprintf(&b, "metrics.reporter.r%d.port: %d\n", i, 9000+i)
	}
	return b.String()
}

const benchJob = `version: 1
flink: 1.20.3
deployment: {target: kubernetes-native, taskManagers: 2}
job:
  api: datastream
  parallelism: 8
  vertices:
    - {id: source, parallelism: 8}
    - {id: count, parallelism: 8, keyedStates: 2}
    - {id: sink, parallelism: 8}
  edges:
    - {from: source, to: count, shipStrategy: HASH}
    - {from: count, to: sink, shipStrategy: REBALANCE}
state: {size: 30gb}
checkpointStorage: {throughput: 200mb/s}
`

func benchMain(b *testing.B, args ...string) {
	b.Helper()
	var errs bytes.Buffer
	if code := Main(args, Env{Stdout: io.Discard, Stderr: &errs, Getenv: func(string) string { return "" }, Files: OS{}}); code > ExitFindings {
		b.Fatalf("exit code %d: %s", code, errs.String())
	}
}

func write(b *testing.B, dir, name, text string) string {
	b.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	return file
}

// BenchmarkCheckOneFile is one 60-line file with a job file through the whole command, all rules, text report. It should stay under a millisecond.
func BenchmarkCheckOneFile(b *testing.B) {
	dir := b.TempDir()
	conf, job := write(b, dir, "flink-conf.yaml", sixtyLines()), write(b, dir, "job.yaml", benchJob)
	b.ReportAllocs()
	for b.Loop() {
		benchMain(b, "check", "--isolated", conf, "--job", job)
	}
}

// BenchmarkCheckFiles shows that cost grows linearly with files: compare the times per file.
func BenchmarkCheckFiles(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			args := []string{"check", "--isolated", "--flink-version", "1.20.3", "-o", "json"}
			for i := range n {
				args = append(args, write(b, dir, fmt.Sprintf("d%d/flink-conf.yaml", i), sixtyLines()))
			}
			b.ReportAllocs()
			for b.Loop() {
				benchMain(b, args...)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/file")
		})
	}
}
