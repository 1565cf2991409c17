package conf

import (
	"bytes"
	"regexp"
	"strings"
)

// placeholders are the marks of text that is filled in before Flink reads it: templates of Go and Jinja, variables of shells and
// envsubst, and the house styles met in public files (%NAME%, <NAME>, @NAME@).
var placeholders = regexp.MustCompile(`(?s)\{\{.*\}\}|\{%.*%\}|\$\{[^}]*\}|\$[A-Za-z_]\w*|^%[A-Za-z_]\w*%$|^<<?[A-Za-z_][\w .-]*>>?$|^@[A-Za-z_][\w.]*@$`)

// IsPlaceholder tells text that is filled in before Flink reads it.
func IsPlaceholder(s string) bool {
	return strings.ContainsAny(s, "{$%<@") && placeholders.MatchString(s)
}

// Actions of the template engines met in public files: Go and Helm, Jinja and Ansible (with comments), Terraform's directives.
var (
	templateActions = regexp.MustCompile(`(?s)\{\{.*?\}\}+|\{%.*?%\}|\{#.*?#\}|%\{[^}\n]*\}`)
	conditionals    = regexp.MustCompile(`\{\{[-~]?\s*(if|else|range|with|#if|#each)\b|\{%[-+]?\s*(if|elif|else|for)\b|%\{[~-]?\s*(if|else|for)\b`)
)

// actions are the places of the template actions in a text.
func actions(data []byte) [][]int {
	for _, mark := range []string{"{{", "{%", "{#", "%{"} {
		if bytes.Contains(data, []byte(mark)) {
			return templateActions.FindAllIndex(data, -1)
		}
	}
	return nil
}
