// Command generate makes the catalogue of Flink's options.
//
//	generate merge -work FOLDER   joins what the Java program printed for each minor line into raw.tsv
//	generate operator -work FOLDER   joins the runs over releases of the Kubernetes operator into operator.tsv
//	generate catalog              turns raw.tsv and classes.tsv into ../catalog_gen.go and counts.tsv
//	generate compare ...          compares the catalogue with a list of options read from Flink's sources
//
// README.md in this folder tells the whole way.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: generate merge|operator|catalog|compare [flags]")
	}
	var err error
	switch args := os.Args[2:]; os.Args[1] {
	case "merge":
		err = merge(args)
	case "operator":
		err = operator(args)
	case "catalog":
		err = catalog(args)
	case "compare":
		err = compare(args)
	default:
		err = fmt.Errorf("unknown command %q", os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}

// merge reads WORK/<line>.a.tsv and WORK/<line>.b.tsv, the same line on two machines, for every minor line.
func merge(args []string) error {
	flags := flag.NewFlagSet("merge", flag.ExitOnError)
	work := flags.String("work", "", "the folder with the output of the Java program")
	dir := flags.String("dir", "schema/option/generate", "the folder of raw.tsv and versions.tsv")
	_ = flags.Parse(args)
	var runs []run
	for _, m := range version.Minors {
		var machines [2]run
		for i, name := range []string{"a", "b"} {
			path := filepath.Join(*work, m.String()+"."+name+".tsv")
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if machines[i], err = parseRun(string(text)); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		r, err := mergeMachines(machines[0], machines[1])
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		runs = append(runs, r)
	}
	comments := []string{
		"Every static ConfigOption field of Flink's released jars, by reflection. Made by schema/option/generate (README.md); do not edit.",
		"Facts only. A row holds from line FROM to line TO; a new row starts where a fact changes.",
	}
	return os.WriteFile(filepath.Join(*dir, "raw.tsv"), []byte(printDeclarations(mergeLines(runs), comments)), 0o644)
}

// operator reads WORK/<release>.tsv, what the Java program printed for releases of the Kubernetes operator, oldest to newest.
func operator(args []string) error {
	flags := flag.NewFlagSet("operator", flag.ExitOnError)
	work := flags.String("work", "", "the folder with the output of the Java program")
	dir := flags.String("dir", "schema/option/generate", "the folder of operator.tsv")
	_ = flags.Parse(args)
	paths, err := filepath.Glob(filepath.Join(*work, "*.tsv"))
	if err != nil {
		return err
	}
	releases := map[version.Version]run{}
	var order []version.Version
	for _, path := range paths {
		v, err := version.Parse(strings.TrimSuffix(filepath.Base(path), ".tsv"))
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if len(text) == 0 {
			continue
		}
		if releases[v], err = parseRun(string(text)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		order = append(order, v)
	}
	slices.SortFunc(order, version.Version.Compare)
	return os.WriteFile(filepath.Join(*dir, "operator.tsv"), []byte(printOperator(order, releases)), 0o644)
}

// catalog writes the compact form and the counts.
func catalog(args []string) error {
	flags := flag.NewFlagSet("catalog", flag.ExitOnError)
	dir := flags.String("dir", "schema/option/generate", "the folder of raw.tsv and classes.tsv")
	out := flags.String("out", "schema/option/catalog_gen.go", "the Go file to write")
	_ = flags.Parse(args)
	rows, all, err := load(*dir)
	if err != nil {
		return err
	}
	src, err := GoSource(rows)
	if err != nil {
		return err
	}
	if err := os.WriteFile(*out, src, 0o644); err != nil {
		return err
	}
	text := counts(all, rows)
	fmt.Print(text)
	return os.WriteFile(filepath.Join(*dir, "counts.tsv"), []byte(text), 0o644)
}

// load reads raw.tsv and classes.tsv and makes the rows of the catalogue.
func load(dir string) ([]Row, []Declaration, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "raw.tsv"))
	if err != nil {
		return nil, nil, err
	}
	all, err := parseDeclarations(string(raw))
	if err != nil {
		return nil, nil, fmt.Errorf("raw.tsv: %w", err)
	}
	more, err := os.ReadFile(filepath.Join(dir, "operator.tsv"))
	if err != nil {
		return nil, nil, err
	}
	ops, err := parseOperator(string(more))
	if err != nil {
		return nil, nil, fmt.Errorf("operator.tsv: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "classes.tsv"))
	if err != nil {
		return nil, nil, err
	}
	uses, err := parseUses(string(text))
	if err != nil {
		return nil, nil, fmt.Errorf("classes.tsv: %w", err)
	}
	rows, err := catalogue(slices.Concat(all, ops), uses)
	return rows, all, err
}

// counts prints, for each minor line, the fields that reflection saw, the options of the catalogue and the old names they read.
func counts(all []Declaration, rows []Row) string {
	var b strings.Builder
	b.WriteString("# Made by schema/option/generate; do not edit.\nline\tfields\toptions\taliases\n")
	for i, m := range version.Minors {
		fields, options := 0, 0
		names := map[string]bool{}
		for _, d := range all {
			if d.From <= i && i <= d.To {
				fields++
			}
		}
		for _, r := range rows {
			if r.From <= i && i <= r.To {
				options++
				for _, k := range r.Deprecated {
					names[k] = true
				}
				for _, k := range r.Fallback {
					names[k] = true
				}
			}
		}
		fmt.Fprintf(&b, "%s\t%d\t%d\t%d\n", m, fields, options, len(names))
	}
	return b.String()
}
