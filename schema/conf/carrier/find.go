package carrier

import "bytes"

// LooksLikeFlink tells whether a text of the form of config.yaml is Flink's: by the first segments of its keys.
func LooksLikeFlink(data []byte) bool {
	for line := range bytes.Lines(data) {
		if line[0] == '#' || line[0] == ' ' || line[0] == '\t' {
			continue // a comment, or nested: the roots decide
		}
		key := bytes.TrimLeft(line, "\"'")
		for _, root := range roots {
			if rest, ok := bytes.CutPrefix(key, []byte(root)); ok && len(rest) > 0 && (rest[0] == '.' || rest[0] == ':' || rest[0] == '"' || rest[0] == '\'') {
				return true
			}
		}
	}
	return false
}

// roots are first segments of keys that hardly any other program has.
var roots = []string{"jobmanager", "taskmanager", "parallelism", "execution.checkpointing", "state.backend", "state.checkpoints", "state.savepoints",
	"restart-strategy", "high-availability", "blob.server", "jobstore", "pekko.ask", "akka.ask", "env.java.opts", "kubernetes.operator", "sql-gateway",
	"classloader.resolve-order", "classloader.parent-first-patterns", "historyserver.archive", "queryable-state"}
