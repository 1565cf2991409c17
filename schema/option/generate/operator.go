package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// The Kubernetes operator has releases of its own, which do not go with Flink's lines: its options are known in every line of Flink,
// as its newest release that has them declares them.

var operatorColumns = []string{"class", "field", "since", "until", "key", "kind", "values", "default", "aliases", "flags"}

// printOperator writes operator.tsv: each key once, with the first and last release that has it and the facts of the last one.
func printOperator(order []version.Version, releases map[version.Version]run) string {
	type line struct {
		name         [2]string
		since, until version.Version
		facts        Facts
	}
	byKey := map[string]line{}
	for _, v := range order {
		for name, f := range releases[v] {
			l := line{name, v, v, f}
			if old, ok := byKey[f.Key]; ok {
				l.since = old.since
				// Two fields with one key in one release: the first by name stands.
				if old.until == v && cmp.Or(cmp.Compare(old.name[0], name[0]), cmp.Compare(old.name[1], name[1])) < 0 {
					continue
				}
			}
			byKey[f.Key] = l
		}
	}
	var lines []line
	for _, l := range byKey {
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(a.facts.Key, b.facts.Key) })
	var b strings.Builder
	b.WriteString("# Every ConfigOption of the Kubernetes operator and its autoscaler, by reflection; README.md. Made by schema/option/generate; do not edit.\n# Releases:")
	for _, v := range order {
		fmt.Fprintf(&b, " %s", v)
	}
	b.WriteString("\n" + strings.Join(operatorColumns, "\t") + "\n")
	newest := order[len(order)-1]
	for _, l := range lines {
		f := l.facts
		until := l.until.String()
		if l.until == newest {
			until = ""
		}
		row := []string{l.name[0], l.name[1], l.since.String(), until, f.Key, f.Kind, f.Values, f.Default, f.Aliases, f.Flags}
		b.WriteString(strings.Join(row, "\t") + "\n")
	}
	return b.String()
}

// parseOperator reads operator.tsv as declarations for every line of Flink. What the newest release no longer has is deprecated.
func parseOperator(text string) ([]Declaration, error) {
	rows, err := table(text, operatorColumns)
	if err != nil {
		return nil, err
	}
	var all []Declaration
	for _, f := range rows {
		flags := f[9]
		if f[3] != "" {
			flags = strings.TrimSpace(flags + " deprecated")
		}
		all = append(all, Declaration{f[0], f[1], 0, len(version.Minors) - 1,
			Facts{Key: f[4], Kind: f[5], Values: f[6], Default: f[7], Aliases: f[8], Flags: flags, Artefact: "flink-kubernetes-operator"}})
	}
	return all, nil
}
