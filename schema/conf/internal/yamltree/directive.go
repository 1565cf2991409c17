package yamltree

import (
	"bytes"
	"regexp"
)

var (
	ignoredDirective  = regexp.MustCompile(`^%[0-9A-Za-z_-]+(?:[ \t]|$)`)
	reservedDirective = regexp.MustCompile(`^%(?:TAG|YAML[ \t]+(?:[^1]|1[^.]))`)
)

// directiveLines are the directives before the first document that mean nothing to snakeyaml-engine but stop the library: "%YAML 1.2" and
// names that nobody reserved.
func directiveLines(data []byte) []maskRange {
	var found []maskRange
	for i := len(data) - len(bytes.TrimPrefix(data, []byte(byteOrderMark))); i < len(data); {
		end := lineEnd(data, i)
		line := data[i:end]
		switch {
		case bytes.HasPrefix(line, []byte("---")):
			return found
		case ignoredDirective.Match(line) && !reservedDirective.Match(line):
			found = append(found, maskRange{i, end})
		case len(bytes.TrimLeft(line, " \t")) > 0 && line[0] != '#' && line[0] != '%':
			return nil // no document follows: the directives are at fault
		}
		i = nextLine(data, end)
	}
	return nil
}
