package budget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conformance"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// TestPoolsAgainstFlink compares the buffer pools of partitions and gates with those that Flink's own shuffle environment makes.
func TestPoolsAgainstFlink(t *testing.T) {
	set, err := conformance.Open("../../schema/conformance/testdata", "buffers")
	if err != nil {
		t.Fatal(err)
	}
	compared := map[version.Version]int{}
	var options string
	poolsByVersion := make([]pools, len(set.Releases))
	for i := range set.Vectors {
		v := &set.Vectors[i]
		if joined := strings.Join(v.Input[3:], " "); i == 0 || joined != options {
			options = joined
			for r, release := range set.Releases {
				poolsByVersion[r] = poolsWith(t, release.Version, v.Input[3:])
			}
		}
		n, err := strconv.ParseInt(v.Input[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		for r, release := range set.Releases {
			flink, ok := v.Output(r)
			if !ok || strings.HasPrefix(flink[0], "refused") {
				continue // up to 1.13 a TaskManager does not start without exclusive buffers, which is another rule's affair
			}
			compared[release.Version.Line()]++
			if ours := poolAnswer(poolsByVersion[r], v.Input[0], v.Input[1], n); ours != strings.Join(flink, " ") {
				t.Errorf("line %d, Flink %s: %s\n  Flink %s\n  ours  %s", v.Line, release.Version, strings.Join(v.Input, " "), strings.Join(flink, " "), ours)
			}
		}
		if t.Failed() && i > 500 {
			t.Fatal("and so on")
		}
	}
	for _, line := range version.Minors {
		if line.AtLeast(1, 13) && compared[line] < 3000 {
			t.Errorf("%d comparisons with Flink %s", compared[line], line)
		}
	}
	t.Logf("%d inputs, %d versions", len(set.Vectors), len(compared))
}

func poolsWith(t *testing.T, v version.Version, options []string) pools {
	t.Helper()
	layer := conf.Layer{Dialect: conf.Arguments}
	for _, o := range options {
		key, value, _ := strings.Cut(o, "=")
		layer.Entries = append(layer.Entries, conf.Entry{Key: key, Value: value, Text: value, Raw: value})
	}
	e, err := conf.Merge(v, layer)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := poolsOf(e, v)
	return p
}

// poolAnswer is minimum, maximum and overdraft, and for gates the exclusive buffers of a channel.
func poolAnswer(p pools, kind, exchangeType string, n int64) string {
	x := map[string]exchange{"PIPELINED_BOUNDED": pipelined, "BLOCKING": blocking, "HYBRID_FULL": hybrid, "HYBRID_SELECTIVE": hybrid}[exchangeType]
	print := func(q pool) string {
		if q.unbounded {
			q.max = math.MaxInt32
		}
		return fmt.Sprintf("%d %d %d", q.min, q.max, q.overdraft)
	}
	if kind == "partition" {
		return print(p.partition(n, x))
	}
	g := p.gate(n, x)
	return fmt.Sprintf("%s %d", print(g.pool), g.exclusive)
}
