// Package checks is every rule there is. Adding one touches the folder of its category and one line here.
package checks

import (
	"slices"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/suppress"
	"github.com/flinkadvise/flinkadvise/checks/checkpoint"
	"github.com/flinkadvise/flinkadvise/checks/deployment"
	"github.com/flinkadvise/flinkadvise/checks/kubernetes"
	"github.com/flinkadvise/flinkadvise/checks/memory"
	"github.com/flinkadvise/flinkadvise/checks/network"
	"github.com/flinkadvise/flinkadvise/checks/option"
	"github.com/flinkadvise/flinkadvise/checks/parallelism"
	"github.com/flinkadvise/flinkadvise/checks/recovery"
	"github.com/flinkadvise/flinkadvise/checks/security"
	"github.com/flinkadvise/flinkadvise/checks/sql"
	"github.com/flinkadvise/flinkadvise/checks/state"
	"github.com/flinkadvise/flinkadvise/checks/syntax"
	"github.com/flinkadvise/flinkadvise/checks/upgrade"
)

// All lists every rule, by category.
func All() []*advisor.Rule {
	return slices.Concat([]*advisor.Rule{
		syntax.NoSeparator,
		syntax.EmptyValue,
		syntax.DuplicateKey,
		syntax.CutByHash,
		syntax.QuotesKept,
		syntax.NestedInFlat,
		syntax.ByteOrderMark,
		syntax.Encoding,
		syntax.InvisibleCharacter,
		syntax.NotLoadable,
		syntax.RetypedScalar,
		syntax.MergeKey,
		syntax.GluedLines,
		syntax.NotConfiguration,
		syntax.WrongFileName,
		syntax.MalformedManifest,
		syntax.BlanksDeleted,

		network.InsufficientBuffers,
		network.InsufficientOnRestore,
		network.BelowTarget,
		network.Oversized,
		network.RemovedKnob,
		network.RefusedCount,
		network.DebloatRefused,
		network.HybridBreaksStreaming,

		memory.DoesNotFit,
		memory.NotConfigured,
		memory.ConflictingTotals,
		memory.ContainerLimitBelowProcessSize,
		memory.TaskHeapTooSmall,
		memory.OverheadThinForRocksDB,
		memory.ManagedIdle,
		memory.HeapStateExceedsHeap,
		memory.JobManagerHeapSmall,
		memory.JavaOptsOverride,
		memory.RocksDBUnbounded,
		memory.RocksDBFixedNotBudgeted,
		memory.RocksDBWithoutManaged,
		memory.ConsumerWeightMissing,
		memory.CompressedOopsGap,
		memory.ContainerUnused,

		checkpoint.Disabled,
		checkpoint.TimeoutTooShort,
		checkpoint.UnalignedOverhead,
		checkpoint.UnalignedRefused,
		checkpoint.AlignedTimeoutMissing,
		checkpoint.AlignedDrainExceedsTimeout,
		checkpoint.ZeroTolerableFailures,
		checkpoint.LocalDirectory,
		checkpoint.FullRocksDBSnapshots,

		checkpoint.BelowMinimum,
		checkpoint.MinPauseExceedsInterval,
		checkpoint.MinPauseWithConcurrent,
		checkpoint.AlignedTimeoutTooLong,
		checkpoint.LongerThanInterval,
		checkpoint.UnalignedWithoutEffect,
		checkpoint.ChannelStateDiscarded,
		checkpoint.NoDirectory,
		parallelism.NotEnoughSlots,
		parallelism.AboveMaxParallelism,
		parallelism.KeyGroupSkew,
		parallelism.IdleSourceSubtasks,
		parallelism.SlotsExceedCPU,

		recovery.CancellationWatchdog,
		recovery.NoRestart,
		recovery.FixedDelayRunsOut,
		recovery.FailureRateNeverTrips,
		recovery.UnusedRestartOptions,
		recovery.UnknownRestartStrategy,
		recovery.HeartbeatOrder,
		recovery.HAIncomplete,
		recovery.HALocalDirectory,
		recovery.StandbyWithoutHA,
		recovery.TransactionTimeout,
		upgrade.KnownDefect,
		upgrade.BehindOnPatches,

		sql.WindowAmplification,
		sql.MiniBatchIncomplete,
		sql.TwoPhaseWithoutMiniBatch,
		sql.IdleTimeoutShort,

		deployment.JavaModuleFlags,
		deployment.ReactiveUnsupported,

		kubernetes.InvalidName,
		kubernetes.FlinkVersion,
		kubernetes.DeprecatedVersion,
		kubernetes.ImageVersion,
		kubernetes.ForbiddenKey,
		kubernetes.OverriddenOption,
		kubernetes.CheckpointDirectoryMissing,
		kubernetes.SavepointDirectoryMissing,
		kubernetes.LastStateWithoutHA,
		kubernetes.RefusedFeature,
		kubernetes.IngressTemplate,
		kubernetes.LogConfiguration,
		kubernetes.NoParallelism,
		kubernetes.ParallelismIgnored,
		kubernetes.MemoryMissing,
		kubernetes.MemoryUnreadable,
		kubernetes.RefusedResources,
		kubernetes.ServiceAccountMissing,
		kubernetes.AutoscalerRefused,
		kubernetes.AutoscalerUnsupported,
		kubernetes.SessionJobIncomplete,
		kubernetes.JarURI,
		kubernetes.SessionJobOption,
		kubernetes.UnknownField,
		kubernetes.FieldType,
		kubernetes.ContainerName,
		kubernetes.PodTemplateResources,
		kubernetes.SavepointPathMissing,
		kubernetes.FlinkPropertiesIgnored,
		kubernetes.Suspended,

		security.SSLIncomplete,
		security.KerberosIncomplete,
		security.PlainSecret,

		state.UnknownBackend,
		option.Unknown,
		option.Renamed,
		option.Removed,
		option.InvalidValue,
		option.SuspiciousUnit,
		option.TwoNames,
		option.PrefixConflict,
		option.NoEffect,
		option.OutOfRange,
		option.Overridden,
	}, suppress.Rules)
}
