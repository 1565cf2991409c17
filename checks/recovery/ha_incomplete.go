package recovery

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed ha-incomplete.md
var haIncompleteDoc string

// HAIncomplete finds high availability that lacks what it needs to start.
var HAIncomplete = &advisor.Rule{
	ID:         "recovery/ha-incomplete",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyHA, keyStorageDir, keyQuorum, keyClusterID},
	Facts:      []string{"deployment.target"},
	Doc:        haIncompleteDoc,
	Check:      haIncomplete,
}

func haIncomplete(t *advisor.Target, r *advisor.Report) {
	m := modeOf(t)
	if m == off || m == custom || t.Partial() {
		return // what a part lacks may be set in another one
	}
	need := []struct{ key, why string }{
		{keyStorageDir, "a directory that all JobManagers reach, for job graphs and checkpoint pointers"},
	}
	if m == zooKeeper {
		need = append(need, struct{ key, why string }{keyQuorum, "the host:port list of the ZooKeeper servers"})
	}
	// Native Kubernetes and the operator give the cluster its id; who starts the processes by hand must.
	if target := t.Job.Deployment.Target.V; m == kubernetes && (target == "standalone" || target == "docker") {
		need = append(need, struct{ key, why string }{keyClusterID, "the name that its ConfigMaps begin with"})
	}
	var missing, why []string
	for _, n := range need {
		if v := t.Conf.String(n.key); !v.Set() || v.Has && quantity.Trim(v.V) == "" {
			missing = append(missing, v.Key)
			why = append(why, fmt.Sprintf("%s: %s", v.Key, n.why))
		}
	}
	if len(missing) == 0 {
		return
	}
	f := advisor.Finding{
		Message: fmt.Sprintf("high availability needs %s, and Flink does not start without", strings.Join(missing, " and ")),
		Labels:  t.Labels(keyHA, "switched on here"),
		Notes:   why,
		Help:    "set what is missing, or switch high availability off",
	}
	f.Labels = append(f.Labels, skipped(t, missing)...)
	r.Find(f)
}

// skipped marks lines that name a missing option and have no effect: a blank value, a missing blank.
func skipped(t *advisor.Target, missing []string) []advisor.Label {
	var out []advisor.Label
	for _, d := range t.Documents {
		for _, fault := range d.Faults {
			if fault.Kind != conf.FaultEmptyValue && fault.Kind != conf.FaultNoSeparator {
				continue
			}
			for _, key := range missing {
				if fault.Key == key {
					out = append(out, advisor.Label{Span: fault.Span, Key: key, Text: "not read"})
				}
			}
		}
	}
	return out
}
