package option

// A script is a key that no Java option declares: only the shell scripts or the container entrypoint read it.
type script struct {
	key         string
	def         string
	from, until line
	file        string
}

var scripts = []script{
	{"zookeeper.heap.mb", noDefault, line{}, line{}, "config.sh"},
	{"taskmanager.compute.numa", "false", line{}, line{}, "config.sh"},
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
