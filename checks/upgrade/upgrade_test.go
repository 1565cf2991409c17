package upgrade

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func TestRules(t *testing.T) {
	for _, rule := range []*advisor.Rule{KnownDefect, BehindOnPatches} {
		checktest.Run(t, rule)
	}
}

// Several defects can be met by one option; a baseline and the outputs that take fingerprints must tell them apart.
func TestDefectsOfOneOptionHaveTheirOwnFingerprints(t *testing.T) {
	doc, err := conf.ParseFlat(source.NewFile("flink-conf.yaml", []byte("execution.checkpointing.unaligned: true\n")).Whole())
	if err != nil {
		t.Fatal(err)
	}
	facts, err := job.Parse(source.NewFile("job.yaml", []byte("version: 1\njob: {vertices: [{id: a}, {id: b}], edges: [{from: a, to: b, shipStrategy: BROADCAST}]}\n")), nil)
	if err != nil {
		t.Fatal(err)
	}
	target, err := advisor.NewTarget(advisor.TargetInput{
		Name: "flink-conf.yaml", Documents: []*conf.Document{doc}, Job: facts, Version: version.MustParse("1.12.0"), VersionFrom: "test",
		Layers: []conf.Layer{{Name: "flink-conf.yaml", Dialect: conf.Flat, Entries: doc.Entries}},
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, f := range advisor.Run(target, []*advisor.Rule{KnownDefect}).Findings {
		if other, ok := seen[f.Fingerprint()]; ok {
			t.Errorf("one fingerprint for %q and %q", other, f.Message)
		}
		seen[f.Fingerprint()] = f.Message
	}
	if len(seen) < 4 {
		t.Errorf("only %d findings", len(seen))
	}
}
