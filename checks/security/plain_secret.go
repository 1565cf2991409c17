package security

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
)

//go:embed plain-secret.md
var plainSecretDoc string

// PlainSecret finds secrets that stand in plain text in a file, one finding for each configuration.
var PlainSecret = &advisor.Rule{
	ID:         "security/plain-secret",
	Since:      "0.1",
	Severity:   advisor.Advice,
	Impact:     advisor.Hygiene,
	Confidence: advisor.Likely,
	Doc:        plainSecretDoc,
	Check:      plainSecret,
}

func plainSecret(t *advisor.Target, r *advisor.Report) {
	var f advisor.Finding
	for _, e := range t.Conf.Entries() {
		if e.KeySpan.Valid() && secret(t, e) {
			f.Labels = append(f.Labels, advisor.Label{Span: e.KeySpan, Key: e.Key, Text: "in plain text"})
		}
	}
	switch len(f.Labels) {
	case 0:
		return
	case 1:
		f.Message = f.Labels[0].Key + " holds a secret in plain text"
	default:
		f.Message = fmt.Sprintf("%d options hold secrets in plain text", len(f.Labels))
	}
	f.Notes = []string{"whoever reads the file, its history or a copy of it has them"}
	f.Help = "fill them in when the file is deployed, or let the machine's or pod's identity take their place; then change the secrets"
	r.Find(f)
}

// notSecret are ends of keys that Flink's list takes for sensitive by a part of their name and that hold no secret themselves: names of files, classes and
// switches.
var notSecret = []string{"file", "path", "location", "provider", "class", "enabled", "type", "endpoint", "url", "arn", "use-ticket-cache"}

// dummies are values that nobody mistakes for a secret worth keeping: documentation, local set-ups.
var dummies = []string{
	"changeme", "change-me", "change_me", "password", "passwd", "secret", "admin", "test", "dummy", "none", "null", "example", "todo", "minio", "minioadmin", "minio123", "redacted",
}

func secret(t *advisor.Target, e *conf.Entry) bool {
	if !option.Sensitive(e.Key) || e.Placeholder || conf.IsPlaceholder(e.Value) {
		return false
	}
	lower := strings.ToLower(e.Key)
	last := lower[strings.LastIndexByte(lower, '.')+1:]
	if slices.ContainsFunc(notSecret, func(end string) bool { return strings.HasSuffix(last, end) }) {
		return false
	}
	if strings.HasPrefix(lower, "kubernetes.") {
		return false // names of Kubernetes secrets
	}
	// Durations, switches and lists of providers that have "token" in their names.
	if m, ok := option.Lookup(e.Key, t.Version); ok && m.Option != nil && m.Option.Kind != option.String && m.Option.Kind != option.Map || strings.HasPrefix(lower, "security.delegation.token") {
		return false
	}
	value := strings.ToLower(strings.Trim(strings.TrimSpace(e.Value), `"'`))
	switch {
	case value == "", strings.Trim(value, "*x.-_") == "", slices.Contains(dummies, value):
		return false
	case strings.HasPrefix(value, "your") || strings.HasPrefix(value, "my-") || strings.HasPrefix(value, "<") || strings.HasPrefix(value, "["):
		return false
	case strings.HasPrefix(value, "file:") || strings.HasPrefix(value, "/"):
		return false // where the secret lies, not the secret
	}
	return true
}
