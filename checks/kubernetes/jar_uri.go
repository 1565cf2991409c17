package kubernetes

import (
	_ "embed"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
)

//go:embed jar-uri.md
var jarURIDoc string

// JarURI finds jars that the operator does not fetch.
var JarURI = &advisor.Rule{
	ID:         "kubernetes/jar-uri",
	Since:      "0.1",
	Severity:   advisor.Error,
	Impact:     advisor.WontStart,
	Confidence: advisor.Likely,
	Doc:        jarURIDoc,
	Check:      jarURI,
}

func jarURI(t *advisor.Target, r *advisor.Report) {
	m := either(t)
	if m == nil || m.Job == nil || !m.Job.JarURI.Known || m.Job.JarURI.V == "" {
		return
	}
	f := advisor.Finding{Labels: []advisor.Label{{Span: m.Job.JarURI.Span, Key: "spec.job.jarURI", Text: "not fetched"}}}
	u, err := url.Parse(m.Job.JarURI.V)
	switch session := m.Kind == "FlinkSessionJob"; {
	case err != nil || strings.ContainsAny(m.Job.JarURI.V, " \\"):
		f.Message, f.Confidence = "jarURI is no URI", advisor.Certain
		f.Help = "write it as scheme://path, blanks as %20"
	case u.Scheme == "" && session:
		f.Message, f.Confidence = "jarURI has no scheme, and the operator does not know where to fetch it", advisor.Certain
		f.Help = "write where the operator reaches the jar, such as https://repo.example.com/job.jar"
	case u.Scheme == "local" && session:
		f.Message, f.Confidence = "the operator fetches the jar of a session job itself, and local:// is a path in the cluster's image", advisor.Certain
		f.Help = "put the jar where the operator reaches it: https:// or a file system it has a plugin for"
	case session && !strings.EqualFold(u.Scheme, "https"):
		f.Severity, f.Message = advisor.Warning, fmt.Sprintf("operator 1.15 and newer refuse the scheme %s of jarURI unless they are told to take it", u.Scheme)
		f.Notes = []string{"it takes https alone by default"}
		f.Help = "add the scheme to kubernetes.operator.user.artifacts.allowed-schemes of the operator, or serve the jar by https"
	case session && restricted(u.Hostname()):
		f.Severity, f.Message = advisor.Warning, fmt.Sprintf("operator 1.15 and newer refuse jars of %s, which is an address of a private network", u.Hostname())
		f.Help = "set kubernetes.operator.user.artifacts.disallow-restricted-hosts: false for the operator, or serve the jar elsewhere"
	case u.Scheme == "" && !session && m.Mode.V != "standalone":
		f.Severity, f.Message = advisor.Warning, "jarURI has no scheme, and the client looks for the jar in the operator's own pod"
		f.Help = "write local:// and the path of the jar in the image"
	default:
		return
	}
	r.Find(f)
}

// restricted tells an address that the operator does not fetch from. Names are not resolved here.
func restricted(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && (a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsPrivate() || a.IsUnspecified() || a.IsMulticast())
}
