package advisor

import "slices"

// A Rule is one check: a plain value with no state of its own, so that it can be listed, documented, run alone and run in parallel.
type Rule struct {
	// ID is "category/name"; never reused once released.
	ID string
	// Since is the release that brought the rule.
	Since string
	// Severity, Impact and Confidence are what its findings have unless they say otherwise.
	Severity   Severity
	Impact     Impact
	Confidence Confidence
	// Force, where it is set, is what the user made of the severity; it beats what a finding says of itself.
	Force Severity
	// Reads are the options it looks at, by today's names; Facts are the job facts it can use, by their path in job.yaml.
	Reads []string
	Facts []string
	// Thresholds are the numbers that a project may set otherwise.
	Thresholds []Threshold
	// Preview rules run only with the profile "all": what they say is debatable, or new.
	Preview bool
	// Doc is the rule's page in Markdown.
	Doc string
	// Check looks at the target and reports. It knows neither files nor clock nor environment nor other rules.
	Check func(*Target, *Report)
}

// A Report collects what one rule says about one target.
type Report struct {
	rule     *Rule
	set      Thresholds
	findings []*Finding
	needs    []string
}

// Find adds a finding.
func (r *Report) Find(f Finding) { r.findings = append(r.findings, &f) }

// NotAssessed says that the rule could not judge for lack of these facts (paths in job.yaml) or options.
func (r *Report) NotAssessed(needs ...string) {
	for _, n := range needs {
		if !slices.Contains(r.needs, n) {
			r.needs = append(r.needs, n)
		}
	}
}

// NotAssessed is a rule that could not judge a target, and the facts it needs.
type NotAssessed struct {
	Rule   *Rule
	Target string
	Needs  []string
}
