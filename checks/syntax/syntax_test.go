package syntax

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

func TestRules(t *testing.T) {
	for _, rule := range []*advisor.Rule{NoSeparator, EmptyValue, DuplicateKey, CutByHash, QuotesKept, NestedInFlat, ByteOrderMark, Encoding, InvisibleCharacter, NotLoadable, RetypedScalar, MergeKey, GluedLines, NotConfiguration, WrongFileName, MalformedManifest, BlanksDeleted} {
		checktest.Run(t, rule)
	}
}
