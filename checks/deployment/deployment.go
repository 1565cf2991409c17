// Package deployment has the rules about how Flink's processes are started.
package deployment

// Options that these rules read, by today's names.
const (
	keyAll  = "env.java.opts.all"
	keyBase = "env.java.default-opts.all"
	keyMode = "scheduler-mode"
)
