// Package recovery has the rules about failures: how a job restarts, how tasks are stopped, how failures are noticed, and what another JobManager finds.
package recovery

import (
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// Options that these rules read, by today's names.
const (
	keyStrategy      = "restart-strategy.type"
	keyAttempts      = "restart-strategy.fixed-delay.attempts"
	keyFixedDelay    = "restart-strategy.fixed-delay.delay"
	keyMaxFailures   = "restart-strategy.failure-rate.max-failures-per-interval"
	keyRateInterval  = "restart-strategy.failure-rate.failure-rate-interval"
	keyRateDelay     = "restart-strategy.failure-rate.delay"
	keyInterval      = "execution.checkpointing.interval"
	keyTimeout       = "execution.checkpointing.timeout"
	keyTolerable     = "execution.checkpointing.tolerable-failed-checkpoints"
	keyUnaligned     = "execution.checkpointing.unaligned.enabled"
	keyCancelTimeout = "task.cancellation.timeout"
	keySlots         = "taskmanager.numberOfTaskSlots"
	keyHeartbeat     = "heartbeat.interval"
	keyHeartbeatMax  = "heartbeat.timeout"
	keyHA            = "high-availability.type"
	keyStorageDir    = "high-availability.storageDir"
	keyQuorum        = "high-availability.zookeeper.quorum"
	keyClusterID     = "kubernetes.cluster-id"
	keyReplicas      = "kubernetes.jobmanager.replicas"
)

// Restart strategies, by the names under which their options stand.
const (
	none             = "none"
	fixedDelay       = "fixed-delay"
	failureRate      = "failure-rate"
	exponentialDelay = "exponential-delay"
)

// strategies are the names that Flink takes for each strategy, in any case (RestartStrategyOptions.RestartStrategyType).
var strategies = []struct {
	kind  string
	names []string
}{
	{none, []string{"none", "off", "disable"}},
	{fixedDelay, []string{"fixed-delay", "fixeddelay"}},
	{failureRate, []string{"failure-rate", "failurerate"}},
	{exponentialDelay, []string{"exponential-delay", "exponentialdelay"}},
}

// strategyOf is the restart strategy that is set: its kind, "" where the name is none of Flink's. ok is false when none is set, or its value is not
// known here.
func strategyOf(t *advisor.Target) (kind string, ok bool) {
	v := t.Conf.String(keyStrategy)
	if !v.Set() || !v.Has {
		return "", false
	}
	name := strings.ToLower(v.V)
	for _, s := range strategies {
		for _, n := range s.names {
			if n == name {
				return s.kind, true
			}
		}
	}
	return "", true
}

// A mode is a kind of high availability.
type mode int

const (
	off mode = iota
	zooKeeper
	kubernetes
	// custom is a factory class that Flink does not ship, or a value that is not known here.
	custom
)

// modeOf is the kind of high availability (HighAvailabilityMode.fromConfig). The class was the only way to name Kubernetes up to 1.14.
func modeOf(t *advisor.Target) mode {
	v := t.Conf.String(keyHA)
	if !v.Has {
		if v.Set() {
			return custom
		}
		return off
	}
	name := strings.ToLower(quantity.Trim(v.V))
	switch {
	case name == "none", name == "standalone":
		return off
	case name == "zookeeper":
		return zooKeeper
	case name == "kubernetes", strings.HasSuffix(name, ".kuberneteshaservicesfactory"):
		return kubernetes
	}
	return custom
}
