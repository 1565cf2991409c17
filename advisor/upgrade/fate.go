package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A fate is what becomes of one entry of the configuration.
type fate struct {
	entry *conf.Entry
	// hidden is the entry that counts in the place of this one, in the old version already.
	hidden *conf.Entry
	// kind is Renamed, Removed, Value or Hidden, "" for an entry that stays as it is.
	kind Kind
	// drop tells that the new file has the entry as a comment. reason says why, in the words of that comment.
	drop   bool
	reason string
	// settings take the entry's place when it is not dropped: its own value under another name (moved), or others.
	settings []written
	// departure is what is known of an option that is gone.
	departure option.Departure
	// unread tells that the old version did not read it either.
	unread bool
}

// written is a setting of the new file: the entry's own value, or another.
type written struct {
	key string
	// own: the value of the entry as it is. Otherwise value.
	own   bool
	value string
}

// entries are what the fate leaves of the entry for the new version to read.
func (f *fate) entries() []conf.Entry {
	switch {
	case f.drop:
		return nil
	case len(f.settings) == 0:
		return []conf.Entry{*f.entry}
	}
	out := make([]conf.Entry, 0, len(f.settings))
	for _, s := range f.settings {
		e := *f.entry
		e.Key = s.key
		if !s.own {
			e.Value, e.Text, e.Raw, e.Kind, e.Items = s.value, s.value, s.value, conf.Text, nil
		}
		out = append(out, e)
	}
	return out
}

// hiddenBy begins the reason of an entry that another setting hides, in the old version as in the new one.
const hiddenBy = "not read: "

// names are the keys under which the new file has the entry.
func (f *fate) names() []string {
	if f.drop {
		return nil
	}
	if len(f.settings) == 0 {
		return []string{f.entry.Key}
	}
	out := make([]string, len(f.settings))
	for i, s := range f.settings {
		out[i] = s.key
	}
	return out
}

// decideAll gives every entry of every layer its fate, in order.
func decideAll(before *advisor.Target, to version.Version) []fate {
	all := before.Conf.All()
	hidden := map[*conf.Entry]*conf.Entry{}
	for _, o := range before.Conf.Overridden() {
		hidden[o.Entry] = o.By
	}
	fates := make([]fate, len(all))
	for i := range all {
		fates[i] = decide(before, to, all[i])
		fates[i].hidden = hidden[all[i]]
	}
	compete(before, to, fates)
	return fates
}

// decide looks at one entry by itself.
func decide(before *advisor.Target, to version.Version, e *conf.Entry) fate {
	f := fate{entry: e}
	if before.Allows(e.Key) || e.Nested || strings.HasPrefix(e.Key, "\ufeff") {
		return f
	}
	for _, c := range conversions {
		if !before.Version.Before(c.since.Major, c.since.Minor) || to.Before(c.since.Major, c.since.Minor) || !matches(c.key, e.Key) {
			continue
		}
		if settings, reason, ok := c.convert(before, e); ok {
			f.kind, f.settings, f.reason, f.drop = Value, settings, reason, len(settings) == 0
			if f.departure, ok = option.Departed(e.Key, to); ok || f.drop {
				f.kind = Removed
			}
			if strings.HasPrefix(reason, hiddenBy) {
				f.kind, f.unread = Hidden, true
			}
			return f
		}
	}
	m, known := option.Lookup(e.Key, to)
	switch {
	case !known:
		f.gone(before.Version, to)
	case m.Via == option.ByDeprecated, m.Via == option.ByFallback:
		f.kind = Renamed
		f.settings = []written{{key: m.Option.Key, own: true}}
		for _, o := range m.Others {
			f.settings = append(f.settings, written{key: o.Key, own: true})
		}
	case m.Via == option.ByPrefix && !strings.HasPrefix(e.Key, m.Option.Key+"."):
		old := strings.TrimSuffix(m.Pattern, ".<key>")
		f.kind = Renamed
		f.settings = []written{{key: m.Option.Key + strings.TrimPrefix(e.Key, old), own: true}}
	}
	return f
}

// gone is the fate of a key that the new version does not read.
func (f *fate) gone(from, to version.Version) {
	d, ok := option.Departed(f.entry.Key, to)
	if !ok {
		return // the project's own, a typing error, or an option of a later version: upgrades change nothing
	}
	_, read := option.Lookup(f.entry.Key, from)
	f.departure, f.unread = d, !read
	if d.Same && read {
		f.kind = Renamed
		f.settings = []written{{key: d.By[0], own: true}}
		return
	}
	f.kind, f.drop = Removed, true
	f.reason = removal(d, to)
}

// removal says why an option is a comment in the new file.
func removal(d option.Departure, to version.Version) string {
	text := fmt.Sprintf("not read by Flink %s", to.Line())
	if d.Last.Known() {
		text += fmt.Sprintf(" (the last was %s)", d.Last)
	}
	if len(d.By) > 0 {
		text += "; now " + strings.Join(d.By, " or ")
	}
	if d.Note != "" {
		text += "; " + d.Note
	}
	return text
}

// compete lets a single entry count for each option: where several names of one option are set, the one that the old version read, else the one that the new
// version would. Two entries of one key do not compete: the later wins in every version.
func compete(before *advisor.Target, to version.Version, fates []fate) {
	// holders are the fates that set each key of the new file.
	holders := map[string][]*fate{}
	for i := range fates {
		f := &fates[i]
		if f.hidden != nil {
			continue
		}
		for _, k := range f.names() {
			holders[k] = append(holders[k], f)
		}
	}
	for i := range fates {
		f := &fates[i]
		if f.drop || f.hidden != nil || len(f.settings) == 0 {
			continue
		}
		f.settings = slices.DeleteFunc(f.settings, func(s written) bool {
			list := holders[s.key]
			return len(list) > 1 && best(before, to, s.key, list) != f
		})
		if len(f.settings) > 0 {
			continue
		}
		f.kind, f.drop, f.reason = Hidden, true, hiddenBy+"another name of the option is set"
	}
	// An option's own key can lose as well, where the old version read it as an option of its own and another name in its place.
	for i := range fates {
		f := &fates[i]
		list := holders[f.entry.Key]
		if f.drop || f.hidden != nil || len(f.settings) > 0 || len(list) < 2 || best(before, to, f.entry.Key, list) == f {
			continue
		}
		f.kind, f.drop, f.reason = Hidden, true, hiddenBy+"another name of the option is set"
	}
	// What an entry with the same key hides goes the way of that entry.
	byEntry := make(map[*conf.Entry]*fate, len(fates))
	for i := range fates {
		byEntry[fates[i].entry] = &fates[i]
	}
	for i := range fates {
		f := &fates[i]
		if by := byEntry[f.hidden]; f.hidden != nil && by != nil {
			f.kind, f.drop, f.reason, f.settings, f.departure, f.unread = by.kind, by.drop, by.reason, by.settings, by.departure, by.unread
		}
	}
}

// best is the fate that sets key for good.
func best(before *advisor.Target, to version.Version, key string, list []*fate) *fate {
	if was := before.Conf.String(key).Entry; was != nil {
		for _, f := range list {
			if f.entry.Key == was.Key && f.kind != Value {
				return f
			}
		}
	}
	names := []string{key}
	if o := lookup(key, to); o != nil {
		names = slices.Concat(names, o.Fallback, o.Deprecated)
	}
	for _, n := range names {
		for _, f := range list {
			if f.entry.Key == n {
				return f
			}
		}
	}
	return list[0]
}
