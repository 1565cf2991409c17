package carrier

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/job"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// setStatement is SET 'key' = 'value' or SET key = value; a string doubles a quote within.
var setStatement = regexp.MustCompile(`(?is)^\s*SET\s+('(?:[^']|'')+'|[^\s=']+)\s*=\s*('(?:[^']|'')*'|.*?)\s*$`)

// openSQL reads the SET statements of a SQL script. They reach the options of jobs and tables; the cluster's own it cannot change.
func openSQL(f *source.File, _ conf.Options) []*Carried {
	d := &conf.Document{View: f.Whole(), Dialect: conf.Arguments}
	for _, s := range statements(f.Data) {
		m := setStatement.FindSubmatchIndex(f.Data[s[0]:s[1]])
		if m == nil {
			continue
		}
		key, ks := sqlString(f, s[0]+m[2], s[0]+m[3])
		value, vs := sqlString(f, s[0]+m[4], s[0]+m[5])
		if key == "" || strings.ContainsAny(key, " \t\n") {
			continue
		}
		d.Entries = append(d.Entries, conf.Entry{Key: key, Value: value, Text: value, Raw: vs.Text(), KeySpan: ks, ValueSpan: vs, Layer: "SET",
			Placeholder: conf.IsPlaceholder(value)})
	}
	if len(d.Entries) == 0 {
		return nil
	}
	return []*Carried{{Kind: SQL, Span: d.Entries[0].KeySpan, Documents: []*conf.Document{d}, Layers: []conf.Layer{d.Layer()}, Facts: &job.Facts{}, Fragment: true}}
}

// sqlString takes the quotes off the text at [start, end), if there are any.
func sqlString(f *source.File, start, end int) (string, source.Span) {
	text := f.Data[start:end]
	if len(text) >= 2 && text[0] == '\'' {
		return strings.ReplaceAll(string(text[1:len(text)-1]), "''", "'"), f.Span(start+1, end-1)
	}
	return string(text), f.Span(start, end)
}

// statements are the ranges of the statements in a script, comments at their beginning left out.
func statements(data []byte) [][2]int {
	var out [][2]int
	start, inStatement := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '-' && bytes.HasPrefix(data[i:], []byte("--")):
			if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(data)
			}
		case c == '/' && bytes.HasPrefix(data[i:], []byte("/*")):
			if n := bytes.Index(data[i:], []byte("*/")); n >= 0 {
				i += n + 1
			} else {
				i = len(data)
			}
		case c == ';':
			if inStatement {
				out = append(out, [2]int{start, i})
			}
			inStatement = false
		case c <= ' ':
		default:
			if !inStatement {
				start, inStatement = i, true
			}
			if c == '\'' || c == '"' || c == '`' {
				if n := bytes.IndexByte(data[i+1:], c); n >= 0 {
					i += n + 1
				}
			}
		}
	}
	if inStatement {
		out = append(out, [2]int{start, len(data)})
	}
	return out
}

// flinkCommand is a word that starts Flink's command line or one of its processes.
var flinkCommand = regexp.MustCompile(`(^|/)(flink|jobmanager\.sh|taskmanager\.sh|standalone-job\.sh|kubernetes-session\.sh|yarn-session\.sh|sql-client\.sh|sql-gateway\.sh|start-cluster\.sh)$`)

// openScript reads the -D options that a shell script passes to Flink, all commands together, later ones over earlier ones.
func openScript(f *source.File, _ conf.Options) []*Carried {
	d := &conf.Document{View: f.Whole(), Dialect: conf.Arguments}
	var command []word
	flush := func() {
		for _, w := range command {
			if flinkCommand.MatchString(w.text()) {
				d.Entries = append(d.Entries, dynamicProperties(command, "-D")...)
				break
			}
		}
		command = nil
	}
	for _, w := range shellWords(f.Whole()) {
		if w.text() == ";" {
			flush()
			continue
		}
		command = append(command, w)
	}
	flush()
	if len(d.Entries) == 0 {
		return nil
	}
	return []*Carried{{Kind: Script, Span: d.Entries[0].KeySpan, Documents: []*conf.Document{d}, Layers: []conf.Layer{d.Layer()}, Facts: &job.Facts{}, Fragment: true}}
}
