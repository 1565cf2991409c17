package deployment

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/budget"
)

//go:embed java-module-flags.md
var javaModuleFlagsDoc string

// JavaModuleFlags finds JVM options that replace those which Flink needs on Java 17 and newer.
var JavaModuleFlags = &advisor.Rule{
	ID:         "deployment/java-module-flags",
	Since:      "0.1",
	Severity:   advisor.Warning,
	Impact:     advisor.WillFail,
	Confidence: advisor.Likely,
	Reads:      []string{keyAll, keyBase},
	Facts:      []string{"java", "deployment.target"},
	Doc:        javaModuleFlagsDoc,
	Check:      javaModuleFlags,
}

// strongModules is the first Java that refuses reflection into its own packages unless a flag opens them (JEP 403).
const strongModules = 17

func javaModuleFlags(t *advisor.Target, r *advisor.Report) {
	v := t.Conf.String(keyAll)
	if !v.Set() || !v.Has || t.Version.Before(1, 18) || strings.Contains(v.V, "--add-opens") || t.Conf.String(keyBase).Set() {
		return
	}
	if t.Job.Deployment.Target.V == "kubernetes-operator" {
		return // it adds the flags itself
	}
	java := t.Job.Java
	if !java.Known {
		r.NotAssessed("java")
		return
	}
	if java.V < strongModules {
		return
	}
	r.Find(advisor.Finding{
		Message: fmt.Sprintf("%s replaces the --add-opens flags that Flink's own file has for Java %d", v.Entry.Key, java.V),
		Labels:  t.Labels(keyAll, "no --add-opens"),
		Terms:   []budget.Term{advisor.FactTerm("Java", java, float64(java.V), budget.Count)},
		Notes:   []string{"serializers and connectors that look into JDK classes then fail with InaccessibleObjectException, often only at the first record or checkpoint"},
		Help:    "append your options to the value that conf/ of the distribution ships, rather than replace it",
	})
}
