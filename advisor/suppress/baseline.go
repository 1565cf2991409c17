package suppress

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// BaselineVersion is the version of the baseline's format.
const BaselineVersion = 1

// A Baseline lists findings that are known and pass. It is keyed by rule, file and option, never by line, and only shrinks unless new findings are
// accepted on purpose.
type Baseline struct {
	Version  int     `json:"version"`
	Findings []Known `json:"findings"`
}

// Known is one entry: so many findings of a rule about an option of a file.
type Known struct {
	Rule  string `json:"rule"`
	File  string `json:"file"`
	Key   string `json:"key"`
	Count int    `json:"count"`
}

func (k Known) id() Known { return Known{Rule: k.Rule, File: k.File, Key: k.Key} }

// ReadBaseline reads a baseline file.
func ReadBaseline(path string, data []byte) (*Baseline, error) {
	var b Baseline
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, fmt.Errorf("baseline %s: %w", path, err)
	}
	if b.Version != BaselineVersion {
		return nil, fmt.Errorf("baseline %s: version %d is not known; this flinkadvise reads version %d", path, b.Version, BaselineVersion)
	}
	return &b, nil
}

// Encode is the baseline as a file: sorted, one entry a line, so that a diff shows what changed.
func (b *Baseline) Encode() ([]byte, error) {
	out := []byte(fmt.Sprintf("{\"version\": %d, \"findings\": [", BaselineVersion))
	for i, k := range b.Findings {
		line, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, "\n  "...), line...)
	}
	return append(out, "\n]}\n"...), nil
}

func keyOf(f *advisor.Finding) Known {
	p := f.Primary()
	return Known{Rule: f.Rule.ID, File: cmp.Or(p.Span.Path(), f.Target), Key: p.Key}
}

// Apply suppresses the findings that the baseline knows, at most Count of each entry in rank order, and gives the entries, with their counts, that were not
// met: findings that are gone.
func (b *Baseline) Apply(findings []*advisor.Finding) (fixed []Known) {
	left := map[Known]int{}
	for _, k := range b.Findings {
		left[k.id()] += k.Count
	}
	for _, f := range findings {
		k := keyOf(f)
		if f.Suppressed == nil && left[k] > 0 {
			left[k]--
			f.Suppressed = &advisor.Suppression{Kind: "baseline", Reason: "known before"}
		}
	}
	for _, k := range b.Findings {
		if n := left[k.id()]; n > 0 {
			entry := k.id()
			entry.Count = n
			fixed = append(fixed, entry)
			left[k.id()] = 0
		}
	}
	return fixed
}

// MakeBaseline is the baseline of findings. With old it only shrinks: nothing that old does not know comes in.
func MakeBaseline(findings []*advisor.Finding, old *Baseline) *Baseline {
	counts := map[Known]int{}
	for _, f := range findings {
		if f.Suppressed == nil || f.Suppressed.Kind == "baseline" {
			counts[keyOf(f)]++
		}
	}
	allowed := map[Known]int{}
	if old != nil {
		for _, k := range old.Findings {
			allowed[k.id()] += k.Count
		}
	}
	b := &Baseline{Version: BaselineVersion, Findings: []Known{}}
	for k, n := range counts {
		if old != nil {
			n = min(n, allowed[k])
		}
		if n > 0 {
			k.Count = n
			b.Findings = append(b.Findings, k)
		}
	}
	slices.SortFunc(b.Findings, func(x, y Known) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Key, y.Key))
	})
	return b
}

// Total is the number of findings that the baseline lets pass.
func (b *Baseline) Total() int {
	n := 0
	for _, k := range b.Findings {
		n += k.Count
	}
	return n
}
