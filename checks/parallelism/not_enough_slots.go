package parallelism

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed not-enough-slots.md
var notEnoughSlotsDoc string

// NotEnoughSlots finds streaming jobs that need more slots than there are or can be.
var NotEnoughSlots = &advisor.Rule{
	ID:         "parallelism/not-enough-slots",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WillFail,
	Confidence: advisor.Certain,
	Reads:      []string{keySlots, keySlotLimit, keyDefault, keyScheduler, keyMode},
	Facts:      []string{"deployment.target", "deployment.taskManagers", "job.parallelism", "job.vertices"},
	Doc:        notEnoughSlotsDoc,
	Check:      notEnoughSlots,
}

func notEnoughSlots(t *advisor.Target, r *advisor.Report) {
	if t.Batch() || t.TaskManager.Slots < 1 {
		return // a batch job runs in as many slots as it gets
	}
	if m := t.Conf.Enum(keyMode); m.Has && m.V == "REACTIVE" {
		return // the job takes the parallelism that the slots allow
	}
	need, why, ok := slotsNeeded(t)
	limit := t.Conf.Int(keySlotLimit)
	if ok && limit.Set() && limit.Has && need > int64(limit.V) {
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("the job needs %d slots and Flink may not have more than %d", need, limit.V),
			Labels:  t.Labels(keySlotLimit, fmt.Sprintf("%d slots at most", limit.V)),
			Terms:   append(why, advisor.OptionTerm("limit of slots", limit, float64(limit.V), budget.Count)),
			Notes:   []string{"no TaskManager is started beyond the limit: the job waits for slots until the request times out, and fails"},
			Help:    fmt.Sprintf("raise %s to %d at least, or remove it", limit.Key, need),
			Edits:   []advisor.Edit{advisor.Set(keySlotLimit, fmt.Sprint(need), false)},
			Beyond:  float64(need) / float64(max(limit.V, 1)),
		})
		return
	}
	if t.Deployment != budget.Standalone || t.Job.Deployment.Target.V == "managed" {
		return // TaskManagers are started as they are needed
	}
	taskManagers := t.Job.Deployment.TaskManagers
	if !taskManagers.Known {
		r.NotAssessed("deployment.taskManagers")
	}
	if !ok {
		r.NotAssessed("job.parallelism")
	}
	if !ok || !taskManagers.Known {
		return
	}
	each := int64(t.TaskManager.Slots)
	have := int64(taskManagers.V) * each
	if need <= have {
		return
	}
	slots := t.Conf.Int(keySlots)
	f := advisor.Finding{
		Message: fmt.Sprintf("the job needs %s and %s with %d each have %d", plural(need, "slot"), plural(int64(taskManagers.V), "TaskManager"), each, have),
		Labels:  []advisor.Label{t.Anchor(fmt.Sprintf("%s each", plural(each, "slot")), keySlots, keyDefault)},
		Terms: append(append([]budget.Term(nil), why...),
			advisor.FactTerm("TaskManagers", taskManagers, float64(taskManagers.V), budget.Count),
			advisor.OptionTerm("slots of each", slots, float64(each), budget.Count)),
		Notes: []string{"the job waits for the missing slots until slot.request.timeout, fails with NoResourceAvailableException, and tries again"},
		Help: fmt.Sprintf("run %s, or give each %s, whose share of memory and cores is then smaller",
			plural(ceil(need, each), "TaskManager"), plural(ceil(need, int64(taskManagers.V)), "slot")),
		Beyond: float64(need) / float64(have),
	}
	if l, ok := advisor.FactLabel(taskManagers, "deployment.taskManagers", plural(int64(taskManagers.V), "TaskManager")); ok {
		f.Labels = append(f.Labels, l)
	}
	if !slots.Set() {
		f.Notes = append(f.Notes, "taskmanager.numberOfTaskSlots is not set, so every TaskManager has one slot")
	}
	if s := t.Conf.Enum(keyScheduler); s.Has && s.V == "Adaptive" {
		f.Severity, f.Impact = advisor.Warning, advisor.Slow
		f.Notes[0] = fmt.Sprintf("the adaptive scheduler runs the job with the %d slots that there are", have)
	}
	r.Find(f)
}

// slotsNeeded is what the job graph needs, or the parallelism of a job whose graph is not known: its vertices then count as sharing their slots.
func slotsNeeded(t *advisor.Target) (int64, []budget.Term, bool) {
	if n := t.Network.SlotsNeeded; n.Known {
		return n.V, n.Terms, true
	}
	p, term, ok := ofJob(t)
	return int64(p), []budget.Term{term}, ok
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }
