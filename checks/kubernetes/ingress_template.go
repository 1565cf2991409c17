package kubernetes

import (
	_ "embed"
	"regexp"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed ingress-template.md
var ingressTemplateDoc string

// IngressTemplate finds ingresses without a template.
var IngressTemplate = &advisor.Rule{
	ID:         "kubernetes/ingress-template",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Certain,
	Doc:        ingressTemplateDoc,
	Check:      ingressTemplate,
}

func ingressTemplate(t *advisor.Target, r *advisor.Report) {
	m := deployment(t)
	if m == nil || !m.HasIngress || t.Carried.Templated {
		return
	}
	f := advisor.Finding{Help: `write where the web UI is to be found, such as template: "flink.example.com/{{namespace}}/{{name}}(/|$)(.*)"`}
	switch path := "spec.ingress.template"; {
	case !m.Has(path):
		f.Message = "the operator refuses an ingress without template"
		f.Labels = []advisor.Label{at(m, m.IngressTemplate, path, "no template")}
	case badPort.MatchString(m.IngressTemplate.V):
		f.Message = "the operator refuses an ingress template whose port is no number"
		f.Labels = []advisor.Label{at(m, m.IngressTemplate, path, "not a URL")}
	default:
		return
	}
	r.Find(f)
}

// badPort is a host with a port that java.net.URL does not take, after the scheme that the operator puts in front where there is none.
var badPort = regexp.MustCompile(`^(?:[a-zA-Z][a-zA-Z0-9+.-]*://)?[^/:?#\[\]]*:[^/0-9]`)
