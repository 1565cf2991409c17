package syntax

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed byte-order-mark.md
var byteOrderMarkDoc string

// ByteOrderMark finds a BOM before the first key of flink-conf.yaml.
var ByteOrderMark = &advisor.Rule{
	ID:         "syntax/byte-order-mark",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        byteOrderMarkDoc,
	Check:      each(conf.FaultByteOrderMark, byteOrderMark),
}

func byteOrderMark(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: fmt.Sprintf("a byte order mark hides %s: Flink takes it for part of the key", f.Key),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: "U+FEFF"}},
		Help:    "save the file as UTF-8 without byte order mark",
	}
}
