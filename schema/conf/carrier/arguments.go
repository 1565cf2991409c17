package carrier

import (
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/conf/internal/yamltree"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/source"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A word is an argument of a command line with the way back to the file.
type word struct{ view *source.View }

func (w word) text() string { return string(w.view.Data) }

// words are the arguments of a container: a list has one each; a text is split as a shell does.
func words(f *source.File, n *yamltree.Node) []word {
	if n = n.Resolve(); n == nil {
		return nil
	}
	if n.Kind == yamltree.Sequence {
		var out []word
		for _, item := range n.Items {
			item = item.Resolve()
			if item == nil || item.Kind != yamltree.Scalar {
				continue
			}
			view := item.View(f)
			// "sh -c" takes a whole script as one argument.
			if strings.ContainsAny(item.Value, " \n") && !strings.HasPrefix(item.Value, "-") {
				out = append(out, shellWords(view)...)
			} else {
				out = append(out, word{view})
			}
		}
		return out
	}
	if n.Kind == yamltree.Scalar {
		return shellWords(n.View(f))
	}
	return nil
}

// shellWords splits a text as a shell does: quotes join, a backslash takes the next character as it is, comments end with their line, and operators
// and line ends stand for themselves as ";".
func shellWords(v *source.View) []word {
	var out []word
	data := v.Data
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '\\' && i+1 < len(data) && (data[i+1] == '\n' || data[i+1] == '\r'):
			i += 2
			continue
		case c == '#':
			for i < len(data) && data[i] != '\n' {
				i++
			}
			continue
		case c == '\n' || c == ';' || c == '|' || c == '&':
			w := source.NewView(v.File)
			w.AppendText(";", v.Offset(i))
			out = append(out, word{w})
			i++
			continue
		}
		var w word
		w, i = shellWord(v, i)
		out = append(out, w)
	}
	return out
}

func shellWord(v *source.View, i int) (word, int) {
	data := v.Data
	w := source.NewView(v.File)
	put := func(at int) { w.AppendText(string(data[at:at+1]), v.Offset(at)) }
	quote := byte(0)
	for ; i < len(data); i++ {
		c := data[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote != '\'' && c == '\\' && i+1 < len(data):
			i++
			if data[i] != '\n' {
				put(i)
			}
		case quote == 0 && strings.IndexByte(" \t\r\n;|&", c) >= 0:
			return word{w}, i
		default:
			put(i)
		}
	}
	return word{w}, i
}

// roles are the first arguments of the official image's entrypoint with the process that each starts.
var roles = map[string]string{
	"jobmanager": "jobmanager", "job-manager": "jobmanager", "standalone-job": "jobmanager", "taskmanager": "taskmanager", "task-manager": "taskmanager",
	"job-cluster": "jobmanager", "history-server": "historyserver", "native-k8s": "jobmanager", "kubernetes-jobmanager.sh": "jobmanager", "kubernetes-taskmanager.sh": "taskmanager",
	"jobmanager.sh": "jobmanager", "taskmanager.sh": "taskmanager", "standalone-job.sh": "jobmanager",
}

// role is the process that a command line starts, or "".
func role(ws []word) string {
	for _, w := range ws {
		text := w.text()
		if r, ok := roles[text[strings.LastIndexByte(text, '/')+1:]]; ok {
			return r
		}
	}
	return ""
}

// dynamicProperties are the -D and -yD arguments for Flink in a command line. What follows a jar or Python file belongs to the program, and
// JVM properties of the logging are no options of Flink's.
func dynamicProperties(ws []word, layer string) []conf.Entry {
	var out []conf.Entry
	program := false
	for i := 0; i < len(ws); i++ {
		text := ws[i].text()
		if text == ";" {
			program = false
			continue
		}
		if low := strings.ToLower(text); strings.HasSuffix(low, ".jar") && !strings.HasPrefix(text, "-") || strings.HasSuffix(low, ".py") {
			program = true
		}
		if program {
			continue
		}
		view := ws[i].view
		switch {
		case text == "-D" || text == "-yD":
			if i++; i >= len(ws) {
				return out
			}
			view = ws[i].view
		case strings.HasPrefix(text, "-yD"):
			view = view.Slice(3, len(view.Data))
		case strings.HasPrefix(text, "-D"):
			view = view.Slice(2, len(view.Data))
		default:
			continue
		}
		if e, ok := argument(view, layer); ok {
			out = append(out, e)
		}
	}
	return out
}

// argument reads key=value; a key without value means true.
func argument(v *source.View, layer string) (conf.Entry, bool) {
	e, ok := conf.ParseArgument("-D" + string(v.Data))
	if !ok || strings.HasPrefix(e.Key, "log4j") || strings.HasPrefix(e.Key, "logback") || strings.HasPrefix(e.Key, "java.") ||
		!strings.Contains(e.Key, ".") && !knownKey(e.Key) || strings.ContainsAny(e.Key, " \t\n") || conf.IsPlaceholder(e.Key) {
		return e, false
	}
	sep := strings.IndexByte(string(v.Data), '=')
	if sep < 0 {
		sep = len(v.Data)
	}
	e.KeySpan, e.ValueSpan = v.Span(0, sep), v.Span(min(sep+1, len(v.Data)), len(v.Data))
	if e.ValueSpan.Start >= e.ValueSpan.End {
		e.ValueSpan = e.KeySpan
	}
	e.Layer = layer
	return e, true
}

// knownKey tells whether some version of Flink reads the key; it may be one that newer ones call otherwise.
func knownKey(key string) bool {
	for _, v := range []version.Version{version.Newest(), version.Of(1, 18), version.Oldest()} {
		if _, ok := option.Lookup(key, v); ok {
			return true
		}
	}
	return false
}
