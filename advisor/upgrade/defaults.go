package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// sameEffect are defaults that were declared otherwise and did the same: the class that reads the option, or another one, had the value before.
var sameEffect = []string{
	"jobmanager.scheduler",                             // Default is the new name of Ng (1.16)
	"kubernetes.container.image.ref",                   // the image of the release itself
	"kubernetes.entry.path",                            // the script moved with the image
	"pipeline.auto-watermark-interval",                 // ExecutionConfig had 200 ms since 1.12, whatever the option declared
	"table.generated-code.max-length",                  // TableConfig had 4000 before the option
	"table.exec.mini-batch.allow-latency",              // -1 ms and 0 ms both mean not set
	"table.exec.source.idle-timeout",                   // likewise
	"client.timeout",                                   // another unit
	"taskmanager.memory.min-segment-size",              // the least size that debloating may choose, not a segment's
	"high-availability.zookeeper.path.execution-plans", // the node has another name, and jobs of 1.x are not taken over
}

// A concern says which configurations a changed default concerns. The first that fits an option counts; an option without one concerns nobody by itself.
type concern struct {
	prefix string
	when   func(t *advisor.Target) bool
}

func always(*advisor.Target) bool { return true }

func batch(t *advisor.Target) bool { return t.Job.Job.Type.Known && t.Job.Job.Type.V == "batch" }

// checkpoints tells whether the configuration turns checkpoints on.
func checkpoints(t *advisor.Target) bool {
	v := t.Conf.Duration("execution.checkpointing.interval")
	return v.Set() && !batch(t)
}

func kubernetes(t *advisor.Target) bool {
	return t.Deployment == budget.Kubernetes || len(t.Conf.Prefixed("kubernetes.")) > 0
}

func sql(t *advisor.Target) bool {
	return t.Job.Job.API.Known && t.Job.Job.API.V == "sql" || len(t.Conf.Prefixed("table.")) > 0
}

func python(t *advisor.Target) bool {
	return t.Job.Job.API.Known && t.Job.Job.API.V == "python" || len(t.Conf.Prefixed("python.")) > 0
}

// on tells whether a boolean option is true.
func on(key string) func(t *advisor.Target) bool {
	return func(t *advisor.Target) bool { v := t.Conf.Bool(key); return v.Has && v.V }
}

// is tells whether an option is set to a value, in any case.
func is(key string, values ...string) func(t *advisor.Target) bool {
	return func(t *advisor.Target) bool {
		v := t.Conf.String(key)
		return v.Has && slices.ContainsFunc(values, func(s string) bool { return strings.EqualFold(s, v.V) })
	}
}

func tls(t *advisor.Target) bool {
	for _, k := range []string{"security.ssl.internal.enabled", "security.ssl.rest.enabled", "security.ssl.enabled"} {
		if on(k)(t) {
			return true
		}
	}
	return false
}

var concerns = []concern{
	{"jobmanager.execution.failover-strategy", always},
	{"restart-strategy.exponential-delay.", is("restart-strategy.type", "exponential-delay", "exponentialdelay")},
	{"execution.checkpointing.checkpoints-after-tasks-finish", checkpoints},
	{"execution.checkpointing.data-inline-threshold", checkpoints},
	{"execution.checkpointing.unaligned.forced", on("execution.checkpointing.unaligned.enabled")},
	{"kubernetes.", kubernetes},
	{"security.ssl.", tls},
	{"state.backend.rocksdb.", is("state.backend.type", "rocksdb")},
	{"state.backend.forst.", is("state.backend.type", "forst")},
	{"taskmanager.network.memory.buffer-debloat.", on("taskmanager.network.memory.buffer-debloat.enabled")},
	{"taskmanager.network.sort-shuffle.", batch},
	{"taskmanager.memory.framework.off-heap.batch-shuffle.size", batch},
	{"execution.batch.", batch},
	{"table.", sql},
	{"python.", python},
}

// defaults reports defaults that changed for options that are not set.
func (a *analysis) defaults() error {
	for o := range option.All(a.To) {
		was := predecessor(o, a.From)
		if o.Internal || was == nil || was.MachineDefault || o.MachineDefault || !was.HasDefault || !o.HasDefault || slices.Contains(sameEffect, o.Key) {
			continue
		}
		if meaning(textEntry(o.Key, was.Default), o, a.From, conf.Arguments) == meaning(textEntry(o.Key, o.Default), o, a.To, conf.Arguments) {
			continue
		}
		if a.Before.Conf.String(was.Key).Set() || a.After.Conf.String(o.Key).Set() || o.Kind == option.Map && len(a.After.Conf.Prefixed(o.Key+".")) > 0 {
			continue
		}
		if err := a.changedDefault(was, o); err != nil {
			return err
		}
	}
	return nil
}

// predecessor is the option of the old version that o continues: by the same name, or by one that o still reads.
func predecessor(o *option.Option, from version.Version) *option.Option {
	for _, k := range slices.Concat([]string{o.Key}, o.Fallback, o.Deprecated) {
		if m, ok := option.Lookup(k, from); ok && m.Via == option.Canonical {
			return m.Option
		}
	}
	return nil
}

func (a *analysis) changedDefault(was, o *option.Option) error {
	kept, err := advisor.NewTarget(a.target([]Setting{{o.Key, was.Default}}))
	if err != nil {
		return err
	}
	c := Change{Kind: Default, Weight: Changes, Key: o.Key, Keep: &Setting{o.Key, keepable(was, o)}, Effect: advisor.DiffBudgets(kept, a.After)}
	i := slices.IndexFunc(concerns, func(x concern) bool { return strings.HasPrefix(o.Key, x.prefix) })
	if len(c.Effect) == 0 && (i < 0 || !concerns[i].when(a.After)) {
		if a.Minor++; !a.options.All {
			return nil
		}
		c.Weight = Tidy
	}
	c.Message = fmt.Sprintf("the default of %s is %s, no longer %s", o.Key, shown(o), shown(was))
	a.add(c)
	return nil
}

// keepable is the old default in words that the new version reads.
func keepable(was, o *option.Option) string {
	if o.Kind == option.Memory {
		if b, err := quantity.ParseBytes(was.Default); err == nil {
			return b.Config()
		}
	}
	return was.Default
}

// shown is a default for people.
func shown(o *option.Option) string {
	if o.Kind == option.Memory {
		if b, err := quantity.ParseBytes(o.Default); err == nil {
			return b.Pretty()
		}
	}
	if o.Default == "" {
		return "empty"
	}
	return o.Default
}
