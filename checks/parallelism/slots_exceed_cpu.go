package parallelism

import (
	_ "embed"
	"fmt"
	"strconv"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed slots-exceed-cpu.md
var slotsExceedCPUDoc string

// SlotsExceedCPU finds TaskManagers with far more slots than cores.
var SlotsExceedCPU = &advisor.Rule{
	ID:         "parallelism/slots-exceed-cpu",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Slow,
	Confidence: advisor.Possible,
	Reads:      []string{keySlots, keyCores, keyPodCPU, keyVcores},
	Facts:      []string{"taskManager.cpu"},
	Thresholds: []advisor.Threshold{
		{Name: "slots-per-core", Unit: budget.Count, Default: 2, Why: "each slot runs one subtask of every vertex, each with its own thread; two for a core leave room for jobs that wait for input"},
	},
	Doc:   slotsExceedCPUDoc,
	Check: slotsExceedCPU,
}

// fewSlots are so few that their number is not the reason: a TaskManager with less is short of cores because it is meant to be small.
const fewSlots = 4

func slotsExceedCPU(t *advisor.Target, r *advisor.Report) {
	slots := t.Conf.Int(keySlots)
	if !slots.Set() || !slots.Has || slots.V < fewSlots {
		return
	}
	cores, term, ok := coresOf(t)
	if !ok || float64(slots.V) <= r.Threshold("slots-per-core")*cores {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%d slots share %s", slots.V, coresText(cores)),
		Labels:  t.Labels(keySlots, fmt.Sprintf("%.1f slots for each core", float64(slots.V)/cores)),
		Terms:   []budget.Term{advisor.OptionTerm("slots", slots, float64(slots.V), budget.Count), term},
		Notes: []string{
			"a slot divides memory, not cores: subtasks of all slots compete, and under full load each runs at a fraction of its speed",
			"heartbeats and checkpoint uploads need the same cores",
		},
		Help:   fmt.Sprintf("give the TaskManager %s and add TaskManagers, or give it more cores", plural(max(int64(cores), 1), "slot")),
		Beyond: float64(slots.V) / (r.Threshold("slots-per-core") * cores),
	})
}

// coresText is "1 core" or "0.5 cores".
func coresText(n float64) string {
	if n == 1 {
		return "1 core"
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + " cores"
}

// coresOf is the cores of a TaskManager as someone gave them; Flink's fallback, one for each slot, says nothing about the machine.
func coresOf(t *advisor.Target) (float64, budget.Term, bool) {
	if f := t.Job.TaskManager.CPU; f.Known {
		return f.V, advisor.FactTerm("cores of a TaskManager", f, f.V, budget.Count), true
	}
	switch t.Deployment {
	case budget.Kubernetes:
		if v := t.Conf.Double(keyPodCPU); v.Set() && v.Has && v.V > 0 {
			return v.V, advisor.OptionTerm("cores of a TaskManager", v, v.V, budget.Count), true
		}
	case budget.YARN:
		if v := t.Conf.Int(keyVcores); v.Set() && v.Has && v.V > 0 {
			return float64(v.V), advisor.OptionTerm("cores of a TaskManager", v, float64(v.V), budget.Count), true
		}
	}
	return 0, budget.Term{}, false
}
