package option

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

func TestRules(t *testing.T) {
	for _, rule := range []*advisor.Rule{Unknown, Renamed, Removed, InvalidValue, SuspiciousUnit, TwoNames, PrefixConflict, NoEffect, OutOfRange, Overridden} {
		checktest.Run(t, rule)
	}
}
