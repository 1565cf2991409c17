// Package upgrade tells what another Flink version does to a configuration: options that are renamed, gone or refused, defaults and behaviour that change
// because nothing is set, and the file that the new version reads.
//
// Everything is computed from the catalogue (schema/option), the budgets and the table of behaviours; nothing here reads or writes files.
package upgrade

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Weight says what a change asks of the owner of the configuration.
type Weight int

// Weights, the heaviest first.
const (
	// Breaks: Flink does not start, or a setting is lost without a word.
	Breaks Weight = iota + 1
	// Changes: what was not set behaves otherwise.
	Changes
	// Tidy: nothing happens; old names that still work, settings that had no effect before either.
	Tidy
)

var weightNames = []string{"", "breaks", "changes", "tidy"}

// String is the weight's name in JSON and on the command line.
func (w Weight) String() string { return weightNames[w] }

// ParseWeight reads a weight's name.
func ParseWeight(name string) (Weight, error) {
	if i := slices.Index(weightNames, name); i > 0 {
		return Weight(i), nil
	}
	return 0, fmt.Errorf("%q is not one of breaks, changes, tidy", name)
}

// A Kind is the sort of a change.
type Kind string

// Kinds of changes.
const (
	// File: the name and the dialect of the configuration file.
	File Kind = "file"
	// Removed: an option that the new version does not read.
	Removed Kind = "removed"
	// Refused: a value that the new version refuses.
	Refused Kind = "refused"
	// Value: a value that means something else or has another name.
	Value Kind = "value"
	// Syntax: text that standard YAML reads otherwise than the flat dialect.
	Syntax Kind = "syntax"
	// Prefix: an option whose name is the beginning of another's, which nested YAML cannot hold.
	Prefix Kind = "prefix"
	// Default: the default of an option that is not set.
	Default Kind = "default"
	// Behaviour: anything else that is on record.
	Behaviour Kind = "behaviour"
	// Hidden: a setting that another one hides.
	Hidden Kind = "hidden"
	// Renamed: an option whose old name still works.
	Renamed Kind = "renamed"
)

// kinds is the order in which changes of one weight are listed.
var kinds = []Kind{File, Removed, Refused, Value, Syntax, Prefix, Default, Behaviour, Hidden, Renamed}

// A Change is one thing that the new version does to the configuration.
type Change struct {
	Kind   Kind
	Weight Weight
	// Key is the option as it is written, or by its new name where it is not set; "" where there is none.
	Key string
	// Now are the names of the option in the new version, where they differ.
	Now []string
	// Span is where it is set; no place for what is not set.
	Span source.Span
	// Message stands alone: lower case, no full stop. Help is what to do, "" for nothing.
	Message, Help string
	// Keep is the setting that keeps today's behaviour, where there is one; Effect are the budgets without and with the change.
	Keep   *Setting
	Effect []advisor.BudgetDiff
	// Written tells that the new file takes care of it.
	Written bool
	// Source names where a behaviour was read.
	Source string
}

// A Setting is one option with its value as text.
type Setting struct{ Key, Value string }

// A Report is what an upgrade does to one configuration.
type Report struct {
	Name     string
	From, To version.Version
	// FromAssumed tells that nothing named the old version; FromOrigin says where it is from.
	FromAssumed bool
	FromOrigin  string
	// Before and After are the configuration in the old and, with the new names, in the new version.
	Before, After *advisor.Target
	// Changes are ordered by weight, kind and place.
	Changes []Change
	// Minor counts changed defaults that concern nothing in this configuration; Report.Changes holds them only when asked for.
	Minor   int
	Budgets []advisor.BudgetDiff
	// Left are defects of the old version that the new one does not have, Met those that come with it. Both are met by this configuration.
	Left, Met []defect.Hit
	// Vendor is the old version's build where it is not the Apache project's.
	Vendor string

	fates    []fate
	document *conf.Document
	dialect  conf.Dialect
}

// Options ask for more or less.
type Options struct {
	// All lists also the changed defaults that concern nothing in the configuration.
	All bool
}

// Analyse compares the configuration in its own version with the same in version to. It fails when to is not newer, or not known.
func Analyse(in advisor.TargetInput, to version.Version, o Options) (*Report, error) {
	before, err := advisor.NewTarget(in)
	if err != nil {
		return nil, err
	}
	if to.Line().Compare(version.Newest()) > 0 {
		return nil, fmt.Errorf("the newest Flink that is known here is %s; %s may have changed anything", version.Newest(), to)
	}
	if to.Compare(before.Version) <= 0 && (to.HasPatch() || before.Version.Line() == to.Line()) || to.Line().Compare(before.Version.Line()) < 0 {
		return nil, fmt.Errorf("%s is no upgrade from %s (%s)", to, before.Version, before.VersionFrom)
	}
	r := &Report{
		Name: in.Name, From: before.Version, To: to, FromAssumed: before.VersionAssumed, FromOrigin: before.VersionFrom, Before: before,
		Vendor: defect.Vendor(before.Version),
	}
	a := &analysis{Report: r, in: in, options: o}
	a.file()
	a.fates = decideAll(before, to)
	if r.After, err = advisor.NewTarget(a.target(nil)); err != nil {
		return nil, err
	}
	a.settings()
	a.syntax()
	a.prefixes()
	if err := a.defaults(); err != nil {
		return nil, err
	}
	a.behaviours()
	r.Budgets = advisor.DiffBudgets(before, r.After)
	a.defects()
	slices.SortStableFunc(r.Changes, func(x, y Change) int {
		return cmp.Or(cmp.Compare(x.Weight, y.Weight), cmp.Compare(slices.Index(kinds, x.Kind), slices.Index(kinds, y.Kind)), x.Span.Compare(y.Span))
	})
	return r, nil
}

// Heaviest is the weight of the heaviest change; zero when nothing changes.
func (r *Report) Heaviest() Weight {
	if len(r.Changes) == 0 {
		return 0
	}
	return r.Changes[0].Weight
}

// analysis is one run of Analyse.
type analysis struct {
	*Report
	in      advisor.TargetInput
	options Options
}

func (a *analysis) add(c Change) { a.Changes = append(a.Changes, c) }

// crosses tells whether the upgrade passes the minor line major.minor: the old version is before it, the new one is not.
func (r *Report) crosses(major, minor int) bool {
	return r.From.Before(major, minor) && r.To.AtLeast(major, minor)
}

// file finds the document that is the file, and what becomes of its name and dialect.
func (a *analysis) file() {
	if a.Before.Carried.Kind == carrier.File && len(a.Before.Documents) == 1 {
		a.document = a.Before.Documents[0]
	}
	for _, d := range a.Before.Documents {
		if d.Dialect == conf.Flat || d.Dialect == conf.YAML {
			a.dialect = d.Dialect
		}
	}
	if a.dialect != conf.Flat || a.To.Before(2, 0) {
		return
	}
	a.dialect = conf.YAML
	c := Change{
		Kind: File, Weight: Breaks, Message: fmt.Sprintf("Flink %s reads %s in standard YAML, and no %s", a.To.Line(), conf.YAMLName, conf.FlatName),
	}
	switch {
	case a.document != nil:
		c.Span, c.Written = a.document.View.Span(0, 0), true
		c.Help = "upgrade --write makes the new file; bin/migrate-config-file.sh of 1.19 and newer moves old names as they are and drops comments"
		a.add(c)
	case a.Before.Carried.Kind == carrier.ConfigMap:
		c.Span = a.Before.Documents[0].View.Span(0, 0)
		c.Help = "name the key " + conf.YAMLName + ", and quote what standard YAML would read otherwise"
		a.add(c)
	}
}

// target is the configuration in the new version, with more settings laid over it.
func (a *analysis) target(over []Setting) advisor.TargetInput {
	in := a.in
	in.Version, in.VersionFrom = a.To, "--to"
	in.Layers = nil
	n := 0
	for _, l := range a.in.Layers {
		entries := make([]conf.Entry, 0, len(l.Entries))
		for range l.Entries {
			entries = append(entries, a.fates[n].entries()...)
			n++
		}
		l.Entries = entries
		if l.Dialect == conf.Flat {
			l.Dialect = a.dialect
		}
		in.Layers = append(in.Layers, l)
	}
	if len(over) > 0 {
		l := conf.Layer{Name: "kept", Dialect: conf.Arguments}
		for _, s := range over {
			l.Entries = append(l.Entries, conf.Entry{Key: s.Key, Value: s.Value, Text: s.Value, Raw: s.Value})
		}
		in.Layers = append(in.Layers, l)
	}
	return in
}

// defects sorts the known defects that the configuration meets into those left behind and those to come.
func (a *analysis) defects() {
	for _, h := range defect.Find(&defect.Context{Flink: a.From, Conf: a.Before.Conf, Job: a.Before.Job}) {
		if h.Product == defect.Flink && h.Verdict.Truth == defect.True && h.Affects(a.To) == defect.No {
			a.Left = append(a.Left, h)
		}
	}
	for _, h := range defect.Find(&defect.Context{Flink: a.To, From: a.From, Conf: a.After.Conf, Job: a.After.Job}) {
		if h.Product == defect.Flink && h.Verdict.Truth == defect.True && h.Affects(a.From) == defect.No {
			a.Met = append(a.Met, h)
		}
	}
}

// lookup is the option that the old and the new version read for today's name of an option.
func lookup(key string, v version.Version) *option.Option {
	if m, ok := option.Lookup(key, v); ok {
		return m.Option
	}
	return nil
}
