package render

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// barWidth is the length of a bar that stands for the whole.
const barWidth = 20

// BudgetsJSON is the budgets of all targets, as in the JSON report.
func BudgetsJSON(targets []*advisor.Target) any {
	out := struct {
		Version int           `json:"version"`
		Budgets []jsonBudgets `json:"budgets"`
	}{Version: JSONVersion, Budgets: []jsonBudgets{}}
	for _, t := range targets {
		out.Budgets = append(out.Budgets, budgetsJSON(t))
	}
	return out
}

// row is one line of a memory table: a part, its depth in the tree.
type row struct {
	name  string
	depth int
	part  budget.Part
}

// Budget writes the budgets of one target as tables.
func Budget(w io.Writer, t *advisor.Target, colour bool) error {
	p := &text{colour: colour, red: newRedactor([]*advisor.Result{{Target: t}})}
	p.printf("%s\n", p.paint(bold, fmt.Sprintf("%s, Flink %s (%s)", printable(t.Name), t.Version, t.VersionFrom)))
	if err := p.taskManager(t.TaskManager); err != nil {
		return err
	}
	if err := p.jobManager(t.JobManager); err != nil {
		return err
	}
	if err := p.network(t.Network); err != nil {
		return err
	}
	if err := p.checkpoint(t.Checkpoint); err != nil {
		return err
	}
	_, err := w.Write(p.buf.Bytes())
	return err
}

func (t *text) memory(title string, total budget.Part, rows []row, refusals []budget.Refusal) error {
	t.printf("\n%s\n", t.paint(bold, title))
	for _, r := range refusals {
		t.printf("  %s %s\n", t.paint(red, "refused:"), t.red.text(r.Message))
	}
	var cells [][]string
	for _, r := range rows {
		if !r.part.Known {
			cells = append(cells, []string{indent(r), "-", "", "", "", origin(r.part)})
			continue
		}
		share, bar := "", ""
		if total.Known && total.Bytes > 0 {
			f := float64(r.part.Bytes) / float64(total.Bytes)
			share, bar = fmt.Sprintf("%.1f %%", 100*f), strings.Repeat("#", int(f*barWidth+0.5))
		}
		cells = append(cells, []string{indent(r), r.part.Bytes.Pretty(), strconv.FormatInt(int64(r.part.Bytes), 10), share, bar, t.red.text(origin(r.part))})
	}
	return t.table([]string{"part", "size", "bytes", "share", "", "from"}, cells, "lrrrll")
}

func (t *text) table(header []string, cells [][]string, align string) error {
	var buf bytes.Buffer
	if err := table(&buf, header, cells, align); err != nil {
		return err
	}
	for line := range strings.Lines(buf.String()) {
		t.printf("  %s", line)
	}
	return nil
}

func indent(r row) string { return strings.Repeat("  ", r.depth) + r.name }

func origin(p budget.Part) string {
	if p.Clamp == "" {
		return p.From
	}
	words := map[string]string{"min": "raised to", "max": "cut to"}
	return fmt.Sprintf("%s, %s %s", p.From, words[p.Clamp], p.ClampKey)
}

// taskManagerRows is the tree of a TaskManager's memory, in the order of Flink's own summary.
func taskManagerRows(tm *budget.TaskManager) []row {
	return []row{
		{"process size", 0, tm.ProcessSize}, {"Flink size", 1, tm.FlinkSize},
		{"framework heap", 2, tm.FrameworkHeap}, {"task heap", 2, tm.TaskHeap}, {"managed", 2, tm.Managed},
		{"framework off-heap", 2, tm.FrameworkOffHeap}, {"task off-heap", 2, tm.TaskOffHeap}, {"network", 2, tm.Network},
		{"JVM metaspace", 1, tm.JVMMetaspace}, {"JVM overhead", 1, tm.JVMOverhead},
	}
}

func (t *text) taskManager(tm *budget.TaskManager) error {
	if !tm.Configured {
		t.printf("\n%s\n  not configured: no process size, Flink size, or task heap with managed size is set\n", t.paint(bold, "TaskManager memory"))
		return nil
	}
	err := t.memory("TaskManager memory", tm.ProcessSize, taskManagerRows(tm), tm.Refusals)
	if err != nil || len(tm.Refusals) > 0 {
		return err
	}
	if tm.Slots > 0 {
		t.printf("  per slot (%s): %s\n", count(tm.Slots, "slot"), tm.PerSlot.Profile)
	}
	t.printf("  JVM: %s\n", strings.Join(tm.JVMArguments, " "))
	return nil
}

func (t *text) jobManager(jm *budget.JobManager) error {
	if !jm.Configured {
		t.printf("\n%s\n  not configured: no process size, Flink size or heap size is set\n", t.paint(bold, "JobManager memory"))
		return nil
	}
	err := t.memory("JobManager memory", jm.ProcessSize, []row{
		{"process size", 0, jm.ProcessSize}, {"Flink size", 1, jm.FlinkSize}, {"heap", 2, jm.Heap}, {"off-heap", 2, jm.OffHeap},
		{"JVM metaspace", 1, jm.JVMMetaspace}, {"JVM overhead", 1, jm.JVMOverhead},
	}, jm.Refusals)
	if err != nil || len(jm.Refusals) > 0 {
		return err
	}
	t.printf("  JVM: %s\n", strings.Join(jm.JVMArguments, " "))
	return nil
}

// needs says which facts an amount lacks.
func needs[T int64 | float64 | quantity.Bytes](a budget.Amount[T]) string {
	if len(a.Needs) == 0 {
		return "not known"
	}
	return "needs " + strings.Join(a.Needs, ", ")
}

func buffers(name string, a budget.Amount[int64], segment quantity.Bytes, meaning string) []string {
	if !a.Known {
		return []string{name, "-", "", needs(a)}
	}
	return []string{name, strconv.FormatInt(a.V, 10), (quantity.Bytes(a.V) * segment).Pretty(), meaning}
}

func (t *text) network(n *budget.Network) error {
	t.printf("\n%s\n", t.paint(bold, "network buffers of one TaskManager, worst placement"))
	cells := [][]string{
		buffers("available", n.Buffers, n.SegmentSize, "network memory / segment size "+n.SegmentSize.Pretty()),
		buffers("required", n.Required, n.SegmentSize, "below this the job does not start"),
		buffers("required on restore", n.RequiredRestore, n.SegmentSize, "booked when every channel of an unaligned checkpoint holds data"),
		buffers("enough to restore", n.RestoreSuffices, n.SegmentSize, "below this an unaligned checkpoint may fail to restore"),
		buffers("target", n.Target, n.SegmentSize, "below this throughput may suffer"),
		buffers("maximum", n.Maximum, n.SegmentSize, "more than this is never used"),
	}
	if n.MaxParallelism.Known {
		cells = append(cells, []string{"largest parallelism", strconv.FormatInt(n.MaxParallelism.V, 10), "", "that still fits the network memory"})
	}
	if err := t.table([]string{"", "buffers", "size", ""}, cells, "lrrl"); err != nil {
		return err
	}
	if len(n.Edges) == 0 {
		return nil
	}
	cells = nil
	for _, e := range n.Edges {
		cells = append(cells, []string{t.red.text(e.From + " -> " + e.To), e.ShipStrategy, strconv.FormatInt(e.Required, 10), strconv.FormatInt(e.Target, 10)})
	}
	t.printf("\n")
	return t.table([]string{"edge", "ship strategy", "required", "target"}, cells, "llrr")
}

func size(name string, a budget.Amount[quantity.Bytes], meaning string) []string {
	if !a.Known {
		return []string{name, "-", needs(a)}
	}
	return []string{name, a.V.Pretty(), meaning}
}

func (t *text) checkpoint(c *budget.Checkpoint) error {
	t.printf("\n%s\n", t.paint(bold, "checkpoint"))
	if !c.Enabled {
		t.printf("  periodic checkpoints are off in this configuration\n")
	}
	cells := [][]string{}
	if !c.Timeout.IsZero() {
		cells = append(cells, []string{"timeout", c.Timeout.Pretty(), ""})
	}
	cells = append(cells,
		size("in flight, TaskManager", c.InFlightPerTaskManager, "most that an unaligned checkpoint adds"),
		size("in flight, job", c.InFlightJob, ""),
		size("cap, TaskManager", c.InFlightCapPerTaskManager, "network memory: the hard cap"),
		size("state", c.State, "uploaded by one checkpoint"))
	if c.Files.Known {
		cells = append(cells, []string{"files", strconv.FormatInt(c.Files.V, 10), "written by one checkpoint"})
	}
	duration := []string{"duration", "-", needs(c.Duration)}
	if c.Duration.Known {
		duration = []string{"duration", strconv.FormatFloat(c.Duration.V, 'f', 1, 64) + " s", "estimate"}
	}
	breakEven := []string{"break-even", "-", needs(c.BreakEven)}
	if c.BreakEven.Known {
		breakEven = []string{"break-even", quantity.Bytes(c.BreakEven.V).Pretty() + "/s", "below this throughput the timeout cannot be kept"}
	}
	return t.table(nil, append(cells, duration, breakEven), "lrl")
}
