package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/advisor/upgrade"
)

// weightColours paint the heads of changes.
var weightColours = map[upgrade.Weight]string{upgrade.Breaks: red, upgrade.Changes: yellow, upgrade.Tidy: cyan}

// maxDefects is how many known defects are named by their ids; the command defects describes them.
const maxDefects = 8

// changeWords is the effect of a change on one budget in words: "task heap 17.2 GiB -> 15.1 GiB".
func changeWords(b advisor.BudgetDiff) string {
	return fmt.Sprintf("%s %s -> %s", b.Name, budgetValue(b, b.Old), budgetValue(b, b.New))
}

func effectWords(list []advisor.BudgetDiff) string {
	var out []string
	for _, b := range list {
		if b.Unit != string(budget.Count) { // ratios say nothing new
			out = append(out, changeWords(b))
		}
	}
	return strings.Join(out, ", ")
}

func upgradeHide(reports []*upgrade.Report) redactor {
	results := make([]*advisor.Result, 0, 2*len(reports))
	for _, r := range reports {
		results = append(results, &advisor.Result{Target: r.Before}, &advisor.Result{Target: r.After})
	}
	return newRedactor(results)
}

// UpgradeText writes for people what an upgrade does to each configuration.
func UpgradeText(w io.Writer, reports []*upgrade.Report, colour bool) error {
	t := &text{colour: colour, red: upgradeHide(reports)}
	for i, r := range reports {
		if i > 0 {
			t.printf("\n")
		}
		if err := t.upgrade(r); err != nil {
			return err
		}
	}
	_, err := w.Write(t.buf.Bytes())
	return err
}

func (t *text) upgrade(r *upgrade.Report) error {
	t.printf("%s\n\n", t.paint(bold, printable(fmt.Sprintf("%s: Flink %s -> %s", r.Name, r.From, r.To))))
	if r.FromAssumed {
		t.item("from", fmt.Sprintf("%s is %s", r.From, printable(r.FromOrigin)))
		t.printf("\n")
	}
	var renamed []upgrade.Change
	for _, c := range r.Changes {
		if c.Kind == upgrade.Renamed && c.Weight == upgrade.Tidy {
			renamed = append(renamed, c)
			continue
		}
		t.change(c)
	}
	if err := t.renamed(renamed); err != nil {
		return err
	}
	if len(r.Budgets) > 0 {
		var rows [][]string
		for _, b := range r.Budgets {
			rows = append(rows, []string{b.Name, budgetValue(b, b.Old), budgetValue(b, b.New), budgetChange(b)})
		}
		if err := t.table([]string{"budget", r.From.String(), r.To.String(), "change"}, rows, "lrrr"); err != nil {
			return err
		}
		t.printf("\n")
	}
	for _, x := range defectLines(r) {
		for i, l := range wrap(x, maxExcerpt) {
			t.printf("%s%s\n", strings.Repeat("  ", min(i, 1)), l)
		}
	}
	t.printf("%s\n", upgradeVerdict(r))
	return nil
}

func (t *text) change(c upgrade.Change) {
	t.margin = 1
	t.printf("%s: %s\n", t.paint(weightColours[c.Weight], fmt.Sprintf("%s[%s]", c.Weight, c.Kind)), t.paint(bold, t.red.text(c.Message)))
	if c.Span.Valid() {
		t.arrow(printable(location(c.Span)))
	}
	if len(c.Effect) > 0 {
		t.item("effect", effectWords(c.Effect))
	}
	if c.Keep != nil {
		t.item("keep", fmt.Sprintf("%s: %s keeps what was", c.Keep.Key, t.red.value(c.Keep.Key, c.Keep.Value)))
	}
	if c.Help != "" {
		t.item("help", t.red.text(c.Help))
	}
	if c.Source != "" {
		t.item("source", c.Source)
	}
	t.printf("\n")
}

// renamed lists old names that still work, in one block.
func (t *text) renamed(list []upgrade.Change) error {
	if len(list) == 0 {
		return nil
	}
	t.printf("%s: %s\n", t.paint(cyan, "tidy[renamed]"), t.paint(bold, count(len(list), "old name")+" still read, each with a warning in Flink's log"))
	var rows [][]string
	for _, c := range list {
		rows = append(rows, []string{printable(cmp.Or(c.Span.String(), "-")), printable(c.Key), printable(strings.Join(c.Now, " and "))})
	}
	if err := t.table([]string{"", "old", "new"}, rows, "lll"); err != nil {
		return err
	}
	t.printf("\n")
	return nil
}

// defectLines say in a line or two which known defects come and go.
func defectLines(r *upgrade.Report) []string {
	var out []string
	for _, x := range []struct {
		what string
		hits []defect.Hit
	}{{"left behind", r.Left}, {"met", r.Met}} {
		if len(x.hits) == 0 {
			continue
		}
		var ids []string
		critical := 0
		for _, h := range x.hits {
			if h.Severity == defect.Critical {
				critical++
			}
			if len(ids) < maxDefects {
				ids = append(ids, h.ID)
			}
		}
		if n := len(x.hits) - len(ids); n > 0 {
			ids = append(ids, fmt.Sprintf("%d more", n))
		}
		line := fmt.Sprintf("%s of this configuration %s", count(len(x.hits), "known defect"), x.what)
		if critical > 0 {
			line += fmt.Sprintf(", %d critical", critical)
		}
		out = append(out, line+": "+strings.Join(ids, ", "))
	}
	if l, ok := defect.LineOf(r.To); ok {
		if l.EndedBy.Known() {
			out = append(out, fmt.Sprintf("the %s line has had no support since Flink %s came out", l.Minor, l.EndedBy))
		}
		if newest := l.Newest(); r.To.Compare(newest) < 0 {
			out = append(out, fmt.Sprintf("the newest release of the %s line known here is %s, as of %s", l.Minor, newest, defect.KnownAsOf))
		}
	}
	if r.Vendor != "" {
		out = append(out, fmt.Sprintf("%s is a vendor's build (%s), which may differ from the Apache release", r.From, printable(r.Vendor)))
	}
	return out
}

func upgradeVerdict(r *upgrade.Report) string {
	n := map[upgrade.Weight]int{}
	written := 0
	for _, c := range r.Changes {
		n[c.Weight]++
		if c.Written && c.Weight == upgrade.Breaks {
			written++
		}
	}
	out := fmt.Sprintf("%d break, %d change, %d to tidy", n[upgrade.Breaks], n[upgrade.Changes], n[upgrade.Tidy])
	if written > 0 {
		out += fmt.Sprintf("; --write takes care of %d that break", written)
	}
	if r.Minor > 0 {
		out += fmt.Sprintf("; %s of options that this configuration does not touch (--all lists them)", count(r.Minor, "changed default"))
	}
	return out
}

// upgradeJSON is the report of an upgrade, version 1.
type upgradeJSON struct {
	Version int                 `json:"version"`
	Tool    jsonTool            `json:"tool"`
	Targets []upgradeTargetJSON `json:"targets"`
	Failed  bool                `json:"failed"`
}

type upgradeTargetJSON struct {
	Input       string               `json:"input"`
	From        string               `json:"from"`
	FromAssumed bool                 `json:"fromAssumed"`
	To          string               `json:"to"`
	Changes     []changeJSON         `json:"changes"`
	MinorCount  int                  `json:"minorDefaults"`
	Budgets     []advisor.BudgetDiff `json:"budgets"`
	Left        []string             `json:"defectsLeft"`
	Met         []string             `json:"defectsMet"`
}

type changeJSON struct {
	Weight  string               `json:"weight"`
	Kind    string               `json:"kind"`
	Key     *string              `json:"key"`
	Now     []string             `json:"now"`
	File    *string              `json:"file"`
	Line    *int                 `json:"line"`
	Column  *int                 `json:"column"`
	Message string               `json:"message"`
	Help    string               `json:"help"`
	Keep    *keepJSON            `json:"keep"`
	Effect  []advisor.BudgetDiff `json:"effect"`
	Written bool                 `json:"written"`
	Source  string               `json:"source"`
}

type keepJSON struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// UpgradeJSON writes the reports as one object. Sizes are bytes, times seconds.
func UpgradeJSON(w io.Writer, tool string, reports []*upgrade.Report, failed bool) error {
	hide := upgradeHide(reports)
	out := upgradeJSON{Version: JSONVersion, Tool: jsonTool{Name: "flinkadvise", Version: tool}, Targets: []upgradeTargetJSON{}, Failed: failed}
	for _, r := range reports {
		x := upgradeTargetJSON{
			Input: r.Name, From: r.From.String(), FromAssumed: r.FromAssumed, To: r.To.String(), Changes: []changeJSON{}, MinorCount: r.Minor,
			Budgets: append([]advisor.BudgetDiff{}, r.Budgets...), Left: defectIDs(r.Left), Met: defectIDs(r.Met),
		}
		for _, c := range r.Changes {
			j := changeJSON{
				Weight: c.Weight.String(), Kind: string(c.Kind), Message: hide.text(c.Message), Help: hide.text(c.Help), Now: orEmpty(c.Now),
				Effect: append([]advisor.BudgetDiff{}, c.Effect...), Written: c.Written, Source: c.Source,
			}
			if c.Key != "" {
				j.Key = &c.Key
			}
			if c.Span.Valid() {
				file := c.Span.Path()
				j.File, j.Line, j.Column = &file, &c.Span.Line, &c.Span.Column
			}
			if c.Keep != nil {
				j.Keep = &keepJSON{c.Keep.Key, hide.value(c.Keep.Key, c.Keep.Value)}
			}
			x.Changes = append(x.Changes, j)
		}
		out.Targets = append(out.Targets, x)
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

func defectIDs(hits []defect.Hit) []string {
	ids := []string{}
	for _, h := range hits {
		if !slices.Contains(ids, h.ID) {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// UpgradeMarkdown writes the reports for a pull request or a wiki.
func UpgradeMarkdown(w io.Writer, reports []*upgrade.Report) error {
	hide := upgradeHide(reports)
	var b bytes.Buffer
	for i, r := range reports {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "### %s: Flink %s to %s\n\n%s\n", cell(printable(r.Name)), r.From, r.To, upgradeVerdict(r))
		if r.FromAssumed {
			fmt.Fprintf(&b, "\nThe old version is %s.\n", cell(printable(r.FromOrigin)))
		}
		if len(r.Changes) > 0 {
			b.WriteString("\n| | where | what | |\n| --- | --- | --- | --- |\n")
		}
		for _, c := range r.Changes {
			where := cmp.Or(c.Span.String(), c.Key)
			if where != "" {
				where = "`" + cell(printable(where)) + "`"
			}
			var more []string
			if len(c.Effect) > 0 {
				more = append(more, cell(effectWords(c.Effect)))
			}
			if c.Keep != nil {
				more = append(more, fmt.Sprintf("`%s: %s` keeps what was", cell(c.Keep.Key), cell(hide.value(c.Keep.Key, c.Keep.Value))))
			}
			if c.Help != "" {
				more = append(more, cell(hide.text(c.Help)))
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.Weight, where, cell(hide.text(c.Message)), strings.Join(more, "; "))
		}
		if len(r.Budgets) > 0 {
			fmt.Fprintf(&b, "\n| budget | %s | %s | change |\n| --- | --: | --: | --: |\n", r.From, r.To)
			for _, f := range r.Budgets {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Name, budgetValue(f, f.Old), budgetValue(f, f.New), budgetChange(f))
			}
		}
		for _, l := range defectLines(r) {
			fmt.Fprintf(&b, "\n%s\n", cell(l))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
