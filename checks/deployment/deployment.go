// Package deployment has the rules about how Flink's processes are started.
package deployment

// Options that these rules read, by today's names.
const (
	keyAll  = "env.java.opts.all"
	keyJM   = "env.java.opts.jobmanager"
	keyTM   = "env.java.opts.taskmanager"
	keyBase = "env.java.default-opts.all"
)
