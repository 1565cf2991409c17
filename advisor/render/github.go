package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// maxAnnotations is how many annotations GitHub shows of one step and level; the rest is counted.
const maxAnnotations = 10

// GitHub writes workflow commands that annotate the changed lines: the best ten findings, then a notice with the number left out.
func GitHub(w io.Writer, r *Report) error {
	var buf bytes.Buffer
	hide := newRedactor(r.Results)
	shown, rest := 0, 0
	for _, f := range r.Findings {
		if f.Suppressed != nil {
			continue
		}
		if shown == maxAnnotations {
			rest++
			continue
		}
		shown++
		level := map[advisor.Severity]string{advisor.Error: "error", advisor.Warning: "warning", advisor.Advice: "notice"}[f.Severity]
		properties := []string{"title=" + property(f.Rule.ID)}
		if s := f.Primary().Span; s.Valid() {
			properties = append([]string{
				"file=" + property(s.Path()), fmt.Sprintf("line=%d", s.Line), fmt.Sprintf("endLine=%d", s.EndLine), fmt.Sprintf("col=%d", s.Column),
			}, properties...)
		}
		message := hide.text(f.Message)
		for _, n := range f.Notes {
			message += "\n" + hide.text(n)
		}
		if f.Help != "" {
			message += "\nhelp: " + hide.text(f.Help)
		}
		fmt.Fprintf(&buf, "::%s %s::%s\n", level, strings.Join(properties, ","), data(message))
	}
	if rest > 0 {
		fmt.Fprintf(&buf, "::notice title=flinkadvise::%s not annotated; see the log or the step summary\n", count(rest+r.Cut, "more finding"))
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// data escapes a workflow command's message, property one of its properties (actions/toolkit, command.ts).
func data(s string) string { return commandData.Replace(s) }

func property(s string) string { return commandProperty.Replace(s) }

var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
