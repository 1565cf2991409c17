package render

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/option"
)

// mask is what Flink itself prints for a hidden value.
const mask = "******"

// A redactor hides the values of sensitive options wherever they would be printed.
type redactor struct{ replacer *strings.Replacer }

// newRedactor collects every sensitive value of the targets. Values of fewer than four characters are hidden in excerpts only: replacing
// them everywhere would garble the report and hide nothing.
func newRedactor(results []*advisor.Result) redactor {
	var secrets []string
	for _, res := range results {
		for _, e := range res.Target.Conf.All() {
			if option.Sensitive(e.Key) {
				for _, v := range []string{e.Raw, e.Value, e.Text} {
					secrets = append(secrets, v)
					secrets = append(secrets, strings.FieldsFunc(v, func(r rune) bool { return r == '\n' || r == '\r' })...)
				}
			}
		}
	}
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return len(s) < 4 })
	// Longest first, so that a secret that contains another is hidden whole.
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	pairs := make([]string, 0, 2*len(secrets))
	for _, s := range slices.Compact(secrets) {
		pairs = append(pairs, s, mask)
	}
	return redactor{strings.NewReplacer(pairs...)}
}

// noSecrets hides nothing: for numbers, which have no secrets.
var noSecrets = strings.NewReplacer()

// value hides the value of a sensitive option; without a key it is text of a file.
func (r redactor) value(key, value string) string {
	if key == "" {
		return r.line(value)
	}
	if value != "" && option.Sensitive(key) {
		return mask
	}
	return r.text(value)
}

// text makes a sentence harmless: secrets hidden, control characters replaced.
func (r redactor) text(s string) string { return printable(r.replacer.Replace(s)) }

// line makes a line of a file harmless.
func (r redactor) line(s string) string { return printable(r.hide(s)) }

// hide hides the secrets of a line of a file. Besides the known ones, whatever follows a sensitive key is hidden, with a separator or without, so that
// commented-out lines and lines that Flink would skip leak nothing either.
func (r redactor) hide(s string) string {
	start := len(s) - len(strings.TrimLeft(s, " \t#-+\"'"))
	end := strings.IndexAny(s, ":=")
	if end <= start {
		blank := strings.IndexAny(s[start:], " \t")
		if blank < 0 {
			return r.replacer.Replace(s)
		}
		end = start + blank
	}
	if rest := s[end+1:]; option.Sensitive(s[start:end]) && strings.TrimSpace(rest) != "" {
		lead := len(rest) - len(strings.TrimLeft(rest, " \t"))
		return s[:end+1] + rest[:lead] + mask
	}
	return r.replacer.Replace(s)
}

// HideSecrets hides what is secret in text that quotes the results' files line by line, such as a diff of them; a line without a secret stays as it is.
func HideSecrets(results []*advisor.Result, text []byte) []byte {
	hide := newRedactor(results)
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		body := bytes.TrimRight(line, "\r\n")
		out.WriteString(hide.hide(string(body)))
		out.Write(line[len(body):])
	}
	return out.Bytes()
}

// printable replaces control characters, bidirectional overrides and invalid UTF-8 by U+FFFD; tabs become blanks.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return ' '
		case unicode.IsControl(c), unicode.In(c, unicode.Bidi_Control), c == '\u2028', c == '\u2029':
			return unicode.ReplacementChar
		}
		return c
	}, s)
}
