package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/advisor/suppress"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// A Diff is what a change of configuration does.
type Diff struct {
	Old, New string
	Targets  []TargetDiff
	// Added and Fixed are the findings that came and went, by rule and option, in rank order.
	Added, Fixed []*advisor.Finding
	Failed       bool
	hide         redactor
}

// TargetDiff is the difference of one configuration.
type TargetDiff struct {
	Name    string
	Options []OptionDiff
	Budgets []advisor.BudgetDiff
}

// OptionDiff is one option that changed; Old or New is empty when it was added or removed. Sensitive values are hidden already.
type OptionDiff struct {
	Key string `json:"key"`
	Old string `json:"old"`
	New string `json:"new"`
}

// NewDiff compares two reports: targets pair by name, else by order.
func NewDiff(oldName, newName string, before, after *Report) *Diff {
	d := &Diff{Old: oldName, New: newName, hide: newRedactor(slices.Concat(before.Results, after.Results))}
	for i, res := range after.Results {
		var was *advisor.Target
		j := slices.IndexFunc(before.Results, func(r *advisor.Result) bool { return r.Target.Carried.Name == res.Target.Carried.Name })
		if j < 0 || len(after.Results) == 1 || len(before.Results) == 1 {
			j = min(i, len(before.Results)-1)
		}
		if j >= 0 {
			was = before.Results[j].Target
		}
		d.Targets = append(d.Targets, TargetDiff{Name: res.Target.Name, Options: d.options(was, res.Target), Budgets: advisor.DiffBudgets(was, res.Target)})
	}
	d.Added = missing(after.Findings, before.Findings)
	d.Fixed = missing(before.Findings, after.Findings)
	return d
}

// missing are the findings of a that b does not have, by rule and option; the names of the files do not count.
func missing(a, b []*advisor.Finding) []*advisor.Finding {
	known := suppress.MakeBaseline(b, nil)
	left := map[suppress.Known]int{}
	for _, k := range known.Findings {
		left[suppress.Known{Rule: k.Rule, Key: k.Key}] += k.Count
	}
	var out []*advisor.Finding
	for _, f := range flatten(a) {
		k := suppress.Known{Rule: f.Rule.ID, Key: f.Primary().Key}
		if f.Suppressed != nil {
			continue
		}
		if left[k] > 0 {
			left[k]--
			continue
		}
		out = append(out, f)
	}
	return out
}

// Fails tells whether something new is at or above the severity; zero is never.
func (d *Diff) Fails(at advisor.Severity) bool {
	return at != 0 && slices.ContainsFunc(d.Added, func(f *advisor.Finding) bool { return f.Severity >= at })
}

func (d *Diff) options(before, after *advisor.Target) []OptionDiff {
	values := func(t *advisor.Target) map[string]string {
		out := map[string]string{}
		if t != nil {
			for _, e := range t.Conf.Entries() {
				out[e.Key] = e.Text
			}
		}
		return out
	}
	was, is := values(before), values(after)
	var keys []string
	for _, m := range []map[string]string{was, is} {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	var out []OptionDiff
	for _, k := range slices.Compact(keys) {
		o, hadOld := was[k]
		n, hasNew := is[k]
		if o == n && hadOld == hasNew {
			continue
		}
		if option.Sensitive(k) {
			o, n = maskIf(hadOld), maskIf(hasNew)
		}
		out = append(out, OptionDiff{k, printable(o), printable(n)})
	}
	return out
}

func maskIf(set bool) string {
	if set {
		return mask
	}
	return ""
}

// budgetValue prints a figure.
func budgetValue(b advisor.BudgetDiff, v *int64) string {
	switch {
	case v == nil:
		return "-"
	case b.Unit == string(budget.Bytes):
		return quantity.Bytes(*v).Pretty()
	}
	return strconv.FormatInt(*v, 10)
}

// budgetChange is the difference in words: "+1.5 GiB", "-6".
func budgetChange(b advisor.BudgetDiff) string {
	if b.Old == nil || b.New == nil {
		return ""
	}
	delta, sign := *b.New-*b.Old, "+"
	if delta < 0 {
		delta, sign = -delta, "-"
	}
	if b.Unit == string(budget.Bytes) {
		return sign + quantity.Bytes(delta).Pretty()
	}
	return sign + strconv.FormatInt(delta, 10)
}

// DiffText writes the difference for people.
func DiffText(w io.Writer, d *Diff, colour bool) error {
	t := &text{colour: colour, red: d.hide}
	t.printf("%s\n", t.paint(bold, printable(d.Old)+" -> "+printable(d.New)))
	for _, x := range d.Targets {
		if len(d.Targets) > 1 {
			t.printf("\n%s\n", t.paint(bold, printable(x.Name)))
		}
		for _, o := range x.Options {
			if o.Old != "" {
				t.printf("%s\n", t.paint(red, "- "+o.Key+": "+o.Old))
			}
			if o.New != "" {
				t.printf("%s\n", t.paint(green, "+ "+o.Key+": "+o.New))
			}
		}
		if len(x.Budgets) > 0 {
			t.printf("\n")
			var rows [][]string
			for _, b := range x.Budgets {
				rows = append(rows, []string{b.Name, budgetValue(b, b.Old), budgetValue(b, b.New), budgetChange(b)})
			}
			if err := t.table([]string{"budget", "old", "new", "change"}, rows, "lrrr"); err != nil {
				return err
			}
		}
	}
	if len(d.Added) > 0 {
		t.printf("\n%s\n\n", t.paint(bold, count(len(d.Added), "new finding")))
		for i, f := range d.Added {
			f.Rank = i + 1
			t.finding(f, len(d.Added))
			t.printf("\n")
		}
	} else {
		t.printf("\n")
	}
	for _, f := range d.Fixed {
		t.printf("%s %s[%s]: %s\n", t.paint(green, "fixed:"), f.Severity, f.Rule.ID, d.hide.text(f.Message))
	}
	t.printf("%s\n", d.verdict())
	_, err := w.Write(t.buf.Bytes())
	return err
}

func (d *Diff) verdict() string {
	options := 0
	for _, x := range d.Targets {
		options += len(x.Options)
	}
	out := fmt.Sprintf("%s changed, %s, %d fixed", count(options, "option"), count(len(d.Added), "new finding"), len(d.Fixed))
	if d.Failed {
		out = "failed: " + out
	}
	return out
}

// DiffJSON writes the difference as one object, version 1.
func DiffJSON(w io.Writer, d *Diff) error {
	type target struct {
		Input   string               `json:"input"`
		Options []OptionDiff         `json:"options"`
		Budgets []advisor.BudgetDiff `json:"budgets"`
	}
	out := struct {
		Version int           `json:"version"`
		Old     string        `json:"old"`
		New     string        `json:"new"`
		Targets []target      `json:"targets"`
		Added   []jsonFinding `json:"added"`
		Fixed   []jsonFinding `json:"fixed"`
		Failed  bool          `json:"failed"`
	}{JSONVersion, d.Old, d.New, []target{}, []jsonFinding{}, []jsonFinding{}, d.Failed}
	for _, x := range d.Targets {
		t := target{x.Name, []OptionDiff{}, []advisor.BudgetDiff{}}
		for _, o := range x.Options {
			t.Options = append(t.Options, OptionDiff{o.Key, d.hide.value(o.Key, o.Old), d.hide.value(o.Key, o.New)})
		}
		t.Budgets = append(t.Budgets, x.Budgets...)
		out.Targets = append(out.Targets, t)
	}
	for _, f := range d.Added {
		out.Added = append(out.Added, findingJSON(f, d.hide))
	}
	for _, f := range d.Fixed {
		out.Fixed = append(out.Fixed, findingJSON(f, d.hide))
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// DiffMarkdown writes the difference as a pull-request comment.
func DiffMarkdown(w io.Writer, d *Diff) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "### flinkadvise: %s\n", d.verdict())
	for _, x := range d.Targets {
		if len(x.Options) > 0 {
			fmt.Fprintf(&b, "\n| option of `%s` | old | new |\n| --- | --- | --- |\n", cell(printable(x.Name)))
			for _, o := range x.Options {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", cell(o.Key), cell(d.hide.text(o.Old)), cell(d.hide.text(o.New)))
			}
		}
		if len(x.Budgets) > 0 {
			b.WriteString("\n| budget | old | new | change |\n| --- | --: | --: | --: |\n")
			for _, f := range x.Budgets {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Name, budgetValue(f, f.Old), budgetValue(f, f.New), budgetChange(f))
			}
		}
	}
	for i, f := range d.Added {
		f.Rank = i + 1
		markdownFinding(&b, f, len(d.Added), d.hide)
	}
	if len(d.Fixed) > 0 {
		b.WriteString("\nFixed:\n\n")
		for _, f := range d.Fixed {
			fmt.Fprintf(&b, "- %s `%s`: %s\n", f.Severity, f.Rule.ID, cell(d.hide.text(f.Message)))
		}
	}
	_, err := w.Write([]byte(strings.TrimLeft(b.String(), "\n")))
	return err
}
