// Package option has the rules about keys and values as such: unknown, renamed, removed, mistyped, in conflict with each other.
//
// What Flink knows is asked of the catalogue (schema/option), what it reads of the effective configuration (schema/conf). What Flink refuses is an error;
// what it ignores is a warning with the impact "no effect".
package option

import (
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// entries are the settings that stand as they are meant: no placeholder, no key out of a nested block of the flat dialect (syntax/nested-in-flat reports
// those), no prefix that the project calls its own.
func entries(t *advisor.Target) []*conf.Entry {
	var out []*conf.Entry
	for _, e := range t.Conf.Entries() {
		if !e.Nested && !strings.ContainsAny(e.Key, "{}$ \ufeff") && !t.Allows(e.Key) {
			out = append(out, e)
		}
	}
	return out
}

// read tells whether the Flink at hand reads a key. Where no version is named, any that reads it will do.
func read(t *advisor.Target, key string) bool {
	if _, ok := t.Conf.Lookup(key); ok {
		return true
	}
	if !t.VersionAssumed {
		return false
	}
	for _, v := range version.Minors {
		if _, ok := option.Lookup(key, v); ok {
			return true
		}
	}
	return false
}

// label marks an entry's key.
func label(e *conf.Entry, text string) advisor.Label {
	return advisor.Label{Span: e.KeySpan, Key: e.Key, Text: text}
}

// rename is the edit that spells a key otherwise; none where the key is spread over nested levels.
func rename(e *conf.Entry, key string, safe bool) []advisor.Edit {
	if !e.KeySpan.Valid() || e.KeySpan.Text() != e.Key {
		return nil
	}
	return []advisor.Edit{{Span: e.KeySpan, New: key, Safe: safe}}
}
