package render

import (
	"bytes"
	"fmt"
	"io"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// Compact writes one line for each finding: "path:line:column: severity: message [rule]", for editors and grep.
func Compact(w io.Writer, r *Report) error {
	var buf bytes.Buffer
	hide := newRedactor(r.Results)
	var write func(f *advisor.Finding)
	write = func(f *advisor.Finding) {
		at := location(f.Primary().Span)
		if at == "" {
			at = printable(f.Target)
		}
		fmt.Fprintf(&buf, "%s: %s: %s [%s]\n", at, f.Severity, hide.text(f.Message), f.Rule.ID)
		for _, also := range f.FollowOns {
			write(also)
		}
	}
	for _, f := range r.Findings {
		if f.Suppressed == nil || r.ShowSuppressed {
			write(f)
		}
	}
	_, err := w.Write(buf.Bytes())
	return err
}
