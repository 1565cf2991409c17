package option

import "github.com/flinkadvise/flinkadvise/schema/version"

// Lookup finds what key is in version v.
func Lookup(key string, v version.Version) (Match, bool) { return Match{}, false }
