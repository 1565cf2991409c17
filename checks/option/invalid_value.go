package option

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
)

//go:embed invalid-value.md
var invalidValueDoc string

// InvalidValue finds values that the option's type refuses.
var InvalidValue = &advisor.Rule{
	ID:         "option/invalid-value",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WillFail,
	Confidence: advisor.Certain,
	Doc:        invalidValueDoc,
	Check:      invalidValue,
}

func invalidValue(t *advisor.Target, r *advisor.Report) {
	for _, e := range entries(t) {
		m, ok := t.Conf.Lookup(e.Key)
		if !ok || m.Option == nil || e.Placeholder {
			continue
		}
		err := t.Conf.Parse(e, m.Option)
		if err == nil {
			continue
		}
		f := advisor.Finding{
			Message: fmt.Sprintf("Flink cannot read %s: %v", e.Key, masked(e, err)),
			Labels:  []advisor.Label{{Span: e.ValueSpan, Key: e.Key, Text: "not " + kindWords[m.Option.Kind]}},
			Help:    "write " + kindWords[m.Option.Kind],
		}
		if m.Option.Kind == option.Enum {
			f.Help = "use one of " + strings.Join(m.Option.Values, ", ")
		}
		if m.Via == option.ByFamily {
			// A plugin may read the key in its own way.
			f.Confidence = advisor.Likely
		}
		if t.VersionAssumed && m.Option.Kind != option.Memory {
			// Types change from version to version; sizes never did.
			f.Severity, f.Confidence = advisor.Warning, advisor.Likely
		}
		if fix, ok := mended(e.Value, m.Option.Kind); ok {
			f.Edits = []advisor.Edit{{Key: e.Key, Old: e.Raw, New: fix, Span: e.ValueSpan}}
			f.Help = fmt.Sprintf("write %s", fix)
		}
		r.Find(f)
	}
}

// masked leaves the value out of the message of a sensitive option.
func masked(e *conf.Entry, err error) string {
	if option.Sensitive(e.Key) {
		return "its value does not have the right form"
	}
	return err.Error()
}

// kindWords say what a value of a kind looks like.
var kindWords = map[option.Kind]string{
	option.Boolean: "true or false", option.Int: "a whole number", option.Long: "a whole number", option.Float: "a number", option.Double: "a number",
	option.Memory: "a memory size such as 512m", option.Duration: "a duration such as 30 s", option.Enum: "a constant that Flink knows",
	option.List: "a list separated by ;", option.Map: "pairs key:value separated by commas", option.String: "text",
}

// mended is the value in Flink's spelling where the intent is plain: Kubernetes units, yes and no.
func mended(value string, kind option.Kind) (string, bool) {
	v := strings.TrimSpace(value)
	switch kind {
	case option.Boolean:
		switch strings.ToLower(v) {
		case "yes", "on", "1":
			return "true", true
		case "no", "off", "0":
			return "false", true
		}
	case option.Memory:
		for from, to := range map[string]string{"Ki": "k", "Mi": "m", "Gi": "g", "Ti": "t", "KiB": "k", "MiB": "m", "GiB": "g", "TiB": "t"} {
			digits, ok := strings.CutSuffix(v, from)
			if digits = strings.TrimSpace(digits); ok && digits != "" && strings.Trim(digits, "0123456789") == "" {
				return digits + to, true
			}
		}
	}
	return "", false
}
