package kubernetes

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/conf/carrier"
)

//go:embed unknown-field.md
var unknownFieldDoc string

// UnknownField finds fields that the operator's resources do not have.
var UnknownField = &advisor.Rule{
	ID:         "kubernetes/unknown-field",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.NoEffect,
	Confidence: advisor.Likely,
	Doc:        unknownFieldDoc,
	Check:      unknownField,
}

// specFields are the fields of the two resources, as their schemas have them (operator 1.16); what FlinkSessionJob lacks is refused there too.
var (
	deploymentFields = []string{"flinkConfiguration", "flinkVersion", "image", "imagePullPolicy", "ingress", "job", "jobManager", "logConfiguration",
		"mode", "podTemplate", "restartNonce", "serviceAccount", "taskManager"}
	sessionJobFields = []string{"deploymentName", "flinkConfiguration", "job", "restartNonce"}
	jobFields        = []string{"allowNonRestoredState", "args", "autoscalerResetNonce", "checkpointTriggerNonce", "entryClass", "initialSavepointPath", "jarURI",
		"parallelism", "savepointRedeployNonce", "savepointTriggerNonce", "state", "upgradeMode"}
	processFields  = []string{"podTemplate", "replicas", "resource", "resources"}
	resourceFields = []string{"cpu", "ephemeralStorage", "memory"}
	ingressFields  = []string{"annotations", "className", "labels", "template", "tls"}
)

// fieldsOf are the fields that may stand in the mapping at a path; nil for mappings that are free or not the operator's.
func fieldsOf(m *carrier.Manifest, path string) []string {
	switch path {
	case "spec":
		if m.Kind == "FlinkSessionJob" {
			return sessionJobFields
		}
		return deploymentFields
	case "spec.job":
		return jobFields
	case "spec.jobManager", "spec.taskManager":
		return processFields
	case "spec.jobManager.resource", "spec.taskManager.resource":
		return resourceFields
	case "spec.ingress":
		return ingressFields
	}
	return nil
}

func unknownField(t *advisor.Target, r *advisor.Report) {
	m := either(t)
	if m == nil {
		return
	}
	for _, f := range m.Fields {
		i := strings.LastIndexByte(f.V, '.')
		parent, name := f.V[:i], f.V[i+1:]
		known := fieldsOf(m, parent)
		if known == nil || slices.Contains(known, name) {
			continue
		}
		finding := advisor.Finding{
			Message: fmt.Sprintf("%s has no field %s", m.Kind, f.V),
			Labels:  []advisor.Label{{Span: f.Span, Key: f.V, Text: "dropped"}},
			Notes:   []string{"kubectl refuses unknown fields since 1.27; Helm and Argo CD apply the resource, and the field is dropped without a word"},
			Help:    "one of " + strings.Join(known, ", ") + " goes here",
		}
		if near := nearest(name, known); near != "" {
			finding.Confidence = advisor.Certain
			finding.Help = fmt.Sprintf("did you mean %s?", near)
			if !m.Has(parent + "." + near) {
				finding.Edits = []advisor.Edit{{Span: f.Span, New: near}}
			}
		}
		r.Find(finding)
	}
}

// maxFieldTypo is how many characters a field may be off to be taken for another one: two slips of the finger.
const maxFieldTypo = 2

func nearest(name string, known []string) string {
	best, distance := "", maxFieldTypo+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
}
