package recovery

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

//go:embed transaction-timeout.md
var transactionTimeoutDoc string

// TransactionTimeout finds exactly-once Kafka sinks whose transactions may be aborted before they are committed, or are refused by the broker.
var TransactionTimeout = &advisor.Rule{
	ID:         "recovery/transaction-timeout",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.DataLoss,
	Confidence: advisor.Likely,
	Reads:      []string{keyInterval, keyTimeout},
	Facts:      []string{"job.vertices.sink.kind", "job.vertices.sink.guarantee", "job.vertices.sink.transactionTimeout", "objectives.recoveryTime"},
	Doc:        transactionTimeoutDoc,
	Check:      transactionTimeout,
}

const (
	// brokerLimit is transaction.max.timeout.ms of a Kafka broker that nobody changed, in seconds: 15 minutes.
	brokerLimit = 900
	// connectorDefault is transaction.timeout.ms of Flink's KafkaSink where nobody set it: one hour.
	connectorDefault = 3600
)

func transactionTimeout(t *advisor.Target, r *advisor.Report) {
	for i := range t.Job.Job.Vertices {
		v := &t.Job.Job.Vertices[i]
		if v.Sink == nil || v.Sink.Guarantee.V != "exactly-once" || v.Sink.Kind.V != "kafka" {
			continue
		}
		timeout := v.Sink.TransactionTimeout
		if !timeout.Known {
			r.NotAssessed("job.vertices.sink.transactionTimeout")
			continue
		}
		tooShort(t, r, v, timeout)
		tooLong(r, v, timeout)
	}
}

// tooShort compares with the longest time between the first record of a transaction and its commit: an interval until the barrier, and then as long as a checkpoint may
// take. A failure adds the time until the job runs again.
func tooShort(t *advisor.Target, r *advisor.Report, v *job.Vertex, timeout job.Fact[quantity.Duration]) {
	if !t.Checkpoint.Enabled || t.Checkpoint.Interval.IsZero() || t.Checkpoint.Timeout.IsZero() {
		return
	}
	interval, limit := t.Conf.Duration(keyInterval), t.Conf.Duration(keyTimeout)
	least := interval.V.Seconds() + limit.V.Seconds()
	f := advisor.Finding{
		Terms: []budget.Term{
			advisor.FactTerm("transaction timeout", timeout, timeout.V.Seconds(), budget.Seconds),
			advisor.OptionTerm("checkpoint interval", interval, interval.V.Seconds(), budget.Seconds),
			advisor.OptionTerm("checkpoint timeout", limit, limit.V.Seconds(), budget.Seconds),
		},
		Notes: []string{"the broker aborts a transaction that is older; what a checkpoint had already promised is then gone"},
	}
	if restart := t.Job.Objectives.RecoveryTime; restart.Known {
		least += restart.V.Seconds()
		f.Terms = append(f.Terms, advisor.FactTerm("time to recover", restart, restart.V.Seconds(), budget.Seconds))
	} else {
		f.Notes = append(f.Notes, "the time that a restart takes comes on top; objectives.recoveryTime would count it")
	}
	if timeout.V.Seconds() >= least {
		return
	}
	if l, ok := advisor.FactLabel(timeout, "job.vertices.sink.transactionTimeout", "aborted by the broker after this"); ok {
		f.Labels = append(f.Labels, l)
	}
	f.Labels = append(f.Labels, t.Labels(keyInterval, "until the barrier", keyTimeout, "until the commit, at most")...)
	f.Message = fmt.Sprintf("transactions of %s are aborted after %s, and may wait %s for their commit", v.Name, timeout.V.Pretty(), seconds(least))
	f.Help = fmt.Sprintf("set transaction.timeout.ms of the sink to %d at least, and the broker's transaction.max.timeout.ms as high", int64(least*1000))
	f.Beyond = least / max(timeout.V.Seconds(), 1)
	if timeout.V.Compare(interval.V) < 0 {
		f.Severity, f.Confidence = advisor.Error, advisor.Certain
		f.Message = fmt.Sprintf("transactions of %s are aborted after %s, before the first checkpoint after %s can commit them", v.Name, timeout.V.Pretty(), interval.V.Pretty())
	}
	r.Find(f)
}

// tooLong compares with what a broker allows by default.
func tooLong(r *advisor.Report, v *job.Vertex, timeout job.Fact[quantity.Duration]) {
	if timeout.V.Seconds() <= brokerLimit {
		return
	}
	f := advisor.Finding{
		Severity: advisor.Advice, Impact: advisor.WillFail, Confidence: advisor.Possible,
		Message: fmt.Sprintf("%s asks for transactions of %s; a broker that nobody changed allows 15min", v.Name, timeout.V.Pretty()),
		Terms:   []budget.Term{advisor.FactTerm("transaction timeout", timeout, timeout.V.Seconds(), budget.Seconds)},
		Notes:   []string{"the sink fails when it starts if transaction.max.timeout.ms of the brokers is lower"},
		Help:    fmt.Sprintf("make sure that transaction.max.timeout.ms of the brokers is %d or more", int64(timeout.V.Seconds()*1000)),
		Beyond:  timeout.V.Seconds() / brokerLimit,
	}
	if timeout.V.Seconds() == connectorDefault {
		f.Notes = append(f.Notes, "one hour is the default of Flink's KafkaSink")
	}
	if l, ok := advisor.FactLabel(timeout, "job.vertices.sink.transactionTimeout", "above the broker's default"); ok {
		f.Labels = []advisor.Label{l}
	}
	r.Find(f)
}
