// Package conformance reads what Flink's own classes answered, so that the other packages can be compared with them.
//
// The vectors in testdata are written by the Java program in harness, which the script regenerate runs for every version; see the
// README. Nothing here knows Flink: it is the reader alone, and the comparisons are this package's tests.
package conformance

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// A Set is one area of vectors.
type Set struct {
	// Area is "memory", "values", "files" or "buffers".
	Area string
	// Seed made the generated inputs.
	Seed int64
	// Releases are the Flink versions that answered, oldest first.
	Releases []Release
	Vectors  []Vector
}

// A Release is a Flink version that answered, and the jars that it was, each with the first bytes of its SHA-256.
type Release struct {
	Version version.Version
	Jars    string
}

// A Vector is one input with the answers to it.
type Vector struct {
	// Line is where the input stands in the file, to find it again.
	Line  int
	Input []string
	// answers are the distinct outputs; of gives per release the place among them, or -1.
	answers [][]string
	of      []int
}

// Output is what the release at index i of Set.Releases answered; ok is false when the question does not apply to it.
func (v *Vector) Output(i int) (output []string, ok bool) {
	if v.of[i] < 0 {
		return nil, false
	}
	return v.answers[v.of[i]], true
}

// Open reads the vectors of an area from a folder of them.
func Open(folder, area string) (*Set, error) {
	f, err := os.Open(filepath.Join(folder, area+".tsv.gz"))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	zip, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	set, err := Read(zip)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return set, nil
}

// Read reads the text form: header lines with "#", inputs with "+", and below each input its outputs with the releases that gave them.
func Read(r io.Reader) (*Set, error) {
	set := &Set{}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		if err := set.line(n, in.Text()); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return set, in.Err()
}

func (s *Set) line(n int, line string) error {
	if input, ok := strings.CutPrefix(line, "+"); ok {
		f, err := fields(input)
		if err != nil {
			return err
		}
		v := Vector{Line: n, Input: f, of: make([]int, len(s.Releases))}
		for i := range v.of {
			v.of[i] = -1
		}
		s.Vectors = append(s.Vectors, v)
		return nil
	}
	if header, ok := strings.CutPrefix(line, "#"); ok {
		return s.header(strings.Split(header, "\t"))
	}
	ranges, output, ok := strings.Cut(line, "\t")
	if !ok || len(s.Vectors) == 0 {
		return fmt.Errorf("%q is neither input nor output", line)
	}
	f, err := fields(output)
	if err != nil {
		return err
	}
	v := &s.Vectors[len(s.Vectors)-1]
	v.answers = append(v.answers, f)
	for r := range strings.SplitSeq(ranges, ",") {
		from, to, found := strings.Cut(r, "-")
		if !found {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first < 0 || last >= len(v.of) {
			return fmt.Errorf("%q is no range of releases", r)
		}
		for i := first; i <= last; i++ {
			v.of[i] = len(v.answers) - 1
		}
	}
	return nil
}

// headerFields is how many fields each kind of header line has; others say nothing that is read.
var headerFields = map[string]int{"area": 2, "seed": 2, "version": 3}

func (s *Set) header(f []string) (err error) {
	if want := headerFields[f[0]]; len(f) < want {
		return fmt.Errorf("the header %q needs %d fields", f[0], want)
	}
	switch f[0] {
	case "area":
		s.Area = f[1]
	case "seed":
		s.Seed, err = strconv.ParseInt(f[1], 10, 64)
	case "version":
		v, err := version.Parse(f[1])
		if err != nil {
			return err
		}
		s.Releases = append(s.Releases, Release{v, f[2]})
	}
	return err
}

// fields splits a line and takes the quotes off those fields that need them.
func fields(line string) ([]string, error) {
	f := strings.Split(line, "\t")
	for i, s := range f {
		if !strings.HasPrefix(s, `"`) {
			continue
		}
		text, err := strconv.Unquote(s)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", s, err)
		}
		f[i] = text
	}
	return f, nil
}
