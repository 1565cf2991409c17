package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// manifestCount is how many manifests a large platform keeps in one repository.
const manifestCount = 2000

// generateManifests writes n FlinkDeployments of ordinary size, the same for the same seed: sizes, slots, versions and the options that real ones have; some
// with a fault.
func generateManifests(tb testing.TB, dir string, n int) {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	for i := range n {
		flink := pick("1_18", "1_19", "1_20")
		text := fmt.Sprintf(`apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata:
  name: job-%d
  namespace: team-%d
spec:
  image: registry.example.com/jobs/job-%d:%d
  flinkVersion: v%s
  serviceAccount: flink
  flinkConfiguration:
    # team defaults
    taskmanager.numberOfTaskSlots: "%s"
    state.backend: %s
    execution.checkpointing.interval: %s
    execution.checkpointing.timeout: %s
    state.checkpoints.dir: s3://bucket/job-%d/checkpoints
    state.savepoints.dir: s3://bucket/job-%d/savepoints
    high-availability: kubernetes
    high-availability.storageDir: s3://bucket/job-%d/ha
    taskmanager.memory.managed.fraction: "%s"
    %s
  jobManager:
    resource:
      memory: %s
      cpu: 1
  taskManager:
    resource:
      memory: %s
      cpu: %s
  job:
    jarURI: local:///opt/flink/usrlib/job.jar
    parallelism: %s
    upgradeMode: %s
`, i, i%20, i, r.IntN(100), flink, pick("1", "2", "4"), pick("rocksdb", "hashmap"), pick("60s", "5min", "30000"), pick("10min", "2min"), i, i, i,
			pick("0.4", "0.2", "0.6"), pick("web.cancel.enable: \"false\"", "taskmanager.network.memory.fracton: \"0.2\"", "kubernetes.cluster-id: x"),
			pick("2g", "2048m", "1.5Gi"), pick("4g", "8Gi", "1g"), pick("1", "2", "4"), pick("4", "8", "24"), pick("last-state", "savepoint", "stateless"))
		file := filepath.Join(dir, fmt.Sprintf("team-%d", i%20), fmt.Sprintf("job-%d.yaml", i))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkManifests checks 2,000 generated manifests in one run. To compare with kubeconform on the same files, give them a place and time both:
//
//	FLINKADVISE_MANIFESTS=/tmp/manifests go test ./cmd/internal/cli -run '^$' -bench Manifests -benchtime 5x
//	go install github.com/yannh/kubeconform/cmd/kubeconform@latest
//	/usr/bin/time -v flinkadvise check --isolated --fail-on never -o json=/dev/null /tmp/manifests
//	/usr/bin/time -v kubeconform -summary -schema-location 'schemas/{{ .ResourceKind }}.json' /tmp/manifests
//
// with the operator's schema of FlinkDeployment as schemas/flinkdeployment.json.
func BenchmarkManifests(b *testing.B) {
	dir := os.Getenv("FLINKADVISE_MANIFESTS")
	if dir == "" {
		dir = b.TempDir()
	}
	generateManifests(b, dir, manifestCount)
	b.ReportAllocs()
	for b.Loop() {
		benchMain(b, "check", "--isolated", "--fail-on", "never", "-o", "json", dir)
	}
	b.ReportMetric(float64(manifestCount)*float64(b.N)/b.Elapsed().Seconds(), "files/s")
}
