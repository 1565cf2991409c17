package state

import (
	"testing"

	"github.com/flinkadvise/flinkadvise/checks/internal/checktest"
)

func TestRules(t *testing.T) { checktest.Run(t, UnknownBackend) }
