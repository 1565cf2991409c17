package budget

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// TestPoolVectors compares pools with what Flink's own classes say (schema/conformance/buffers), with no difference but one: a pipelined partition
// on a TaskManager that is set up for tiered hybrid exchanges. Flink gives it too few buffers there and refuses to set it up; the model keeps what the
// partition really needs.
func TestPoolVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/pools/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	exchanges := map[string]exchange{"PIPELINED_BOUNDED": pipelined, "BLOCKING": blocking, "HYBRID_FULL": hybrid}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, lines, _ := strings.Cut(string(data), "\n")
		for _, v := range strings.Fields(strings.TrimPrefix(head, "#")) {
			t.Run(v, func(t *testing.T) {
				flink, compared := version.MustParse(v), 0
				for line := range strings.Lines(lines) {
					cells := strings.Split(strings.TrimSpace(line), "\t")
					var n [5]int64
					for i, cell := range cells[2 : len(cells)-1] {
						if _, err := fmt.Sscan(cell, &n[i]); err != nil {
							t.Fatal(err)
						}
					}
					x, want := exchanges[cells[1]], cells[len(cells)-1]
					tiered, exclusive, floating, width, limit := n[0], n[1], n[2], n[3], n[4]
					if x == pipelined && tiered > 0 && cells[0] == "partition" && width >= tiered {
						continue
					}
					p := pools{
						exclusive: exclusive, floating: floating, gateLimit: limit, gateSpec: flink.AtLeast(1, 17), tiered: tiered,
						sortBuffers: 512, sortFrom: 1, sortBounded: flink.AtLeast(1, 15),
					}
					got := ""
					if cells[0] == "gate" {
						g := p.gate(width, x)
						got = fmt.Sprintf("(%d,%d,%d)", g.min, g.max, g.exclusive)
					} else {
						got = poolText(p.partition(width, x))
					}
					if compared++; got != want {
						t.Errorf("%s: got %s", strings.TrimSpace(line), got)
					}
				}
				if compared == 0 {
					t.Error("nothing compared")
				}
			})
		}
	}
}

// poolText prints a pool as Flink's pair does, Integer.MAX_VALUE for no maximum.
func poolText(p pool) string {
	if p.unbounded {
		return fmt.Sprintf("(%d,2147483647)", p.min)
	}
	return fmt.Sprintf("(%d,%d)", p.min, p.max)
}
