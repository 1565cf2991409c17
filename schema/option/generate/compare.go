package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A difference is one fact on which the catalogue and the list read from Flink's sources disagree, and the lines it holds in.
type difference struct {
	kind, key  string
	ours, them string
	lines      []string
}

// compare reads two tables that an independent parser made from Flink's sources (keys and old names) and prints every fact on which
// the catalogue differs. README.md explains what came out.
func compare(args []string) error {
	flags := flag.NewFlagSet("compare", flag.ExitOnError)
	optionsPath := flags.String("options", "", "table of keys: key, module, class, field, versions, types, defaults, …")
	aliasesPath := flags.String("aliases", "", "table of old names: alias, canonical, kind, versions")
	_ = flags.Parse(args)
	theirs, err := readTheirs(*optionsPath)
	if err != nil {
		return err
	}
	aliases, err := readTheirAliases(*aliasesPath)
	if err != nil {
		return err
	}
	var found []difference
	add := func(kind, key, ours, them string, i int) {
		l := version.Minors[i].String()
		for n := range found {
			if f := &found[n]; f.kind == kind && f.key == key && f.ours == ours && f.them == them {
				f.lines = append(f.lines, l)
				return
			}
		}
		found = append(found, difference{kind, key, ours, them, []string{l}})
	}
	for i, v := range version.Minors {
		ours := map[string]*option.Option{}
		for o := range option.All(v) {
			ours[o.Key] = o
			if o.Module == "flink-kubernetes-operator" || strings.HasPrefix(o.Module, "flink-autoscaler") || o.Module == "flink-kubernetes-operator-api" {
				continue // not in their table
			}
			t, ok := theirs[o.Key][i]
			if !ok {
				add("only ours", o.Key, o.Class+"."+o.Field, "", i)
				continue
			}
			if k := kindOf(o); k != t.kind {
				add("kind", o.Key, k, t.kind, i)
			} else if d := asCompared(k, o.Default); o.HasDefault && d != asCompared(k, t.def) || o.HasDefault != t.hasDefault {
				add("default", o.Key, d, t.def, i)
			}
		}
		for key, lines := range theirs {
			if _, ok := lines[i]; ok && ours[key] == nil {
				m, known := option.Lookup(key, v)
				kind := "only theirs"
				if known {
					kind = "theirs is ours " + map[option.Via]string{
						option.ByDeprecated: "as an old name", option.ByFallback: "as a fallback", option.ByFamily: "in a family", option.ByPrefix: "in a map", option.ByScript: "in a script",
					}[m.Via]
				}
				add(kind, key, "", lines[i].where, i)
			}
		}
		ourAliases := map[string]bool{}
		for _, o := range ours {
			if strings.HasPrefix(o.Module, "flink-kubernetes-operator") || strings.HasPrefix(o.Module, "flink-autoscaler") {
				continue
			}
			for _, k := range o.Fallback {
				ourAliases[k+" "+o.Key+" fallback"] = true
			}
			for _, k := range o.Deprecated {
				ourAliases[k+" "+o.Key+" deprecated"] = true
			}
		}
		for a := range ourAliases {
			if !aliases[a][i] {
				add("alias only ours", a, "", "", i)
			}
		}
		for a, lines := range aliases {
			if lines[i] && !ourAliases[a] {
				add("alias only theirs", a, "", "", i)
			}
		}
	}
	slices.SortFunc(found, func(a, b difference) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.key, b.key), cmp.Compare(a.lines[0], b.lines[0]), cmp.Compare(a.ours, b.ours))
	})
	for _, d := range found {
		fmt.Printf("%s\t%s\t%s\t%s\t%s\n", d.kind, d.key, d.ours, d.them, strings.Join(d.lines, " "))
	}
	return nil
}

// asCompared brings a default to one form: sizes and durations as Flink prints them, numbers without a trailing ".0".
func asCompared(kind, def string) string {
	switch kind {
	case "memory":
		if b, err := quantity.ParseBytes(def); err == nil {
			return b.String()
		}
	case "duration":
		if d, err := quantity.ParseDuration(def, version.Newest()); err == nil {
			return d.Format(version.Newest())
		}
	case "float", "double":
		return strings.TrimSuffix(def, ".0")
	}
	return def
}

func kindOf(o *option.Option) string {
	name := func(k option.Kind) string {
		return [...]string{"string", "boolean", "int", "long", "float", "double", "memory", "duration", "enum", "list", "map"}[k]
	}
	if o.Kind == option.List {
		return "list<" + name(o.Elem) + ">"
	}
	return name(o.Kind)
}

type theirOption struct {
	kind, def, where string
	hasDefault       bool
}

// readTheirs reads the table of keys: per key and line the kind and the default.
func readTheirs(path string) (map[string]map[int]theirOption, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{
		"String": "string", "Boolean": "boolean", "Int": "int", "Long": "long", "Float": "float", "Double": "double",
		"MemorySize": "memory", "Duration": "duration", "Map": "map", "?": "string",
	}
	all := map[string]map[int]theirOption{}
	for _, l := range strings.Split(string(text), "\n") {
		f := strings.Split(l, "\t")
		if len(f) < 7 || strings.HasPrefix(l, "#") || f[0] == "key" {
			continue
		}
		types, defs := changes(f[5]), changes(f[6])
		lines := map[int]theirOption{}
		for _, i := range linesOf(f[4]) {
			t := at(types, i)
			elem, isList := strings.CutPrefix(t, "List<")
			elem = strings.TrimSuffix(elem, ">")
			kind := kinds[elem]
			if strings.HasPrefix(elem, "Enum") {
				kind = "enum"
			}
			if isList {
				kind = "list<" + kind + ">"
			}
			d := at(defs, i)
			o := theirOption{kind: kind, def: d, hasDefault: d != "(none)", where: f[2] + "." + f[3]}
			if d == "(empty)" || !o.hasDefault {
				o.def = ""
			}
			lines[i] = o
		}
		all[f[0]] = lines
	}
	return all, nil
}

// readTheirAliases reads the table of old names: "alias canonical kind" to its lines.
func readTheirAliases(path string) (map[string]map[int]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := map[string]map[int]bool{}
	for _, l := range strings.Split(string(text), "\n") {
		f := strings.Split(l, "\t")
		if len(f) < 4 || strings.HasPrefix(l, "#") || f[0] == "alias" {
			continue
		}
		lines := map[int]bool{}
		for _, i := range linesOf(f[3]) {
			lines[i] = true
		}
		all[strings.Join(f[:3], " ")] = lines
	}
	return all, nil
}

// linesOf reads "1.10..1.12,1.15".
func linesOf(text string) []int {
	var out []int
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		from, to, isRange := strings.Cut(part, "..")
		a, err := minor(from)
		if err != nil {
			continue
		}
		b := a
		if isRange {
			if b, err = minor(to); err != nil {
				continue
			}
		}
		for i := a; i <= b; i++ {
			out = append(out, i)
		}
	}
	return out
}

type change struct {
	from int
	text string
}

// changes reads "1.10=1000 ; 1.20=10 s".
func changes(text string) []change {
	var out []change
	for _, part := range strings.Split(text, " ; ") {
		line, value, _ := strings.Cut(part, "=")
		if i, err := minor(line); err == nil {
			out = append(out, change{i, value})
		} else if n := len(out); n > 0 {
			out[n-1].text += " ; " + part
		}
	}
	return out
}

func at(list []change, i int) string {
	text := ""
	for _, c := range list {
		if c.from <= i {
			text = c.text
		}
	}
	return text
}
