package defect

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed defects.txt
var defectsText string

// catalog is the decoded data.
type catalog struct {
	defects []*Defect
	// words are what stands for named conditions where one is shown.
	words map[string]string
	// macros are the named conditions, parsed on the first call.
	macros func() (map[string]expr, error)
}

// decode reads the data: Blocks, and lines `let NAME "words" = condition` between them.
func decode(text string) (catalog, error) {
	var c catalog
	var macros []macro
	c.macros = sync.OnceValues(func() (map[string]expr, error) { return parseMacros(macros) })
	err := Blocks(text, func(line string) (bool, error) {
		rest, ok := strings.CutPrefix(line, "let ")
		if !ok {
			return false, nil
		}
		name, rest, named := strings.Cut(rest, ` "`)
		words, condition, ok := strings.Cut(rest, `" = `)
		if !named || !ok {
			return true, errors.New("let NAME \"words\" = condition is expected")
		}
		macros = append(macros, macro{name, words, condition})
		return true, nil
	}, func(begins bool, name, value string) error {
		if begins {
			c.defects = append(c.defects, &Defect{ID: value})
			return nil
		}
		d := c.defects[len(c.defects)-1]
		if err := d.set(name, value); err != nil {
			return fmt.Errorf("%s: %w", d.ID, err)
		}
		return nil
	})
	if err != nil {
		return catalog{}, err
	}
	c.words = make(map[string]string, len(macros))
	for _, m := range macros {
		c.words[m.name] = m.words
	}
	for _, d := range c.defects {
		d.condition = sync.OnceValues(func() (expr, error) {
			m, err := c.macros()
			if err != nil {
				return nil, err
			}
			return parseCondition(d.When, m)
		})
	}
	return c, nil
}

// A macro is a named condition.
type macro struct{ name, words, condition string }

// parseMacros parses the named conditions in their order; each may use those before it.
func parseMacros(list []macro) (map[string]expr, error) {
	out := make(map[string]expr, len(list))
	for _, m := range list {
		x, err := parseCondition(m.condition, out)
		if err != nil {
			return nil, fmt.Errorf("let %s: %w", m.name, err)
		}
		out[m.name] = x
	}
	return out, nil
}

// set reads one field of a block.
func (d *Defect) set(name, value string) (err error) {
	switch name {
	case "product":
		d.Product, err = nameOf[Product](productNames, value)
	case "area":
		d.Area = value
		if !slices.Contains(Areas, value) {
			err = fmt.Errorf("%q is no area", value)
		}
	case "severity":
		d.Severity, err = nameOf[Severity](severityNames, value)
	case "impact":
		d.Impact = value
		if !slices.Contains(Impacts, value) {
			err = fmt.Errorf("%q is no impact", value)
		}
	case "range":
		d.Certainty, err = nameOf[Certainty](certaintyNames, value)
	case "introduced":
		d.Introduced, err = releases(value)
	case "fixed":
		if value != "open" {
			d.Fixed, err = releases(value)
		}
	case "summary":
		d.Summary = value
	case "when":
		d.When = value
	case "workaround":
		d.Workaround = value
	case "price":
		d.Price = value
	case "edit":
		var e Edit
		e, err = edit(value)
		d.Edits = append(d.Edits, e)
	case "sign":
		var s Signature
		s, err = signature(value)
		d.Signatures = append(d.Signatures, s)
	case "source":
		d.Sources = value
	case "note":
		d.Note = value
	default:
		err = fmt.Errorf("%q is no field", name)
	}
	return err
}

func nameOf[T ~int](names []string, value string) (T, error) {
	i := slices.Index(names, value)
	if i < 0 {
		return 0, fmt.Errorf("%q is not one of %s", value, strings.Join(names, ", "))
	}
	return T(i), nil
}

func releases(text string) ([]version.Version, error) {
	var out []version.Version
	for _, s := range strings.Fields(text) {
		v, err := version.Parse(s)
		if err != nil {
			return nil, err
		}
		if !v.HasPatch() {
			return nil, fmt.Errorf("%s has no patch level", s)
		}
		out = append(out, v)
	}
	return out, nil
}

// edit reads "key = value" or "unset key".
func edit(text string) (Edit, error) {
	if key, ok := strings.CutPrefix(text, "unset "); ok {
		return Edit{Key: key, Unset: true}, nil
	}
	key, value, ok := strings.Cut(text, " = ")
	if !ok {
		return Edit{}, fmt.Errorf("%q is neither \"key = value\" nor \"unset key\"", text)
	}
	return Edit{Key: key, Value: value}, nil
}

// signature reads `"message"`, `frame < frame` or `"message" in frame < frame`.
func signature(text string) (Signature, error) {
	var s Signature
	frames := text
	if rest, ok := strings.CutPrefix(text, `"`); ok {
		message, after, closed := strings.Cut(rest, `"`)
		if !closed || message == "" {
			return s, fmt.Errorf("a message without closing quote or without text: %s", text)
		}
		s.Message = message
		if after == "" {
			return s, nil
		}
		if frames, ok = strings.CutPrefix(after, " in "); !ok {
			return s, fmt.Errorf("%q where \" in \" and frames are expected", after)
		}
	}
	for _, f := range strings.Split(frames, " < ") {
		if f == "" || strings.ContainsAny(f, ` "`) {
			return s, fmt.Errorf("%q is not Class.method", f)
		}
		s.Frames = append(s.Frames, f)
	}
	return s, nil
}
