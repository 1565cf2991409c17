package syntax

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed blanks-deleted.md
var blanksDeletedDoc string

// BlanksDeleted finds values of FLINK_PROPERTIES that the image's entrypoint changes by deleting their blanks.
var BlanksDeleted = &advisor.Rule{
	ID:         "syntax/blanks-deleted",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.WillFail,
	Confidence: advisor.Certain,
	Doc:        blanksDeletedDoc,
	Check:      each(conf.FaultBlanksDeleted, blanksDeleted),
}

func blanksDeleted(_ *advisor.Target, f conf.Fault) advisor.Finding {
	finding := advisor.Finding{
		Message: fmt.Sprintf("the image deletes all blanks in FLINK_PROPERTIES: Flink gets %s", f.Detail),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "with blanks"}},
		Notes:   []string{"the entrypoint of images of 1.19 and newer makes -Dkey=value of each line, without any white space"},
		Help:    "mount a configuration file, or pass the option as an argument: -D" + f.Key + "='…'",
	}
	switch {
	case strings.HasPrefix(f.Key, "env.java.opts"):
		finding.Help = "set the variable FLINK_ENV_JAVA_OPTS, which the start scripts read first, or mount a configuration file"
	case strings.Contains(f.Span.Text(), " #"):
		finding.Message = fmt.Sprintf("the comment becomes part of the value in FLINK_PROPERTIES: Flink gets %s", f.Detail)
		finding.Help = "put the comment on a line of its own"
	}
	return finding
}
