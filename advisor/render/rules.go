package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// Summary is the first sentence of a rule's page, below its title.
func Summary(r *advisor.Rule) string {
	_, rest, _ := strings.Cut(strings.TrimSpace(r.Doc), "\n")
	paragraph, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
	return strings.TrimSpace(strings.ReplaceAll(paragraph, "\n", " "))
}

// Rules writes the list of rules as a table.
func Rules(w io.Writer, rules []*advisor.Rule) error {
	rows := make([][]string, 0, len(rules))
	for _, r := range rules {
		rows = append(rows, []string{r.ID, r.Severity.String(), r.Impact.String(), Summary(r)})
	}
	return table(w, []string{"rule", "severity", "impact", "what it finds"}, rows, "llll")
}

// RulesMarkdown writes the list of rules as a Markdown table.
func RulesMarkdown(w io.Writer, rules []*advisor.Rule) error {
	var b strings.Builder
	b.WriteString("| rule | severity | impact | what it finds |\n| --- | --- | --- | --- |\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, r.Severity, r.Impact, strings.ReplaceAll(Summary(r), "|", `\|`))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// RuleJSON is a rule in the JSON list of rules.
type RuleJSON struct {
	ID         string   `json:"id"`
	Since      string   `json:"since"`
	Severity   string   `json:"severity"`
	Impact     string   `json:"impact"`
	Confidence string   `json:"confidence"`
	Summary    string   `json:"summary"`
	Reads      []string `json:"reads"`
	Facts      []string `json:"facts"`
	Preview    bool     `json:"preview"`
}

// RulesJSON is the list of rules for encoding/json.
func RulesJSON(rules []*advisor.Rule) []RuleJSON {
	out := make([]RuleJSON, 0, len(rules))
	for _, r := range rules {
		out = append(out, RuleJSON{
			r.ID, r.Since, r.Severity.String(), r.Impact.String(), r.Confidence.String(), Summary(r), orEmpty(r.Reads), orEmpty(r.Facts), r.Preview,
		})
	}
	return out
}
