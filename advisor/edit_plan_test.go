package advisor_test

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
)

// TestPlanKeepsFindingsWhole drops all edits of a finding when one of them contradicts a better ranked finding, and tells targets of one file apart.
func TestPlanKeepsFindingsWhole(t *testing.T) {
	finding := func(target string, edits ...advisor.Edit) *advisor.Finding {
		return &advisor.Finding{Target: target, Edits: edits}
	}
	p := advisor.MakePlan([]*advisor.Finding{
		finding("a", advisor.Set("x", "1", true)),
		finding("a", advisor.Set("x", "2", true), advisor.Unset("y", true)),
		finding("b", advisor.Set("x", "2", true)),
		finding("a", advisor.Set("x", "1", true), advisor.Set("z", "3", true)),
	})
	var got []string
	for _, e := range p.Edits {
		got = append(got, e.Key+"="+e.New)
	}
	if len(got) != 3 || got[0] != "x=1" || got[1] != "x=2" || got[2] != "z=3" || len(p.Dropped) != 2 {
		t.Errorf("edits %v, dropped %v", got, p.Dropped)
	}
}
