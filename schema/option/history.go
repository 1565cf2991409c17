package option

import (
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Past is what one key was in a run of minor lines.
type Past struct {
	From, To version.Version
	// Option is the option as those lines know it. For an old name it is the canonical option as the line To knows it.
	Option *Option
	Via    Via
}

// A KeyHistory tells what a key was over all versions.
type KeyHistory struct {
	Key string
	// Own are the runs of lines in which Key was an option's own key, oldest first; a new run starts where kind, default, values,
	// aliases or declaring class change.
	Own []Past
	// Alias are the runs of lines in which options with other keys read Key, sorted by canonical key, then oldest first. A line in
	// which Key is also an option's own key still counts here: the other option falls back to it.
	Alias []Past
}

// Since is the first minor line that reads Key, under whatever name of an option.
func (h KeyHistory) Since() version.Version {
	return h.bound(func(c int) bool { return c < 0 }, func(p Past) version.Version { return p.From })
}

// Until is the last minor line that reads Key; version.Newest() when the newest still does.
func (h KeyHistory) Until() version.Version {
	return h.bound(func(c int) bool { return c > 0 }, func(p Past) version.Version { return p.To })
}

func (h KeyHistory) bound(better func(int) bool, of func(Past) version.Version) version.Version {
	var best version.Version
	for _, list := range [][]Past{h.Own, h.Alias} {
		for _, p := range list {
			if v := of(p); !best.Known() || better(v.Compare(best)) {
				best = v
			}
		}
	}
	return best
}

// Known tells whether the minor line of v reads Key.
func (h KeyHistory) Known(v version.Version) bool {
	m := version.Minors[index(v)]
	for _, list := range [][]Past{h.Own, h.Alias} {
		for _, p := range list {
			if p.From.Compare(m) <= 0 && m.Compare(p.To) <= 0 {
				return true
			}
		}
	}
	return false
}

// History tells what key was in every version, or false when no version declares or reads it. Families and script keys have
// no history.
func History(key string) (KeyHistory, bool) {
	h := KeyHistory{Key: key}
	for n := find(key); n < len(options) && options[n].Key == key; n++ {
		h.Own = append(h.Own, Past{From: version.Minors[spans[n].from], To: version.Minors[spans[n].to], Option: &options[n]})
	}
	for _, a := range aliasesOf(key) {
		h.Alias = append(h.Alias, Past{
			From: version.Minors[a.span.from], To: version.Minors[a.span.to], Option: canonical(a.target, int(a.span.to)), Via: a.via,
		})
	}
	return h, len(h.Own)+len(h.Alias) > 0
}
