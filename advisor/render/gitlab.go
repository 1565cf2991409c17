package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"

	"github.com/flinkadvise/flinkadvise/advisor"
)

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// GitLab writes a Code Quality report: error is critical, warning major, advice minor.
func GitLab(w io.Writer, r *Report) error {
	hide := newRedactor(r.Results)
	out := []gitlabIssue{}
	for _, f := range flatten(r.Findings) {
		if f.Suppressed != nil {
			continue
		}
		s := f.Primary().Span
		severity := map[advisor.Severity]string{advisor.Error: "critical", advisor.Warning: "major", advisor.Advice: "minor"}[f.Severity]
		out = append(out, gitlabIssue{
			hide.text(f.Message), f.Rule.ID, f.Fingerprint(), severity,
			gitlabLocation{cmp.Or(s.Path(), f.Target), gitlabLines{max(s.Line, 1)}},
		})
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
