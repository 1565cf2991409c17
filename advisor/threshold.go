package advisor

import (
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

// A Threshold is a number at which a rule begins to speak and that a project may set otherwise, under thresholds in its settings.
type Threshold struct {
	// Name is lower case with dashes, unique within the rule.
	Name string
	// Unit says what Default counts: bytes, seconds, a count or a fraction.
	Unit    budget.Unit
	Default float64
	// Why is the reason for the default, with its source.
	Why string
}

// Thresholds are the values that a project set, by rule and name.
type Thresholds map[string]map[string]float64

// Threshold is the value of one of the rule's thresholds: the project's, or its default. A name that the rule does not declare is a bug of the rule.
func (r *Report) Threshold(name string) float64 {
	for _, t := range r.rule.Thresholds {
		if t.Name != name {
			continue
		}
		if v, ok := r.set[r.rule.ID][name]; ok {
			return v
		}
		return t.Default
	}
	panic(fmt.Sprintf("rule %s has no threshold %q", r.rule.ID, name))
}
