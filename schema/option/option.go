// Package option is the catalogue of Flink's options: every key, by version, with type, default, range, aliases,
// and whether it is known at all.
//
// The data is made from Flink's own classes by schema/option/generate and is never edited by hand.
package option

//go:generate go run ./generate catalog -dir generate -out catalog_gen.go

import "github.com/flinkadvise/flinkadvise/schema/version"

// A Kind is the type that Flink reads a value as.
type Kind int

// The kinds of Flink's ConfigOptions builder.
const (
	String Kind = iota
	Boolean
	Int
	Long
	Float
	Double
	Memory
	Duration
	Enum
	List
	Map
)

// An Option is one Flink option as one minor version knows it.
type Option struct {
	// Key is the canonical spelling in that version.
	Key  string
	Kind Kind
	// Elem is the kind of a list's elements; String for maps, whose values Flink keeps as text.
	Elem Kind
	// Values are the legal values of an Enum, spelled as Flink prints them.
	Values []string
	// Default is the default as text that Flink would read back; HasDefault tells "" from none.
	Default    string
	HasDefault bool
	// MachineDefault: Flink takes the default from the machine it runs on (temporary folder, number of processors).
	MachineDefault bool
	// Deprecated and Fallback are other keys that Flink reads when Key is not set, in Flink's own order; deprecated ones
	// come with a warning in Flink's log.
	Deprecated, Fallback []string
	// Obsolete: Flink marks the option itself @Deprecated in that version. Internal: users are not meant to set it.
	Obsolete, Internal bool
	// Class and Field name the Java declaration: "TaskManagerOptions", "NETWORK_MEMORY_MAX". Module is its Maven artefact.
	Class, Field, Module string
	// Since and Until are the first and last minor line, among those known, in which Key is the canonical spelling of an option.
	// Until is the zero Version while the newest line still has it.
	Since, Until version.Version
}

// Via tells by which name a key was found.
type Via int

// How Lookup found an option.
const (
	// Canonical: the key is the option's own.
	Canonical Via = iota
	// ByDeprecated: an old name that this version reads, with a warning in the log.
	ByDeprecated
	// ByFallback: another option's or an older name that this version reads silently.
	ByFallback
	// ByPrefix: the key is an entry of a map option spread over prefixed keys ("….consumer-weights.PYTHON").
	ByPrefix
	// ByFamily: the key belongs to an open family such as metrics.reporter.<name>.* or flink.hadoop.*; Option is the
	// family's typed member where there is one, else a String option made for the key.
	ByFamily
	// ByScript: only Flink's shell scripts or the container entrypoint read the key.
	ByScript
)

// A Match is the result of a look-up. Options are shared: callers must not change them.
type Match struct {
	// Option is the option that the key sets. For an old name it is the canonical option.
	Option *Option
	Via    Via
	// Others are further options that read the same old name ("state.backend.local-recovery" feeds two), sorted by key.
	Others []*Option
	// Pattern is the family or map pattern that a key found ByFamily or ByPrefix belongs to: "metrics.reporter.<name>.interval".
	Pattern string
	// Open tells that the key lies in the open part of a family, where Flink or a plugin takes any name.
	Open bool
}
