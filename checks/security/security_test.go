package security

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

func TestRules(t *testing.T) {
	for _, rule := range []*advisor.Rule{SSLIncomplete, KerberosIncomplete, PlainSecret} {
		checktest.Run(t, rule)
	}
}
