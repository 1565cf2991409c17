// Package sql has the rules about windows and the Table API's options.
package sql

// Options that these rules read, by today's names.
const (
	keyMiniBatch = "table.exec.mini-batch.enabled"
	keyLatency   = "table.exec.mini-batch.allow-latency"
	keySize      = "table.exec.mini-batch.size"
	keyPhases    = "table.optimizer.agg-phase-strategy"
	keySplit     = "table.optimizer.distinct-agg.split.enabled"
	keyIdle      = "table.exec.source.idle-timeout"
)
