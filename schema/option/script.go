package option

// A script is a key that no Java option declares: only the shell scripts or the container entrypoint read it.
type script struct {
	key         string
	def         string
	from, until line
	file        string
}

// scripts are the keys that bin/config.sh and the container entrypoint name and no ConfigOption of the line declares.
var scripts = []script{
	{"env.java.home", noDefault, line{}, line{1, 20}, "config.sh"}, // CoreOptions declares it from 2.0 on
	{"env.pid.dir", "/tmp", line{}, line{1, 12}, "config.sh"},      // CoreOptions declares it from 1.13 on
	{"taskmanager.compute.numa", "false", line{}, line{}, "config.sh"},
	{"zookeeper.heap.mb", noDefault, line{}, line{}, "config.sh"},
	// The entrypoint of the official images writes this key; Flink reads query.server.ports and never this one.
	{"query.server.port", noDefault, line{}, line{}, "docker-entrypoint.sh"},
}

// byScript finds a key among the scripts' own.
func byScript(key string, i int) (Match, bool) {
	for n := range scripts {
		s := &scripts[n]
		if s.key != key || !within(i, s.from, s.until) {
			continue
		}
		o := &Option{Key: key, Class: s.file}
		if s.def != noDefault {
			o.Default, o.HasDefault = s.def, true
		}
		return Match{Option: o, Via: ByScript}, true
	}
	return Match{}, false
}
