package conf

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/knadh/koanf/v2"

	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// An Origin says where a value comes from.
type Origin int

// Origins.
const (
	// Given: set in a file, a manifest, the job file or on the command line.
	Given Origin = iota + 1
	// Default: Flink's own, of the version at hand.
	Default
	// Assumed: neither; a stated assumption that a fact would replace.
	Assumed
)

// String is the origin's name in JSON.
func (o Origin) String() string {
	switch o {
	case Given:
		return "given"
	case Default:
		return "default"
	case Assumed:
		return "assumed"
	}
	return "unknown"
}

// A Layer is a list of entries with one provenance; within it later entries win.
type Layer struct {
	Name    string
	Dialect Dialect
	Entries []Entry
}

// Effective is the configuration that one Flink version would see: the merged layers over the version's defaults. It remembers look-ups, so one goroutine
// at a time may use it.
type Effective struct {
	Version version.Version
	// Standard tells that values of list and map type are read as YAML first (Flink with config.yaml; ConfigurationUtils under
	// GlobalConfiguration.isStandardYaml).
	Standard   bool
	entries    []*Entry
	winners    map[string]int
	overridden []Overridden
	// matches remembers what keys are: many rules ask for the same ones.
	matches map[string]match
}

type match struct {
	option.Match
	ok bool
}

// layerProvider hands a layer to koanf as it is. Its own confmap provider copies by reflection, which costs more than all the rest of a run.
type layerProvider map[string]any

// Read gives the layer.
func (p layerProvider) Read() (map[string]any, error) { return p, nil }

// ReadBytes is the other half of koanf's interface.
func (p layerProvider) ReadBytes() ([]byte, error) {
	return nil, errors.New("a layer has no bytes")
}

// Overridden is an entry that a later one with the same key hides.
type Overridden struct{ Entry, By *Entry }

// keyDelimiter keeps koanf from splitting keys: Flink has options that are prefixes of others (state.backend and
// state.backend.incremental), which a dotted path cannot hold.
const keyDelimiter = "\x00"

// Merge lays layers over each other, the last one winning.
func Merge(v version.Version, layers ...Layer) (*Effective, error) {
	e := &Effective{Version: v, Standard: standard(v, layers), winners: map[string]int{}}
	k := koanf.New(keyDelimiter)
	for _, layer := range layers {
		flat := make(map[string]any, len(layer.Entries))
		for i := range layer.Entries {
			entry := &layer.Entries[i]
			if entry.Layer == "" {
				named := *entry
				named.Layer = layer.Name
				entry = &named
			}
			e.entries = append(e.entries, entry)
			flat[entry.Key] = len(e.entries) - 1
		}
		if err := k.Load(layerProvider(flat), nil); err != nil {
			return nil, fmt.Errorf("merging %s: %w", layer.Name, err)
		}
	}
	for _, key := range k.Keys() {
		e.winners[key] = k.Get(key).(int)
	}
	for i := range e.entries {
		if by := e.winners[e.entries[i].Key]; by != i {
			e.overridden = append(e.overridden, Overridden{e.entries[i], e.entries[by]})
		}
	}
	return e, nil
}

// standard tells how values of list and map type are read: GlobalConfiguration starts out with standard YAML from 1.19 on, and 1.19 and 1.20 leave
// it when they read flink-conf.yaml.
func standard(v version.Version, layers []Layer) bool {
	flat := false
	for _, layer := range layers {
		if layer.Dialect == YAML {
			return true
		}
		flat = flat || layer.Dialect == Flat
	}
	return v.AtLeast(2, 0) || v.AtLeast(1, 19) && !flat
}

// Entries are the winning entries in the order of their layers and places.
func (e *Effective) Entries() []*Entry {
	out := make([]*Entry, 0, len(e.winners))
	for i := range e.entries {
		if e.winners[e.entries[i].Key] == i {
			out = append(out, e.entries[i])
		}
	}
	return out
}

// All are all entries of all layers in order, hidden ones included.
func (e *Effective) All() []*Entry { return e.entries }

// HasPlaceholders tells whether some value is filled in later by a template engine.
func (e *Effective) HasPlaceholders() bool {
	return slices.ContainsFunc(e.entries, func(n *Entry) bool { return n.Placeholder })
}

// Overridden are the entries that later ones hide, in order.
func (e *Effective) Overridden() []Overridden { return e.overridden }

// Entry is the winning entry with exactly this key, or nil.
func (e *Effective) Entry(key string) *Entry {
	if i, ok := e.winners[key]; ok {
		return e.entries[i]
	}
	return nil
}

// Prefixed are the winning entries whose key begins with prefix, sorted by key.
func (e *Effective) Prefixed(prefix string) []*Entry {
	var out []*Entry
	for key := range e.winners {
		if strings.HasPrefix(key, prefix) {
			out = append(out, e.Entry(key))
		}
	}
	slices.SortFunc(out, func(a, b *Entry) int { return cmp.Compare(a.Key, b.Key) })
	return out
}

// Lookup is option.Lookup for the version at hand, remembered.
func (e *Effective) Lookup(key string) (option.Match, bool) {
	if m, ok := e.matches[key]; ok {
		return m.Match, m.ok
	}
	m, ok := option.Lookup(key, e.Version)
	if e.matches == nil {
		e.matches = make(map[string]match, 2*len(e.winners))
	}
	e.matches[key] = match{m, ok}
	return m, ok
}

// Forget drops what Lookup remembers. A run over thousands of configurations keeps each of them to its end.
func (e *Effective) Forget() { e.matches = nil }

// Option finds the option that this version reads for key. Today's name may be given for any version: where the version knows the
// option under an older name, that one is found.
func (e *Effective) Option(key string) (*option.Option, bool) {
	if m, ok := e.Lookup(key); ok {
		return m.Option, true
	}
	if m, ok := option.Lookup(key, version.Newest()); ok && m.Option != nil && m.Option.Key == key {
		for _, old := range slices.Concat(m.Option.Fallback, m.Option.Deprecated) {
			if m, ok := e.Lookup(old); ok && m.Via == option.Canonical {
				return m.Option, true
			}
		}
	}
	return nil, false
}

// Name is how this version spells the option that is called key today; key itself where the version does not have it.
func (e *Effective) Name(key string) string {
	if o, ok := e.Option(key); ok {
		return o.Key
	}
	return key
}

// A Value is an option's value as this version reads it, with its origin.
type Value[T any] struct {
	// V is the value; meaningful when Has.
	V T
	// Key is the option's canonical key in this version.
	Key string
	// Entry is the entry that was read, nil when the value is Flink's default or there is none.
	Entry *Entry
	// Has is false when the version does not know the option, when it is neither set nor has a default, when its text was refused, or
	// when it is a placeholder.
	Has bool
	// Err is why Flink refuses the text.
	Err     error
	version version.Version
}

// Set tells whether the option is explicitly set, under its own or an old name (Flink's Configuration.contains).
func (v Value[T]) Set() bool { return v.Entry != nil }

// Origin tells where the value comes from.
func (v Value[T]) Origin() Origin {
	if v.Set() {
		return Given
	}
	return Default
}

// From names the origin: "flink-conf.yaml:12", "--set", "default of Flink 1.13".
func (v Value[T]) From() string {
	if v.Entry == nil {
		return "default of Flink " + v.version.Line().String()
	}
	return v.Entry.From()
}

// From names where an entry stands: "flink-conf.yaml:12", or its layer where it has no place.
func (e *Entry) From() string {
	if e.ValueSpan.Valid() {
		return e.ValueSpan.String()
	}
	return e.Layer
}

// Span is where the value stands; no place for a default.
func (v Value[T]) Span() source.Span {
	if v.Entry == nil {
		return source.Span{}
	}
	return v.Entry.ValueSpan
}

// read finds the entry of an option in Flink's order (own key, fallback keys, deprecated keys) and parses it, or the default.
func read[T any](e *Effective, key string, parse func(*Entry) (T, error)) Value[T] {
	v := Value[T]{Key: key, version: e.Version}
	o, ok := e.Option(key)
	if !ok {
		return v
	}
	v.Key = o.Key
	if v.Entry = e.find(o); v.Entry == nil {
		if !o.HasDefault {
			return v
		}
		def, err := parse(&Entry{Key: o.Key, Value: o.Default, Text: o.Default})
		v.V, v.Has, v.Err = def, err == nil, err
		return v
	}
	if v.Entry.Placeholder {
		return v
	}
	v.V, v.Err = parse(v.Entry)
	v.Has = v.Err == nil
	return v
}

func (e *Effective) find(o *option.Option) *Entry {
	if entry := e.Entry(o.Key); entry != nil {
		return entry
	}
	for _, keys := range [][]string{o.Fallback, o.Deprecated} {
		for _, k := range keys {
			if entry := e.Entry(k); entry != nil {
				return entry
			}
		}
	}
	return nil
}

// Parse reads an entry as a value of an option's kind and says why Flink refuses it.
func (e *Effective) Parse(n *Entry, o *option.Option) error { return e.parseAs(n, o, o.Kind) }

func (e *Effective) parseAs(n *Entry, o *option.Option, kind option.Kind) (err error) {
	switch kind {
	case option.Boolean:
		_, err = quantity.ParseBool(n.Value)
	case option.Int:
		_, err = quantity.ParseInt(n.Value)
	case option.Long:
		_, err = quantity.ParseLong(n.Value)
	case option.Float:
		_, err = fraction(n)
	case option.Double:
		_, err = quantity.ParseDouble(n.Value)
	case option.Memory:
		_, err = quantity.ParseBytes(n.Value)
	case option.Duration:
		_, err = quantity.ParseDuration(n.Value, e.Version)
	case option.Enum:
		if _, ok := quantity.MatchEnum(n.Value, o.Values); !ok && len(o.Values) > 0 {
			err = notOneOf(n.Value, o.Values)
		}
	case option.List:
		var items []string
		if items, err = e.list(n); err != nil || o.Elem == option.String || o.Elem == option.List {
			return err
		}
		for _, item := range items {
			if err = e.parseAs(&Entry{Key: n.Key, Value: item, Text: item}, o, o.Elem); err != nil {
				return err
			}
		}
	case option.Map:
		_, err = e.pairs(n)
	}
	return err
}

func notOneOf(text string, values []string) error {
	return fmt.Errorf("%q is not one of %s", text, strings.Join(values, ", "))
}

// Memory reads an option of type memory, in bytes.
func (e *Effective) Memory(key string) Value[quantity.Bytes] {
	return read(e, key, func(n *Entry) (quantity.Bytes, error) { return quantity.ParseBytes(n.Value) })
}

// Duration reads an option of type duration.
func (e *Effective) Duration(key string) Value[quantity.Duration] {
	return read(e, key, func(n *Entry) (quantity.Duration, error) { return quantity.ParseDuration(n.Value, e.Version) })
}

// Fraction reads an option of Flink's float type: a float32, which later arithmetic widens.
func (e *Effective) Fraction(key string) Value[float32] {
	return read(e, key, fraction)
}

func fraction(n *Entry) (float32, error) {
	if n.Kind == Double {
		d, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			return 0, err
		}
		return quantity.FloatFromDouble(d)
	}
	return quantity.ParseFloat(n.Value)
}

// Double reads an option of type double.
func (e *Effective) Double(key string) Value[float64] {
	return read(e, key, func(n *Entry) (float64, error) { return quantity.ParseDouble(n.Value) })
}

// Int reads an option of type int.
func (e *Effective) Int(key string) Value[int32] {
	return read(e, key, func(n *Entry) (int32, error) { return quantity.ParseInt(n.Value) })
}

// Long reads an option of type long.
func (e *Effective) Long(key string) Value[int64] {
	return read(e, key, func(n *Entry) (int64, error) { return quantity.ParseLong(n.Value) })
}

// Bool reads an option of type boolean.
func (e *Effective) Bool(key string) Value[bool] {
	return read(e, key, func(n *Entry) (bool, error) { return quantity.ParseBool(n.Value) })
}

// String reads an option of type string, or any option as text.
func (e *Effective) String(key string) Value[string] {
	return read(e, key, func(n *Entry) (string, error) { return n.Text, nil })
}

// Enum reads an option of type enum and gives the constant as Flink spells it.
func (e *Effective) Enum(key string) Value[string] {
	o, _ := e.Option(key)
	return read(e, key, func(n *Entry) (string, error) {
		if o == nil || len(o.Values) == 0 {
			return n.Value, nil
		}
		if c, ok := quantity.MatchEnum(n.Value, o.Values); ok {
			return c, nil
		}
		return "", notOneOf(n.Value, o.Values)
	})
}

// List reads an option of type list as its elements' text.
func (e *Effective) List(key string) Value[[]string] {
	return read(e, key, func(n *Entry) ([]string, error) { return e.list(n) })
}

func (e *Effective) list(n *Entry) ([]string, error) {
	if n.Kind == Sequence {
		return n.Items, nil
	}
	if e.Standard {
		if items, ok := parseYAMLList(n.Value); ok {
			return items, nil
		}
	}
	return quantity.SplitList(n.Value)
}

func (e *Effective) pairs(n *Entry) ([]quantity.Pair, error) {
	if e.Standard {
		if pairs, ok := parseYAMLMap(n.Value); ok {
			return pairs, nil
		}
	}
	return quantity.SplitMap(n.Value)
}

// Map reads an option of type map; the exact key beats entries spread over prefixed keys ("key.NAME: value").
func (e *Effective) Map(key string) Value[[]quantity.Pair] {
	v := read(e, key, e.pairs)
	if v.Set() || e.Version.Before(1, 14) {
		return v
	}
	spread := e.Prefixed(v.Key + ".")
	if len(spread) == 0 {
		return v
	}
	v.V, v.Entry, v.Has, v.Err = nil, spread[0], true, nil
	for _, n := range spread {
		v.V = append(v.V, quantity.Pair{Key: strings.TrimPrefix(n.Key, v.Key+"."), Value: n.Text})
	}
	return v
}
