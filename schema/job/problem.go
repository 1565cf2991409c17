package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/flinkadvise/flinkadvise/schema/source"
)

// A Problem is one thing that is wrong with a job file or a plan, at its place.
type Problem struct {
	Span    source.Span
	Message string
}

// String is "job.yaml:12:5: message".
func (p Problem) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.Span.Path(), p.Span.Line, p.Span.Column, p.Message)
}

// Problems is the error of Parse: everything that is wrong with the file, in the order of places.
type Problems []Problem

// maxProblems is how many problems are printed; a file with more of them is not a job file.
const maxProblems = 100

// Error prints one problem a line.
func (p Problems) Error() string {
	var b strings.Builder
	for i, problem := range p {
		if i == maxProblems {
			fmt.Fprintf(&b, "\nand %d more problems", len(p)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(problem.String())
	}
	return b.String()
}

func (p *Problems) add(span source.Span, format string, args ...any) {
	*p = append(*p, Problem{span, fmt.Sprintf(format, args...)})
}

// err is p as an error: nil when there is none.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	slices.SortStableFunc(p, func(a, b Problem) int { return a.Span.Compare(b.Span) })
	return p
}

// nearest is the known name that a slip of the finger may have meant, or "". A name of n characters may differ by n/3, at
// least by one: names in job.yaml are short words.
func nearest(name string, known []string) string {
	const maxName = 64 // longer than any name; keeps hostile input cheap
	if len(name) > maxName {
		return ""
	}
	best, least := "", 0
	for _, k := range known {
		a, b := fold(name), fold(k)
		d := levenshtein.ComputeDistance(a, b)
		if d > max(1, len(b)/3) || best != "" && d >= least {
			continue
		}
		best, least = k, d
	}
	return best
}

// fold makes the differences that people do not see cheap.
func fold(name string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
}

// didYouMean is the end of a message: a suggestion, or nothing.
func didYouMean(name string, known []string) string {
	if k := nearest(name, known); k != "" {
		return fmt.Sprintf("; did you mean %q?", k)
	}
	return ""
}
