package syntax

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
)

//go:embed invisible-character.md
var invisibleCharacterDoc string

// InvisibleCharacter finds characters that look like a blank and that Java's trim keeps.
var InvisibleCharacter = &advisor.Rule{
	ID:         "syntax/invisible-character",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Certain,
	Doc:        invisibleCharacterDoc,
	Check:      each(conf.FaultInvisible, invisibleCharacter),
}

func invisibleCharacter(_ *advisor.Target, f conf.Fault) advisor.Finding {
	return advisor.Finding{
		Message: fmt.Sprintf("an invisible character is part of the setting of %s", strings.TrimSpace(f.Key)),
		Labels:  []advisor.Label{{Span: f.Span, Key: f.Key, Text: fmt.Sprintf("%U", []rune(f.Span.Text()))}},
		Help:    "remove it, or type a plain blank",
	}
}
