// Package suppress decides which findings do not count: comments in the file, the project's settings, a baseline.
//
// A comment reads
//
//	# flinkadvise:ignore RULE[,RULE] [until 2026-12-31] -- reason
//
// on a line of its own above the line it is about, or at the end of that line; flinkadvise:ignore-file before the first option is about the whole file. The
// reason is required. A suppression that has run out, that hides nothing or that says no reason is a finding itself.
package suppress

import (
	"bytes"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

//go:embed malformed.md
var malformedDoc string

//go:embed expired.md
var expiredDoc string

//go:embed unused.md
var unusedDoc string

//go:embed locked.md
var lockedDoc string

// The rules about suppressions. They are reported by the suppressors, which see the findings and the day; their own Check has nothing to do.
var (
	Malformed = rule("suppression/malformed", advisor.Error, malformedDoc)
	Expired   = rule("suppression/expired", advisor.Warning, expiredDoc)
	Unused    = rule("suppression/unused", advisor.Warning, unusedDoc)
	Locked    = rule("suppression/locked", advisor.Error, lockedDoc)
)

// Rules lists them.
var Rules = []*advisor.Rule{Malformed, Expired, Unused, Locked}

func rule(id string, severity advisor.Severity, doc string) *advisor.Rule {
	return &advisor.Rule{
		ID: id, Since: "0.1", Severity: severity, Impact: advisor.Hygiene, Confidence: advisor.Certain, Doc: doc,
		Check: func(*advisor.Target, *advisor.Report) {},
	}
}

// Policy is what suppressions are judged by.
type Policy struct {
	// Today decides whether an until has passed.
	Today time.Time
	// Known tells whether a name is a rule or a category.
	Known func(name string) bool
	// Ran tells whether a rule ran; a suppression of one that did not is not called unused.
	Ran func(id string) bool
	// Locked are rules that nothing may suppress.
	Locked []string
}

func (p Policy) locked(id string) bool {
	return slices.ContainsFunc(p.Locked, func(l string) bool { return names(l, id) })
}

func (p Policy) expired(until string) bool {
	return until != "" && p.Today.Format(time.DateOnly) > until
}

func names(name, id string) bool { return name == id || strings.HasPrefix(id, name+"/") }

// directive is one ignore comment.
type directive struct {
	rules     []string
	until     string
	reason    string
	span      source.Span
	wholeFile bool
	// line is the line it is about.
	line int
	// problem says what is wrong with it; such a directive suppresses nothing.
	problem string
	used    bool
}

var (
	marker    = regexp.MustCompile(`(?:^|[ \t])#[ \t]*flinkadvise:(ignore-file|ignore|[a-zA-Z-]*)([^\r\n]*)`)
	sqlMarker = regexp.MustCompile(`(?:^|[ \t;])--[ \t]*flinkadvise:(ignore-file|ignore|[a-zA-Z-]*)([^\r\n]*)`)
	arguments = regexp.MustCompile(`^[ \t]+([a-z0-9/-]+(?:,[ \t]*[a-z0-9/-]+)*)(?:[ \t]+until[ \t]+(\S+))?[ \t]*(?:--[ \t]*(.*))?$`)
)

// scan finds the ignore comments of a file.
func scan(file *source.File, known func(string) bool) []*directive {
	if !bytes.Contains(file.Data, []byte("flinkadvise:")) {
		return nil // as most files
	}
	var out []*directive
	options := false
	marker, mark := marker, "#"
	if strings.HasSuffix(strings.ToLower(file.Path), ".sql") {
		marker, mark = sqlMarker, "--"
	}
	for n := 1; n <= file.Lines(); n++ {
		line, start := file.Line(n)
		at := marker.FindSubmatchIndex(line)
		body := bytes.TrimSpace(line)
		comment := len(body) == 0 || bytes.HasPrefix(body, []byte(mark)) || bytes.Equal(body, []byte("---"))
		if at == nil {
			options = options || !comment
			continue
		}
		hash := at[0] + bytes.Index(line[at[0]:], []byte(mark))
		d := &directive{span: file.Span(start+hash, start+len(bytes.TrimRight(line, " \t"))), line: n}
		d.read(string(line[at[2]:at[3]]), strings.TrimRight(string(line[at[4]:at[5]]), " \t"), known)
		if d.wholeFile && (options || !comment) {
			d.problem = "flinkadvise:ignore-file must stand before the first option"
		}
		if comment {
			d.line = nextOption(file, n, mark)
		}
		options = options || !comment
		out = append(out, d)
	}
	return out
}

// nextOption is the first line after n that is neither blank nor a comment.
func nextOption(file *source.File, n int, mark string) int {
	for n++; n <= file.Lines(); n++ {
		line, _ := file.Line(n)
		if body := bytes.TrimSpace(line); len(body) > 0 && !bytes.HasPrefix(body, []byte(mark)) {
			return n
		}
	}
	return 0
}

func (d *directive) read(verb, rest string, known func(string) bool) {
	d.wholeFile = verb == "ignore-file"
	if verb != "ignore" && verb != "ignore-file" {
		d.problem = fmt.Sprintf("flinkadvise:%s is not known; write flinkadvise:ignore or flinkadvise:ignore-file", verb)
		return
	}
	m := arguments.FindStringSubmatch(rest)
	if m == nil {
		d.problem = "expected `flinkadvise:" + verb + " RULE[,RULE] [until YYYY-MM-DD] -- reason`"
		return
	}
	for r := range strings.SplitSeq(m[1], ",") {
		d.rules = append(d.rules, strings.TrimSpace(r))
	}
	d.until, d.reason = m[2], strings.TrimSpace(m[3])
	for _, r := range d.rules {
		if !known(r) {
			d.problem = fmt.Sprintf("there is no rule or category %q", r)
			return
		}
	}
	if d.until != "" {
		if _, err := time.Parse(time.DateOnly, d.until); err != nil {
			d.problem = fmt.Sprintf("%q is not a day such as 2026-12-31", d.until)
			return
		}
	}
	if d.reason == "" {
		d.problem = "the reason is missing: write `-- why` at the end"
	}
}

// covers tells whether the directive is about the finding.
func (d *directive) covers(f *advisor.Finding) bool {
	p := f.Primary().Span
	return p.Valid() && p.File == d.span.File && (d.wholeFile || p.Line == d.line) &&
		slices.ContainsFunc(d.rules, func(r string) bool { return names(r, f.Rule.ID) })
}

// Comments suppresses by comments in the files.
func Comments(p Policy) advisor.Suppressor {
	return func(t *advisor.Target, findings []*advisor.Finding) []*advisor.Finding {
		var more []*advisor.Finding
		for _, file := range files(t) {
			for _, d := range scan(file, p.Known) {
				more = append(more, d.apply(p, findings)...)
			}
		}
		return more
	}
}

func files(t *advisor.Target) []*source.File {
	var out []*source.File
	for _, d := range t.Documents {
		if !slices.Contains(out, d.View.File) {
			out = append(out, d.View.File)
		}
	}
	return out
}

func (d *directive) apply(p Policy, findings []*advisor.Finding) []*advisor.Finding {
	label := func(text string) []advisor.Label { return []advisor.Label{{Span: d.span, Text: text}} }
	if d.problem != "" {
		return []*advisor.Finding{{
			Rule: Malformed, Message: "this suppression does not count: " + d.problem, Labels: label("not understood"),
			Notes: []string{"findings that it was meant for are reported"},
		}}
	}
	expired := p.expired(d.until)
	var more []*advisor.Finding
	for _, f := range findings {
		if f.Suppressed != nil || !d.covers(f) {
			continue
		}
		d.used = true
		switch {
		case p.locked(f.Rule.ID):
			more = append(more, &advisor.Finding{
				Rule: Locked, Message: fmt.Sprintf("%s is locked by the settings and cannot be suppressed", f.Rule.ID), Labels: label("without effect"),
			})
		case !expired:
			f.Suppressed = &advisor.Suppression{Kind: "inline", Reason: d.reason, Span: d.span}
		}
	}
	switch {
	case expired && d.used:
		more = append(more, &advisor.Finding{
			Rule: Expired, Message: "the reason given here ran out on " + d.until, Labels: label(""), Notes: []string{"the finding it hid is reported again"},
			Help: "mend the finding, or renew the date with the reason",
		})
	case !d.used && slices.ContainsFunc(d.rules, p.Ran):
		more = append(more, &advisor.Finding{
			Rule: Unused, Message: "this suppression hides nothing", Labels: label("nothing to ignore here"), Help: "remove it",
		})
	}
	return more
}

// Settings suppresses by the settings file.
func Settings(p Policy, entries []settings.Ignore) advisor.Suppressor {
	return func(t *advisor.Target, findings []*advisor.Finding) []*advisor.Finding {
		var more []*advisor.Finding
		for _, e := range entries {
			used := false
			for _, f := range findings {
				primary := f.Primary()
				switch {
				case f.Suppressed != nil, !names(e.Rule, f.Rule.ID),
					len(e.Paths) > 0 && !settings.Match(e.Paths, primary.Span.Path()) && !settings.Match(e.Paths, t.Name),
					len(e.Keys) > 0 && !slices.Contains(e.Keys, primary.Key):
					continue
				case p.locked(f.Rule.ID):
					continue
				}
				used = true
				if !p.expired(e.Until) {
					f.Suppressed = &advisor.Suppression{Kind: "settings", Reason: e.Reason, Span: e.Span}
				}
			}
			if used && p.expired(e.Until) {
				more = append(more, &advisor.Finding{
					Rule: Expired, Message: fmt.Sprintf("the suppression of %s in the settings ran out on %s", e.Rule, e.Until),
					Labels: []advisor.Label{{Span: e.Span}}, Notes: []string{"the findings it hid are reported again"},
				})
			}
		}
		return more
	}
}
