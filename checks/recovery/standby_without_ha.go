package recovery

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed standby-without-ha.md
var standbyWithoutHADoc string

// StandbyWithoutHA finds standby JobManagers that nothing coordinates.
var StandbyWithoutHA = &advisor.Rule{
	ID:         "recovery/standby-without-ha",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyReplicas, keyHA},
	Doc:        standbyWithoutHADoc,
	Check:      standbyWithoutHA,
}

func standbyWithoutHA(t *advisor.Target, r *advisor.Report) {
	replicas := t.Conf.Int(keyReplicas)
	if !replicas.Set() || !replicas.Has || replicas.V < 2 || modeOf(t) != off {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%d JobManagers need high availability, and it is off", replicas.V),
		Labels:  t.Labels(keyReplicas, "standby JobManagers", keyHA, "off"),
		Terms:   []budget.Term{advisor.OptionTerm("JobManagers", replicas, float64(replicas.V), budget.Count)},
		Notes:   []string{"Flink refuses to deploy: without an election all of them would lead"},
		Help:    fmt.Sprintf("switch high availability on (%s, %s), or have one JobManager", t.Conf.Name(keyHA), keyStorageDir),
	})
}
