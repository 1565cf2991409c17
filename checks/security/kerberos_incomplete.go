package security

import (
	_ "embed"
	"fmt"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed kerberos-incomplete.md
var kerberosIncompleteDoc string

const (
	keyKeytab    = "security.kerberos.login.keytab"
	keyPrincipal = "security.kerberos.login.principal"
)

// KerberosIncomplete finds a keytab without principal, or the other way round.
var KerberosIncomplete = &advisor.Rule{
	ID:         "security/kerberos-incomplete",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads:      []string{keyKeytab, keyPrincipal},
	Doc:        kerberosIncompleteDoc,
	Check:      kerberosIncomplete,
}

func kerberosIncomplete(t *advisor.Target, r *advisor.Report) {
	keytab, principal := given(t, keyKeytab), given(t, keyPrincipal)
	if keytab == principal {
		return
	}
	have, lack := keyKeytab, keyPrincipal
	if principal {
		have, lack = lack, have
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%s is set without %s, and no process starts", t.Conf.Name(have), t.Conf.Name(lack)),
		Labels:  t.Labels(have, "half of a login"),
		Help:    "set both, or neither to log in from the ticket cache",
	})
}
