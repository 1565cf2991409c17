package carrier

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	ignore "github.com/sabhiram/go-gitignore"

	"github.com/flinkadvise/flinkadvise/schema/conf"
)

// A Found is a file worth opening.
type Found struct {
	Path string
	// FlatBeside tells that a flink-conf.yaml lies beside this config.yaml (see conf.Options).
	FlatBeside bool
}

// FindOptions bound a search.
type FindOptions struct {
	// Include and Exclude are globs with "**", relative to the root of the search. A file that Include names is taken whatever it holds; with no
	// Include the content decides.
	Include, Exclude []string
	// NoIgnore looks at files that .gitignore leaves out.
	NoIgnore bool
}

// Find walks the directory root of a file system and gives the files that carry Flink configuration by name and content, in lexical order.
// Names alone do not decide: of the many files called config.yaml nearly none is Flink's. Directories of version control and of packages
// (.git, node_modules) are left out, and what .gitignore files from root downwards name.
func Find(fsys fs.FS, root string, o FindOptions) ([]Found, error) {
	for _, g := range append(o.Include[:len(o.Include):len(o.Include)], o.Exclude...) {
		if !doublestar.ValidatePattern(g) {
			return nil, fmt.Errorf("%q is not a glob", g)
		}
	}
	w := walker{fsys: fsys, root: root, options: o}
	err := fs.WalkDir(fsys, root, w.visit)
	return w.found, err
}

type walker struct {
	fsys    fs.FS
	root    string
	options FindOptions
	ignores []ignoreFile
	found   []Found
}

// An ignoreFile is the .gitignore of a directory.
type ignoreFile struct {
	dir   string
	rules *ignore.GitIgnore
}

func (w *walker) visit(p string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	rel := relative(w.root, p)
	if d.IsDir() {
		if name := d.Name(); p != w.root && (name == ".git" || name == "node_modules" || name == ".hg" || name == ".svn" || w.ignored(p, true) || w.excluded(rel)) {
			return fs.SkipDir
		}
		if !w.options.NoIgnore {
			if data, err := fs.ReadFile(w.fsys, path.Join(p, ".gitignore")); err == nil {
				w.ignores = append(w.ignores, ignoreFile{p, ignore.CompileIgnoreLines(strings.Split(string(data), "\n")...)})
			}
		}
		return nil
	}
	if !d.Type().IsRegular() || w.excluded(rel) || w.ignored(p, false) {
		return nil
	}
	if len(w.options.Include) > 0 {
		if matches(w.options.Include, rel) {
			w.add(p)
		}
		return nil
	}
	ok, err := w.carries(p, d)
	if err != nil {
		return fmt.Errorf("reading %s: %w", p, err)
	}
	if ok {
		w.add(p)
	}
	return nil
}

func (w *walker) add(p string) {
	f := Found{Path: p}
	if path.Base(p) == conf.YAMLName {
		_, err := fs.Stat(w.fsys, path.Join(path.Dir(p), conf.FlatName))
		f.FlatBeside = err == nil
	}
	w.found = append(w.found, f)
}

func relative(root, p string) string {
	if root == "." || root == "" {
		return p
	}
	return strings.TrimPrefix(strings.TrimPrefix(p, root), "/")
}

func matches(globs []string, rel string) bool {
	for _, g := range globs {
		if doublestar.MatchUnvalidated(g, rel) {
			return true
		}
	}
	return false
}

func (w *walker) excluded(rel string) bool { return matches(w.options.Exclude, rel) }

// ignored asks the .gitignore files of all directories above.
func (w *walker) ignored(p string, dir bool) bool {
	for _, f := range w.ignores {
		if f.dir != "." && f.dir != p && !strings.HasPrefix(p, f.dir+"/") {
			continue
		}
		rel := relative(f.dir, p)
		if f.rules.MatchesPath(rel) || dir && f.rules.MatchesPath(rel+"/") {
			return true
		}
	}
	return false
}

// sniffSize is how much of a file is looked at to see whether Flink is in it: a licence header and more.
const sniffSize = 256 << 10

// carries tells whether a file is worth opening.
func (w *walker) carries(p string, d fs.DirEntry) (bool, error) {
	name := strings.ToLower(d.Name())
	ext := path.Ext(name)
	flink := conf.IsFlinkName(name) && !strings.HasSuffix(name, ".sh") && ext != ".md" && ext != ".go" && ext != ".java"
	if !flink && ext != ".yaml" && ext != ".yml" && ext != ".json" && !strings.HasSuffix(name, ".yaml.j2") && !strings.HasSuffix(name, ".yml.j2") {
		return false, nil
	}
	info, err := d.Info()
	if err != nil || info.Size() == 0 || info.Size() > conf.MaxFileSize {
		return false, err
	}
	if flink {
		return true, nil
	}
	f, err := w.fsys.Open(p)
	if err != nil {
		return false, err
	}
	defer f.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(io.LimitReader(f, sniffSize))
	if err != nil {
		return false, err
	}
	if name == conf.YAMLName || name == "config.yml" {
		if LooksLikeFlink(data) {
			return true, nil
		}
	}
	return mentionsFlink(data), nil
}

// mentionsFlink tells whether a manifest, compose file or values file has something of Flink's that Open reads.
func mentionsFlink(data []byte) bool {
	for _, m := range []string{"kind: FlinkDeployment", "kind: FlinkSessionJob", "kind: FlinkCluster", "kind: FlinkApplication", "\"FlinkDeployment\"", "\"FlinkSessionJob\"",
		"\"FlinkApplication\"", "flinkConfiguration", "flinkProperties", propertiesVariable, "flink-conf.yaml:", "flink-conf.yaml\":", "\"flink-conf\""} {
		if bytes.Contains(data, []byte(m)) {
			return true
		}
	}
	// A ConfigMap with config.yaml, or a workload with -D arguments.
	return bytes.Contains(data, []byte("config.yaml:")) && bytes.Contains(data, []byte("taskmanager")) ||
		bytes.Contains(data, []byte("-D")) && bytes.Contains(data, []byte("flink")) && (bytes.Contains(data, []byte("taskmanager")) || bytes.Contains(data, []byte("jobmanager")))
}

// LooksLikeFlink tells whether a text of the form of config.yaml is Flink's: by the first segments of its keys.
func LooksLikeFlink(data []byte) bool {
	for line := range bytes.Lines(data) {
		if line[0] == '#' || line[0] == ' ' || line[0] == '\t' {
			continue // a comment, or nested: the roots decide
		}
		key := bytes.TrimLeft(line, "\"'")
		for _, root := range roots {
			if rest, ok := bytes.CutPrefix(key, []byte(root)); ok && len(rest) > 0 && (rest[0] == '.' || rest[0] == ':' || rest[0] == '"' || rest[0] == '\'') {
				return true
			}
		}
	}
	return false
}

// roots are first segments of keys that hardly any other program has.
var roots = []string{"jobmanager", "taskmanager", "parallelism", "execution.checkpointing", "state.backend", "state.checkpoints", "state.savepoints",
	"restart-strategy", "high-availability", "blob.server", "jobstore", "pekko.ask", "akka.ask", "env.java.opts", "kubernetes.operator", "sql-gateway",
	"classloader.resolve-order", "classloader.parent-first-patterns", "historyserver.archive", "queryable-state"}
