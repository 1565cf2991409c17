package diagnose

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
)

//go:embed signatures.txt
var signaturesText string

// A Kind says what a signature is in the course of events.
type Kind int

// Kinds.
const (
	// Cause explains a failure.
	Cause Kind = iota + 1
	// Symptom is how a failure shows, without saying what it comes from.
	Symptom
	// Consequence is what another failure brought about.
	Consequence
)

var kindNames = []string{"", "cause", "symptom", "consequence"}

// String is the kind's name in the data and in JSON.
func (k Kind) String() string { return kindNames[k] }

// A Signature is something that logs say, and what it means.
type Signature struct {
	// ID is its stable name: that of signatures.txt, or that of a defect.
	ID   string
	Part string
	Kind Kind
	// Rule is the id of the rule that reports it.
	Rule     string
	Severity advisor.Severity
	Impact   advisor.Impact
	// Says is the finding, with {name} for what the log filled in; Notes and Help go with it.
	Says  string
	Notes []string
	Help  string
	// Keys are the options concerned, by today's names; After names signatures and rules that bring this one about.
	Keys, After []string
	// Passes is a text that says, later in the same log, that the trouble is over; "" where there is none.
	Passes string
	Source string
	// Defects are the known defects that leave this trace; empty for the signatures of signatures.txt.
	Defects []*defect.Defect

	patterns []pattern
}

// pattern is one way in which a signature shows: a text, frames, or a text above frames.
type pattern struct {
	signature *Signature
	// parts are the literal texts of a message in order; names[i] is what stands between parts[i] and parts[i+1] or behind the last: "" for the end, "*" for any
	// text, else the name of a word.
	parts []string
	names []string
	// frames are neighbouring frames, the called one first, each "Class.method(" or "Class." for any method.
	frames []string
}

// anchor is the literal text that must be on the line where the pattern is found: the outermost of its frames, so that all of the others are above it, or the
// longest part of its message.
func (p *pattern) anchor() string {
	if n := len(p.frames); n > 0 {
		return p.frames[n-1]
	}
	return slices.MaxFunc(p.parts, func(a, b string) int { return len(a) - len(b) })
}

// Strong tells whether the pattern can hardly be there by chance: neighbouring frames, each with its method.
func (p *pattern) strong() bool {
	return len(p.frames) > 1 && !slices.ContainsFunc(p.frames, func(f string) bool { return strings.HasSuffix(f, ".") })
}

// message matches a text and gives the words that the pattern names, and the text as far as it is the pattern's.
func (p *pattern) message(text string) (words map[string]string, shown string, ok bool) {
	var b strings.Builder
	for i, part := range p.parts {
		at := strings.Index(text, part)
		if i > 0 && p.names[i-1] != "*" {
			word := wordAt(text)
			if words == nil {
				words = map[string]string{}
			}
			if !strings.HasPrefix(text[len(word):], part) {
				return nil, "", false
			}
			words[p.names[i-1]] = word
			b.WriteString(word)
			at = len(word)
		} else if i > 0 {
			b.WriteString("...")
		}
		if at < 0 {
			return nil, "", false
		}
		b.WriteString(part)
		text = text[at+len(part):]
	}
	if last := p.names[len(p.parts)-1]; last != "" && last != "*" {
		if words == nil {
			words = map[string]string{}
		}
		words[last] = wordAt(text)
		b.WriteString(words[last])
	}
	return words, b.String(), true
}

// maxWord bounds what is taken out of a line: a number, a class name, a host with its port.
const maxWord = 100

// wordAt is the word that text begins with: letters, digits and the signs of class names, option keys, host names and numbers.
func wordAt(text string) string {
	i := 0
	for i < len(text) && i < maxWord && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z' || text[i] >= '0' && text[i] <= '9' || strings.IndexByte("._-:$", text[i]) >= 0) {
		i++
	}
	return strings.TrimRight(text[:i], ".:")
}

// Signatures lists every signature that is recognised: those of signatures.txt in its order, then those of known defects in the order of theirs.
//
// The data is decoded on the first call. A fault in it is a fault of this package, which its tests exclude.
func Signatures() []*Signature { return load().signatures }

// SignatureByID finds a signature.
func SignatureByID(id string) (*Signature, bool) {
	i := slices.IndexFunc(Signatures(), func(s *Signature) bool { return s.ID == id })
	if i < 0 {
		return nil, false
	}
	return Signatures()[i], true
}

type catalog struct {
	signatures []*Signature
	err        error
	filter     *filter
}

var load = sync.OnceValue(func() catalog {
	var c catalog
	c.signatures, c.err = decode(signaturesText)
	c.signatures = append(c.signatures, ofDefects()...)
	var patterns []*pattern
	for _, s := range c.signatures {
		for i := range s.patterns {
			s.patterns[i].signature = s
			patterns = append(patterns, &s.patterns[i])
		}
	}
	texts := extracted
	for _, s := range c.signatures {
		if s.Passes != "" {
			texts = append(slices.Clone(texts), s.Passes)
		}
	}
	c.filter = newFilter(texts, patterns)
	return c
})

// decode reads the signatures, each a block of defect.Blocks.
func decode(text string) ([]*Signature, error) {
	var out []*Signature
	err := defect.Blocks(text, nil, func(begins bool, name, value string) error {
		if begins {
			out = append(out, &Signature{})
		}
		s := out[len(out)-1]
		if err := s.set(name, value); err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, s := range out {
		if s.ID == "" || s.Part == "" || s.Kind == 0 || s.Rule == "" || s.Severity == 0 || s.Impact == 0 || s.Says == "" || s.Help == "" || s.Source == "" || len(s.patterns) == 0 {
			return nil, fmt.Errorf("%s is not complete", s.ID)
		}
	}
	return out, nil
}

func (s *Signature) set(name, value string) (err error) {
	switch name {
	case "id":
		s.ID = value
	case "part":
		s.Part = value
	case "kind":
		if s.Kind = Kind(slices.Index(kindNames, value)); s.Kind < 1 {
			return fmt.Errorf("kind %q", value)
		}
	case "rule":
		s.Rule = value
	case "severity":
		s.Severity, err = advisor.ParseSeverity(value)
	case "impact":
		i := slices.Index(defect.Impacts, value)
		if i < 0 {
			return fmt.Errorf("impact %q", value)
		}
		s.Impact = advisor.WontStart + advisor.Impact(i)
	case "match":
		p := parseMessage(value)
		s.patterns = append(s.patterns, p)
	case "says":
		s.Says = value
	case "note":
		s.Notes = append(s.Notes, value)
	case "help":
		s.Help = value
	case "keys":
		s.Keys = strings.Fields(value)
	case "after":
		s.After = strings.Fields(value)
	case "passes":
		s.Passes = value
	case "source":
		s.Source = value
	default:
		return fmt.Errorf("there is no field %q", name)
	}
	return err
}

// parseMessage reads "text {word} text * text".
func parseMessage(text string) pattern {
	var p pattern
	for {
		i := strings.IndexAny(text, "{*")
		end := i + 1
		name := "*"
		if i >= 0 && text[i] == '{' {
			n := strings.IndexByte(text[i:], '}')
			name, end = text[i+1:i+n], i+n+1
		}
		if i < 0 {
			p.parts, p.names = append(p.parts, text), append(p.names, "")
			return p
		}
		p.parts, p.names = append(p.parts, text[:i]), append(p.names, name)
		if text = text[end:]; text == "" {
			return p
		}
	}
}

// ofDefects makes signatures of those of the known defects; defects that leave the same trace share one.
func ofDefects() []*Signature {
	var out []*Signature
	for _, d := range defect.All() {
		for _, trace := range d.Signatures {
			p := pattern{}
			if trace.Message != "" {
				p = parseMessage(trace.Message)
			}
			for _, f := range trace.Frames {
				p.frames = append(p.frames, frameAnchor(f))
			}
			if i := slices.IndexFunc(out, func(s *Signature) bool { return same(s.patterns[0], p) }); i >= 0 {
				out[i].Defects = append(out[i].Defects, d)
				continue
			}
			out = append(out, &Signature{
				ID: d.ID, Part: d.Area, Kind: Cause, Rule: KnownDefectRule, Severity: advisor.Error, Impact: advisor.Unstable,
				Says: "the trace of a known defect", Help: "see the defect", Source: d.Sources, Defects: []*defect.Defect{d}, patterns: []pattern{p},
			})
		}
	}
	return out
}

func same(a, b pattern) bool {
	return slices.Equal(a.parts, b.parts) && slices.Equal(a.frames, b.frames)
}

// frameAnchor is how a frame stands in a stack: "Class.method(", or "Class." where any method will do. A name with a small letter behind its last point is a
// method's.
func frameAnchor(frame string) string {
	if i := strings.LastIndexByte(frame, '.'); i >= 0 {
		return frame + "("
	}
	return frame + "."
}
