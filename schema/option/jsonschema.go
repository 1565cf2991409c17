package option

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// JSONSchema is a JSON Schema (2020-12) of the configuration file of the minor line of v, for editors and validators.
//
// nested describes config.yaml, where keys are nested, dotted or both; otherwise flink-conf.yaml, whose keys are dotted and whose values are scalars.
// Flink ignores keys that it does not know; the schema refuses them where no plugin or program can own them: below the prefixes of closed. Old names
// are marked deprecated. Templates' placeholders (${…}) pass for every type.
func JSONSchema(v version.Version, nested bool) ([]byte, error) {
	b := schemaBuilder{i: index(v), nested: nested, defs: map[string]any{}}
	for _, k := range []Kind{Boolean, Int, Long, Float, Double, Memory, Duration} {
		b.defs[typeNames[k]] = b.ofKind(k, nil)
	}
	root := &schemaNode{}
	line := version.Minors[b.i]
	for _, l := range b.leaves() {
		b.defs[l.pattern] = l.schema
		root.insert(strings.Split(l.pattern, "."), l.pattern)
	}
	file := "config.yaml"
	if !nested {
		file = "flink-conf.yaml"
	}
	out := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id":     "urn:flinkadvise:flink:" + line.String() + ":" + file,
		"title":   "Apache Flink " + line.String() + ", " + file,
	}
	maps.Copy(out, b.object(root, "", nil))
	// An empty file is an empty configuration.
	out["type"] = []string{"object", "null"}
	out["propertyNames"] = b.names(out)
	out["$defs"] = b.defs
	return json.Marshal(out)
}

// closed are first segments below which Flink declares every option: an unknown key there is a typing error.
var closed = []string{
	"akka", "blob", "classloader", "cleanup-strategy", "client", "cluster", "env", "execution", "heartbeat", "high-availability", "historyserver", "io", "jobmanager", "jobstore",
	"job-result-store", "parallelism", "pekko", "process", "queryable-state", "resourcemanager", "rest", "restart-strategy", "slot", "slotmanager", "sql-client", "state",
	"taskmanager", "task", "web", "yarn", "zookeeper",
}

// A schemaLeaf is a key, or a pattern of keys, with what may stand there.
type schemaLeaf struct {
	// pattern is the key; <name> stands for one segment, ** for any rest.
	pattern string
	schema  map[string]any
}

type schemaBuilder struct {
	i      int
	nested bool
	defs   map[string]any
}

// leaves lists every key of the version: options, entries of map options, old names, keys of scripts, families.
func (b *schemaBuilder) leaves() []schemaLeaf {
	var out []schemaLeaf
	seen := map[string]bool{}
	add := func(pattern string, s map[string]any) {
		if !seen[pattern] && !strings.HasPrefix(pattern, "$") {
			seen[pattern] = true
			out = append(out, schemaLeaf{pattern, s})
		}
	}
	spread := func(key string, o *Option) {
		if o.Kind == Map && version.Minors[b.i].AtLeast(1, 14) {
			add(key+".**", map[string]any{"description": "An entry of " + o.Key + "."})
		}
	}
	for n := range options {
		o := &options[n]
		if !spans[n].has(b.i) || o.Internal {
			continue
		}
		s := b.value(o)
		if o.Obsolete {
			s["deprecated"] = true
		}
		if note := Note(o.Key); note != "" {
			s["description"] = note
		}
		add(o.Key, s)
		spread(o.Key, o)
	}
	for _, a := range aliases {
		o := canonical(a.target, b.i)
		if !a.span.has(b.i) || o == nil || o.Internal {
			continue
		}
		s := b.value(o)
		s["deprecated"], s["description"] = true, "Old name of "+o.Key+"."
		add(a.key, s)
		spread(a.key, o)
	}
	for n := range scripts {
		if m, ok := byScript(scripts[n].key, b.i); ok {
			add(scripts[n].key, b.value(m.Option))
		}
	}
	for n := range families {
		f := &families[n]
		if !within(b.i, f.from, f.until) {
			continue
		}
		if strings.HasSuffix(f.pattern, "**") {
			add(f.pattern, map[string]any{}) // whoever reads it decides
			continue
		}
		o := &Option{Key: f.pattern, Kind: f.kind, Elem: f.elem}
		if f.def != noDefault {
			o.Default, o.HasDefault = f.def, true
		}
		s := b.value(o)
		if note := Note(f.pattern); note != "" {
			s["description"] = note
		}
		add(f.pattern, s)
	}
	slices.SortFunc(out, func(x, y schemaLeaf) int { return strings.Compare(x.pattern, y.pattern) })
	return out
}

// Patterns of values as text, as Flink's parsers have them; blanks around a value do not count.
const (
	blanks      = `^[ \t]*`
	placeholder = `|\$\{[^}]*\}`
	wholeNumber = blanks + `[-+]?[0-9]+[ \t]*$` + placeholder
	anyNumber   = blanks + `[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?[fFdD]?[ \t]*$|` + blanks + `([-+]?Infinity|NaN)[ \t]*$` + placeholder
)

// typeNames are the definitions that options of one kind share. They have blanks, which keys have not.
var typeNames = map[Kind]string{
	Boolean: "a boolean", Int: "an int", Long: "a long", Float: "a float", Double: "a double", Memory: "a memory size", Duration: "a duration",
}

// value is the schema of an option's value.
func (b *schemaBuilder) value(o *Option) map[string]any {
	s := b.ofKind(o.Kind, o)
	if name, ok := typeNames[o.Kind]; ok {
		s = ref(name)
	}
	if o.HasDefault && !o.MachineDefault {
		s["default"] = defaultValue(o)
	}
	if o.Kind == Int || o.Kind == Long {
		if l, ok := LimitOf(o.Key, version.Minors[b.i]); ok && l.Unset == "" {
			if n, err := strconv.ParseInt(l.Min, 10, 64); err == nil {
				s["minimum"] = n
			}
		}
	}
	return s
}

func (b *schemaBuilder) ofKind(k Kind, o *Option) map[string]any {
	text := func(pattern string, types ...string) map[string]any {
		return map[string]any{"type": append(types, "string"), "pattern": pattern}
	}
	switch k {
	case Boolean:
		return text(blanks+"("+anyCase("true", "false")+")[ \\t]*$"+placeholder, "boolean")
	case Int:
		s := text(wholeNumber, "integer")
		s["minimum"], s["maximum"] = math.MinInt32, math.MaxInt32
		return s
	case Long:
		return text(wholeNumber, "integer")
	case Float, Double:
		return text(anyNumber, "number")
	case Memory:
		s := text(blanks+`[0-9]+[ \t]*(`+anyCase("b", "bytes", "k", "kb", "kibibytes", "m", "mb", "mebibytes", "g", "gb", "gibibytes", "t", "tb", "tebibytes")+`)?[ \t]*$`+placeholder, "integer")
		s["minimum"] = 0
		return s
	case Duration:
		labels := []string{"ns", "nano", "nanos", "nanosecond", "nanoseconds", "µs", "micro", "micros", "microsecond", "microseconds", "ms", "milli", "millis", "millisecond", "milliseconds",
			"s", "sec", "secs", "second", "seconds", "min", "minute", "minutes", "h", "hour", "hours", "d", "day", "days"}
		if version.Minors[b.i].AtLeast(1, 15) {
			labels = append(labels, "m")
		}
		pattern := blanks + `[0-9]+[ \t]*(` + anyCase(labels...) + `)?[ \t]*$`
		if version.Minors[b.i].AtLeast(2, 1) {
			pattern += `|` + blanks + `[-+]?[pP][0-9dDtThHmMsS.+-]+[ \t]*$` // ISO-8601
		}
		s := text(pattern+placeholder, "integer")
		s["minimum"] = 0
		return s
	case Enum:
		if len(o.Values) == 0 {
			return map[string]any{"type": []string{"string"}}
		}
		// The constants for completion; Flink takes them in any case, and dashes for underscores.
		return map[string]any{"anyOf": []any{
			map[string]any{"enum": o.Values},
			map[string]any{"type": "string", "pattern": blanks + "(" + anyCase(o.Values...) + ")[ \\t]*$" + placeholder},
		}}
	case List:
		types := []string{"string", "number", "boolean"}
		if b.nested {
			types = append(types, "array")
		}
		return map[string]any{"type": types}
	case Map:
		types := []string{"string"}
		if b.nested {
			types = append(types, "object")
		}
		return map[string]any{"type": types}
	}
	return map[string]any{"type": []string{"string", "number", "boolean"}}
}

// anyCase is a choice of words in any case.
func anyCase(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		var s strings.Builder
		for _, c := range w {
			switch low, up := strings.ToLower(string(c)), strings.ToUpper(string(c)); {
			case c == '-' || c == '_':
				s.WriteString("[-_]")
			case low != up && c < 0x80:
				s.WriteString("[" + low + up + "]")
			default:
				s.WriteString(regexp.QuoteMeta(string(c)))
			}
		}
		out[i] = s.String()
	}
	return strings.Join(out, "|")
}

// defaultValue is a default in JSON's types.
func defaultValue(o *Option) any {
	switch o.Kind {
	case Boolean:
		if b, err := strconv.ParseBool(o.Default); err == nil {
			return b
		}
	case Int, Long:
		if n, err := strconv.ParseInt(o.Default, 10, 64); err == nil {
			return n
		}
	case Float, Double:
		if f, err := strconv.ParseFloat(o.Default, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return f
		}
	}
	return o.Default
}

// A schemaNode is a place in the tree of keys.
type schemaNode struct {
	children map[string]*schemaNode
	// leaf is the definition of the key that ends here, "" for none.
	leaf string
}

func (n *schemaNode) insert(path []string, leaf string) {
	for _, s := range path {
		if n.children == nil {
			n.children = map[string]*schemaNode{}
		}
		if n.children[s] == nil {
			n.children[s] = &schemaNode{}
		}
		n = n.children[s]
	}
	n.leaf = leaf
}

// object describes a mapping at a place of the tree. Every way of writing a key below it is a property: one segment with a mapping behind it, or several
// joined by dots.
func (b *schemaBuilder) object(n *schemaNode, prefix string, path []string) map[string]any {
	properties, patterns := map[string]any{}, map[string]any{}
	b.below(n, prefix, "", "", properties, patterns)
	out := map[string]any{"type": "object"}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	if len(patterns) > 0 {
		out["patternProperties"] = patterns
	}
	if len(path) > 0 && slices.Contains(closed, path[0]) {
		out["additionalProperties"] = false
	}
	return out
}

// below adds the descendants of a node to the properties of the node that lies at base; name and pattern are the way from there.
func (b *schemaBuilder) below(n *schemaNode, prefix, name, pattern string, properties, patterns map[string]any) {
	for _, segment := range slices.Sorted(maps.Keys(n.children)) {
		child := n.children[segment]
		full, way, expression := segment, segment, expressionOf(segment)
		if prefix != "" {
			full = prefix + "." + segment
		}
		if name != "" {
			way, expression = name+"."+segment, pattern+`\.`+expressionOf(segment)
		}
		if child.leaf != "" || b.nested {
			if expression == regexp.QuoteMeta(way) {
				properties[way] = b.either(child, full)
			} else {
				patterns["^"+expression+"$"] = b.free(child, full)
			}
		}
		b.below(child, full, way, expression, properties, patterns)
	}
}

// expressionOf is a segment of a pattern as a regular expression.
func expressionOf(segment string) string {
	switch {
	case segment == "**":
		return ".+"
	case segment[0] == '<':
		return `[^.]+`
	}
	return regexp.QuoteMeta(segment)
}

// either is what stands behind a key that ends at a node: the value of an option, a mapping of the keys below it, or one of the two.
func (b *schemaBuilder) either(n *schemaNode, full string) any {
	var refs []any
	if n.leaf != "" {
		refs = append(refs, ref(n.leaf))
	}
	if b.nested && len(n.children) > 0 {
		name := full + "."
		if _, done := b.defs[name]; !done {
			b.defs[name] = nil // its own descendants do not lead back here, but both parents may
			b.defs[name] = b.object(n, full, strings.Split(full, "."))
		}
		refs = append(refs, ref(name))
	}
	if len(refs) == 1 {
		return refs[0]
	}
	return map[string]any{"anyOf": refs}
}

// free is either for a key with a free name in it. The name may be that of an option beside it ("table.catalog-store.kind"), whose value is none of a mapping.
func (b *schemaBuilder) free(n *schemaNode, full string) any {
	if n.leaf != "" || len(n.children) == 0 || !b.nested {
		return b.either(n, full)
	}
	return map[string]any{"anyOf": []any{map[string]any{"not": map[string]any{"type": "object"}}, b.either(n, full)}}
}

// ref points at a definition; the name is escaped as a JSON pointer in a URI fragment.
func ref(name string) map[string]any {
	escaped := strings.NewReplacer("~", "~0", "/", "~1", "<", "%3C", ">", "%3E", " ", "%20").Replace(name)
	return map[string]any{"$ref": "#/$defs/" + escaped}
}

// names says which keys may stand at the top: the known ones, and any that lie outside of the closed prefixes.
func (b *schemaBuilder) names(root map[string]any) map[string]any {
	properties, _ := root["properties"].(map[string]any)
	ways := []any{
		map[string]any{"enum": slices.Sorted(maps.Keys(properties))},
		map[string]any{"not": map[string]any{"pattern": "^(" + strings.Join(quoteAll(closed), "|") + `)(\.|$)`}},
	}
	if patterns, ok := root["patternProperties"].(map[string]any); ok {
		ways = append(ways, map[string]any{"pattern": strings.Join(slices.Sorted(maps.Keys(patterns)), "|")})
	}
	return map[string]any{"anyOf": ways}
}

func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = regexp.QuoteMeta(s)
	}
	return out
}
