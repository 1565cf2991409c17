package carrier

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

func BenchmarkOpenDeployment(b *testing.B) {
	data := []byte(deployment)
	for b.Loop() {
		if _, err := Open(source.NewFile("dep.yaml", data), conf.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
