package security

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed ssl-incomplete.md
var sslIncompleteDoc string

const (
	keyInternal = "security.ssl.internal.enabled"
	keyREST     = "security.ssl.rest.enabled"
	keyRESTAuth = "security.ssl.rest.authentication-enabled"
)

// What an end of a connection needs, below its prefix or below security.ssl for all of them.
var (
	keystore   = []string{"keystore", "keystore-password", "key-password"}
	truststore = []string{"truststore", "truststore-password"}
)

// SSLIncomplete finds encryption that is on without certificates.
var SSLIncomplete = &advisor.Rule{
	ID:         "security/ssl-incomplete",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Reads: []string{
		keyInternal, keyREST, keyRESTAuth,
		"security.ssl.internal.keystore", "security.ssl.internal.keystore-password", "security.ssl.internal.key-password",
		"security.ssl.internal.truststore", "security.ssl.internal.truststore-password",
		"security.ssl.rest.keystore", "security.ssl.rest.keystore-password", "security.ssl.rest.key-password",
		"security.ssl.rest.truststore", "security.ssl.rest.truststore-password",
		"security.ssl.keystore", "security.ssl.keystore-password", "security.ssl.key-password",
		"security.ssl.truststore", "security.ssl.truststore-password",
	},
	Doc:   sslIncompleteDoc,
	Check: sslIncomplete,
}

func sslIncomplete(t *advisor.Target, r *advisor.Report) {
	if on(t, keyInternal) {
		report(t, r, keyInternal, "security.ssl.internal.", "between processes", append(append([]string(nil), keystore...), truststore...))
	}
	if on(t, keyREST) {
		need := keystore
		if on(t, keyRESTAuth) {
			need = append(append([]string(nil), keystore...), truststore...)
		}
		report(t, r, keyREST, "security.ssl.rest.", "of the REST interface", need)
	}
}

func on(t *advisor.Target, key string) bool {
	v := t.Conf.Bool(key)
	return v.Has && v.V
}

func report(t *advisor.Target, r *advisor.Report, key, prefix, where string, need []string) {
	var missing []string
	for _, n := range need {
		if !given(t, prefix+n) && !given(t, "security.ssl."+n) {
			missing = append(missing, prefix+n)
		}
	}
	if len(missing) == 0 {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("encryption %s lacks %s", where, strings.Join(missing, ", ")),
		Labels:  t.Labels(key, "switched on here"),
		Notes:   []string{"no process starts: the certificates have no default"},
		Help:    "set what is missing, or its name below security.ssl. for all connections at once",
	})
}
