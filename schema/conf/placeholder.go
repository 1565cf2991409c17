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

// onlyTemplate tells a line that holds nothing but actions of a template.
func onlyTemplate(line string) bool {
	return (strings.HasPrefix(line, "{{") || strings.HasPrefix(line, "{%")) && strings.Trim(templateActions.ReplaceAllString(line, ""), " \t") == ""
}

var (
	templateActions = regexp.MustCompile(`\{\{.*?\}\}+|\{%.*?%\}`)
	conditionals    = regexp.MustCompile(`\{\{[-~]?\s*(if|else|range|with|#if|#each)\b|\{%[-+]?\s*(if|elif|else|for)\b`)
)

// templates tells whether a text holds parts that a template engine fills in, and whether those decide which lines there are.
func templates(data []byte) (templated, conditional bool) {
	if !bytes.Contains(data, []byte("{{")) && !bytes.Contains(data, []byte("{%")) {
		return false, false
	}
	return templateActions.Match(data), conditionals.Match(data)
}
