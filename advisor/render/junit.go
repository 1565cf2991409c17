package render

import (
	"bytes"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// JUnit writes one suite for each configuration and in it one case for each rule that ran, so that a clean run is visible as passing. A rule with
// findings at or above --fail-on is a failed case; one with milder findings passes and carries them as output.
func JUnit(w io.Writer, r *Report) error {
	hide := newRedactor(r.Results)
	suites := junit.Testsuites{Name: "flinkadvise"}
	for _, res := range r.Results {
		suite := junit.Testsuite{Name: printable(res.Target.Name), File: printable(res.Target.Name), Time: "0"}
		for _, rule := range res.Ran {
			c := junit.Testcase{Name: rule.ID, Classname: "flinkadvise", Time: "0"}
			var failed, mild []string
			for _, f := range flatten(r.Findings) {
				if f.Target != res.Target.Name || f.Rule.ID != rule.ID || f.Suppressed != nil {
					continue
				}
				line := strings.TrimPrefix(location(f.Primary().Span)+": ", ": ") + f.Severity.String() + ": " + hide.text(f.Message)
				if r.FailOn != 0 && f.Severity >= r.FailOn {
					failed = append(failed, line)
				} else {
					mild = append(mild, line)
				}
			}
			for _, p := range res.Panics {
				if p.Rule.ID == rule.ID {
					c.Error = &junit.Result{Message: "the rule crashed", Data: hide.text(p.Value)}
				}
			}
			if len(failed) > 0 {
				c.Failure = &junit.Result{Message: failed[0], Type: r.FailOn.String(), Data: strings.Join(failed, "\n")}
			}
			if len(mild) > 0 {
				c.SystemOut = &junit.Output{Data: strings.Join(mild, "\n")}
			}
			suite.AddTestcase(c)
		}
		suites.AddSuite(suite)
	}
	var buf bytes.Buffer
	if err := suites.WriteXML(&buf); err != nil {
		return err
	}
	_, err := w.Write(buf.Bytes())
	return err
}
