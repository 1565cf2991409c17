package kubernetes

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed forbidden-key.md
var forbiddenKeyDoc string

// ForbiddenKey finds options that only the operator may set.
var ForbiddenKey = &advisor.Rule{
	ID:         "kubernetes/forbidden-key",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyNamespace, keyClusterID, keyHAClusterID},
	Doc:        forbiddenKeyDoc,
	Check:      forbiddenKey,
}

func forbiddenKey(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || m.Configuration == nil {
		return
	}
	for i := range m.Configuration.Entries {
		e := &m.Configuration.Entries[i]
		if e.Key != keyNamespace && e.Key != keyClusterID && e.Key != keyHAClusterID {
			continue
		}
		r.Find(advisor.Finding{
			Message: fmt.Sprintf("the operator refuses %s in flinkConfiguration: it sets it itself", e.Key),
			Labels:  []advisor.Label{{Span: e.KeySpan, Key: e.Key, Text: "forbidden"}},
			Help:    "remove it: namespace and ids come from metadata",
			Edits:   []advisor.Edit{advisor.Unset(e.Key, true)},
		})
	}
}
