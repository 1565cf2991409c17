// Package checkpoint has the rules about checkpoints: whether they are on, whether they can be in time, what they write, and whether they can be
// found again.
package checkpoint

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// Options of checkpoints, by today's names.
const (
	keyInterval       = "execution.checkpointing.interval"
	keyTimeout        = "execution.checkpointing.timeout"
	keyMinPause       = "execution.checkpointing.min-pause"
	keyMode           = "execution.checkpointing.mode"
	keyConcurrent     = "execution.checkpointing.max-concurrent-checkpoints"
	keyTolerable      = "execution.checkpointing.tolerable-failed-checkpoints"
	keyUnaligned      = "execution.checkpointing.unaligned.enabled"
	keyForced         = "execution.checkpointing.unaligned.forced"
	keyAlignedTimeout = "execution.checkpointing.aligned-checkpoint-timeout"
	keyIncremental    = "execution.checkpointing.incremental"
	keyDir            = "execution.checkpointing.dir"
	keySavepointDir   = "execution.checkpointing.savepoint-dir"
	keyStorage        = "execution.checkpointing.storage"
	keyBackend        = "state.backend.type"
	keyDebloat        = "taskmanager.network.memory.buffer-debloat.enabled"
)

// inFlightFacts are the job facts that the bound of in-flight data comes from.
var inFlightFacts = []string{"job.vertices", "job.edges", "job.parallelism", "deployment.taskManagers"}

// durationFacts are the job facts that the time of a checkpoint comes from.
var durationFacts = append([]string{"state.size", "state.changedPerCheckpoint", "checkpointStorage.throughput", "checkpointStorage.throughputPerTaskManager"}, inFlightFacts...)

const (
	// defaultTimeout is Flink's default of the checkpoint timeout in seconds; shortTimeout is half of it: nothing is gained by less, because a checkpoint that
	// expires is thrown away whole.
	defaultTimeout = 600
	shortTimeout   = defaultTimeout / 2
	// fullTimeout is the share of the timeout that the estimate may take: twice the time is left for barriers that wait and for storage on a bad day.
	fullTimeout = 0.5
	// roomyTimeout is how many times the estimate the timeout should be.
	roomyTimeout = 3
)

// timeout is the checkpoint timeout in seconds; ok is false when it is not known.
func timeout(t *advisor.Target) (v conf.Value[quantity.Duration], seconds float64, ok bool) {
	v = t.Conf.Duration(keyTimeout)
	return v, v.V.Seconds(), v.Has && !v.V.IsZero()
}

// timeoutLabel marks the timeout, or the interval where Flink's default timeout holds.
func timeoutLabel(t *advisor.Target) advisor.Label {
	v := t.Conf.Duration(keyTimeout)
	if l, ok := t.Label(keyTimeout, "expires after "+v.V.Pretty()); ok {
		return l
	}
	return t.Anchor("the timeout is Flink's default of "+v.V.Pretty(), keyInterval)
}

// tolerable is how many checkpoints may fail in a row; 0 is Flink's default, also where it declares none (up to 1.18).
func tolerable(t *advisor.Target) (failures int32, known bool) {
	v := t.Conf.Int(keyTolerable)
	if !v.Has {
		return 0, !v.Set() && v.Err == nil
	}
	return v.V, true
}

// sureOf is how sure a finding is that rests on what the option is here: a DataStream or Python program may set in its code what the configuration
// leaves out, and Flink takes the code's word.
func sureOf(t *advisor.Target, key string) advisor.Confidence {
	if t.Conf.String(key).Set() || t.Job.Job.API.V == "sql" {
		return advisor.Certain
	}
	return advisor.Likely
}

// perSecond prints a throughput.
func perSecond(bytes float64) string {
	if bytes >= math.MaxInt64/2 {
		return "an endless rate"
	}
	return quantity.Bytes(math.Ceil(bytes)).Pretty() + "/s"
}

// inSeconds prints a time for a sentence: "0.4 s", "164 s", "10.5 min".
func inSeconds(s float64) string {
	switch {
	case s < 10:
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	case s < 600:
		return strconv.FormatFloat(s, 'f', 0, 64) + " s"
	case s < 2*3600:
		return strings.TrimSuffix(strconv.FormatFloat(s/60, 'f', 1, 64), ".0") + " min"
	}
	return strconv.FormatFloat(s/3600, 'f', 1, 64) + " h"
}

// minutes is a duration in whole minutes, rounded up, as one writes it in a configuration.
func minutes(seconds float64) string {
	return fmt.Sprintf("%.0f min", max(math.Ceil(seconds/60), 1))
}

// alignedTimeout is the advised aligned-checkpoint-timeout: 30 s, as in Flink's own example, and a quarter of the checkpoint timeout at most, so that the
// unaligned part has time left.
func alignedTimeout(t *advisor.Target) string {
	const advised, share = 30, 4
	if _, s, ok := timeout(t); ok && s < advised*share {
		return fmt.Sprintf("%.0f s", max(math.Floor(s/share), 1))
	}
	return fmt.Sprintf("%d s", advised)
}
