package syntax

import (
	_ "embed"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed malformed-manifest.md
var malformedManifestDoc string

// MalformedManifest finds what makes a manifest or compose file unreadable for everyone.
var MalformedManifest = &advisor.Rule{
	ID:         "syntax/malformed-manifest",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        malformedManifestDoc,
	Check:      each(conf.FaultMalformed, malformedManifest),
}

func malformedManifest(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: "this is not well-formed YAML, and nothing can be started from it: " + f.Detail,
		Labels:  []advisor.Label{{Span: f.Span, Text: "here"}},
		Notes:   []string{"what stands outside the lines at fault was read all the same"},
		Help:    "mend the YAML at this place; most often the indentation is off by a few blanks",
	}
}
