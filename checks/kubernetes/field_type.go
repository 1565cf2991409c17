package kubernetes

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
)

//go:embed field-type.md
var fieldTypeDoc string

// FieldType finds fields whose value has the wrong type or is none of the constants.
var FieldType = &advisor.Rule{
	ID:         "kubernetes/field-type",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        fieldTypeDoc,
	Check:      fieldType,
}

// A kind of value is what the resource's schema asks for.
type kind int

const (
	text kind = iota
	whole64
	decimal
	boolean
	constants
)

// A typed field is one of the schema's, with what it takes.
type typedField struct {
	path   string
	field  carrier.Field
	kind   kind
	values []string
}

func typedFields(m *carrier.Manifest) []typedField {
	fields := []typedField{
		{path: "spec.mode", field: m.Mode, kind: constants, values: []string{"native", "standalone"}},
		{path: "spec.image", field: m.Image},
		{path: "spec.serviceAccount", field: m.ServiceAccount},
		{path: "spec.imagePullPolicy", field: m.ImagePullPolicy, kind: constants, values: []string{"Always", "IfNotPresent", "Never"}},
		{path: "spec.restartNonce", field: m.RestartNonce, kind: whole64},
	}
	for _, p := range processes(m) {
		fields = append(fields,
			typedField{path: p.field + ".replicas", field: p.Replicas, kind: whole64},
			typedField{path: p.field + ".resource.memory", field: p.Memory},
			typedField{path: p.field + ".resource.cpu", field: p.CPU, kind: decimal},
			typedField{path: p.field + ".resource.ephemeralStorage", field: p.EphemeralStorage},
		)
		if p.Requests != (carrier.Resources{}) || p.Limits != (carrier.Resources{}) {
			fields = fields[:len(fields)-2]
		}
	}
	if j := m.Job; j != nil {
		fields = append(fields,
			typedField{path: "spec.job.jarURI", field: j.JarURI},
			typedField{path: "spec.job.parallelism", field: j.Parallelism, kind: whole64},
			typedField{path: "spec.job.entryClass", field: j.EntryClass},
			typedField{path: "spec.job.state", field: j.State, kind: constants, values: []string{"running", "suspended"}},
			typedField{path: "spec.job.upgradeMode", field: j.UpgradeMode, kind: constants, values: []string{"savepoint", "last-state", "stateless"}},
			typedField{path: "spec.job.initialSavepointPath", field: j.InitialSavepointPath},
			typedField{path: "spec.job.allowNonRestoredState", field: j.AllowNonRestoredState, kind: boolean},
			typedField{path: "spec.job.savepointTriggerNonce", field: j.SavepointTriggerNonce, kind: whole64},
			typedField{path: "spec.job.checkpointTriggerNonce", field: j.CheckpointTriggerNonce, kind: whole64},
			typedField{path: "spec.job.savepointRedeployNonce", field: j.SavepointRedeployNonce, kind: whole64},
			typedField{path: "spec.job.autoscalerResetNonce", field: j.AutoscalerResetNonce, kind: whole64},
		)
	}
	return fields
}

func fieldType(t *advisor.Target, r *advisor.Report) {
	m := either(t)
	if m == nil {
		return
	}
	for _, f := range typedFields(m) {
		if !f.field.Known || !f.field.Span.Valid() {
			continue
		}
		if why, fix := f.check(); why != "" {
			finding := advisor.Finding{
				Message: fmt.Sprintf("the API server refuses %s: %s", f.path, why),
				Labels:  []advisor.Label{{Span: f.field.Span, Key: f.path, Text: "refused"}},
				Help:    "write a value of that form",
			}
			if fix != "" {
				finding.Help = "write " + fix
				finding.Edits = []advisor.Edit{{Span: f.field.Span, New: fix, Safe: true}}
			}
			r.Find(finding)
		}
	}
}

var (
	wholeNumber = regexp.MustCompile(`^[-+]?[0-9]+$`)
	anyNumber   = regexp.MustCompile(`^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$`)
	trueFalse   = regexp.MustCompile(`^(?:true|false)$`)
)

// check says why the schema refuses a value, "" when it does not, and what to write in its place where that is plain.
func (f typedField) check() (why, fix string) {
	written, v := f.field.Span.Text(), f.field.V
	quoted := strings.HasPrefix(written, `"`) || strings.HasPrefix(written, "'")
	if !quoted && written != v {
		return "", "" // a block, a tag or an alias: not read here
	}
	pattern, what := wholeNumber, "a whole number is wanted"
	switch f.kind {
	case text:
		if !quoted && (anyNumber.MatchString(v) || trueFalse.MatchString(v)) {
			return "text is wanted, and " + v + " is not without quotes", `"` + v + `"`
		}
		return "", ""
	case constants:
		if slices.Contains(f.values, v) {
			return "", ""
		}
		for _, c := range f.values {
			if letters(c) == letters(v) {
				fix = c
			}
		}
		return fmt.Sprintf("%s is not one of %s", v, strings.Join(f.values, ", ")), fix
	case decimal:
		pattern, what = anyNumber, "a number is wanted"
	case boolean:
		pattern, what = trueFalse, "true or false is wanted"
	}
	switch ok := pattern.MatchString(v); {
	case ok && quoted:
		return what + ", and this is text", v
	case !ok && f.kind == decimal:
		if n, err := carrier.KubernetesAmount(v); err == nil {
			fix = strconv.FormatFloat(n, 'f', -1, 64)
		}
		return what + ", and this is text", fix
	case !ok:
		return what + ", and this is " + v, ""
	}
	return "", ""
}

// letters is a constant without case and dashes: LAST_STATE is meant as last-state.
func letters(s string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s))
}
