package defect

import (
	"fmt"
	"strings"
)

// The language of conditions. A condition says over options and facts when a defect can be met:
//
//	execution.checkpointing.unaligned.enabled == true     an option, by today's name, with the value that this version reads
//	execution.checkpointing.interval < 10s                booleans, numbers, sizes, durations, enum constants and text
//	state.backend.type in [rocksdb, forst]                one of several; text and constants compare without regard to case
//	high-availability.storageDir startsWith gs:           text only
//	set(web.submit.enable)                                the key is written down, under any of its names
//	set(metrics.reporter.*.port)                          "*" stands for one segment, a last "**" for any rest
//	bare(metrics.reporter.**)                             a key that YAML reads as a number or a boolean
//	quoted(env.log.max)                                   a key whose value is written in quotes
//	job.api == sql, java >= 17, upgrade.from < 1.13.2     facts, see factList
//	sink[kind == kafka and guarantee == exactly-once]     some source, sink, window, vertex or edge of the job
//	"the job uses partitionCustom"                        a circumstance: what neither options nor facts can say
//	UC                                                    a condition that the data names with "let"
//	always, not X, X and Y, X or Y, (X)
//
// "not" binds closer than "and", and "and" closer than "or". Logic has three values: a fact that is not known and every circumstance
// are unknown. An option that the version does not have, or that has neither value nor default, equals nothing: comparisons are false.

// maxDepth bounds the nesting of a condition; the deepest of the data has five levels.
const maxDepth = 40

// An expr is a parsed condition.
type expr interface {
	eval(s *scope) Verdict
}

// The nodes of conditions.
type (
	always       struct{}
	circumstance string
	negation     struct{ x expr }
	conjunction  []expr
	disjunction  []expr
	// presence is set(), bare() or quoted() of a key or pattern of keys.
	presence struct {
		how     string
		pattern string
	}
	// comparison compares an option, a fact or the field of an element with one or, for "in", several literals.
	comparison struct {
		name     string
		operator string
		literals []string
	}
	// some is true when one element of a collection of the job fulfils the condition.
	some struct {
		collection string
		x          expr
	}
)

// parseCondition reads a condition. macros are the named conditions that it may use.
func parseCondition(text string, macros map[string]expr) (expr, error) {
	p := &parser{text: text, macros: macros}
	p.next()
	x, err := p.or(0)
	if err != nil {
		return nil, err
	}
	if p.token != "" || p.broken != nil {
		return nil, p.unexpected("the end")
	}
	return x, nil
}

type parser struct {
	text   string
	at     int
	macros map[string]expr
	// token is the current token, "" at the end. A quoted text keeps its opening quote, so that it cannot be taken for a word.
	token string
	// broken is set by a text without closing quote or by a character outside the language.
	broken error
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.$*:/%+-", c) >= 0
}

func (p *parser) next() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
	p.token = ""
	if p.at == len(p.text) || p.broken != nil {
		return
	}
	rest := p.text[p.at:]
	n := 1
	switch c := rest[0]; {
	case c == '"':
		end := strings.IndexByte(rest[1:], '"')
		if end < 0 {
			p.broken = fmt.Errorf("column %d: a text without closing quote", p.at+1)
			return
		}
		p.token = rest[:end+1]
		p.at += end + 2
		return
	case isWord(c):
		for n < len(rest) && isWord(rest[n]) {
			n++
		}
	case strings.IndexByte("=!<>", c) >= 0:
		if n < len(rest) && rest[n] == '=' {
			n++
		}
	case strings.IndexByte("()[],", c) < 0:
		p.broken = fmt.Errorf("column %d: unexpected character %q", p.at+1, c)
		return
	}
	p.token = rest[:n]
	p.at += n
}

func (p *parser) unexpected(want string) error {
	if p.broken != nil {
		return p.broken
	}
	if p.token == "" {
		return fmt.Errorf("the condition ends where %s is expected", want)
	}
	return fmt.Errorf("column %d: %s where %s is expected", p.at-len(p.token)+1, strings.TrimPrefix(p.token, `"`), want)
}

func (p *parser) expect(token string) error {
	if p.token != token {
		return p.unexpected(token)
	}
	p.next()
	return nil
}

func (p *parser) or(depth int) (expr, error) {
	parts, err := p.list("or", depth, p.and)
	if err != nil || len(parts) == 1 {
		return first(parts), err
	}
	return disjunction(parts), nil
}

func (p *parser) and(depth int) (expr, error) {
	parts, err := p.list("and", depth, p.factor)
	if err != nil || len(parts) == 1 {
		return first(parts), err
	}
	return conjunction(parts), nil
}

func first(parts []expr) expr {
	if len(parts) == 0 {
		return nil
	}
	return parts[0]
}

func (p *parser) list(word string, depth int, part func(int) (expr, error)) ([]expr, error) {
	var parts []expr
	for {
		x, err := part(depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, x)
		if p.token != word {
			return parts, nil
		}
		p.next()
	}
}

func (p *parser) factor(depth int) (expr, error) {
	if depth++; depth > maxDepth {
		return nil, fmt.Errorf("the condition is nested deeper than %d levels", maxDepth)
	}
	token := p.token
	if text, ok := strings.CutPrefix(token, `"`); ok {
		p.next()
		if text == "" {
			return nil, fmt.Errorf("a circumstance without words")
		}
		return circumstance(text), nil
	}
	if token == "" || !isWord(token[0]) && token != "(" {
		return nil, p.unexpected("a condition")
	}
	p.next()
	switch token {
	case "(":
		x, err := p.or(depth)
		if err != nil {
			return nil, err
		}
		return x, p.expect(")")
	case "not":
		x, err := p.factor(depth)
		if err != nil {
			return nil, err
		}
		return negation{x}, nil
	case "always":
		return always{}, nil
	case "set", "bare", "quoted":
		if err := p.expect("("); err != nil {
			return nil, err
		}
		pattern, err := p.word("a key")
		if err != nil {
			return nil, err
		}
		return presence{token, pattern}, p.expect(")")
	}
	if x, ok := p.macros[token]; ok {
		return x, nil
	}
	if p.token == "[" {
		p.next()
		x, err := p.or(depth)
		if err != nil {
			return nil, err
		}
		return some{token, x}, p.expect("]")
	}
	return p.comparison(token)
}

// word takes a token that is a word or a quoted text and gives it without its quote.
func (p *parser) word(want string) (string, error) {
	token := p.token
	if token == "" || token[0] != '"' && !isWord(token[0]) {
		return "", p.unexpected(want)
	}
	p.next()
	return strings.TrimPrefix(token, `"`), nil
}

func (p *parser) comparison(name string) (expr, error) {
	c := comparison{name: name, operator: p.token}
	switch c.operator {
	case "==", "!=", "<", "<=", ">", ">=", "startsWith":
		p.next()
		literal, err := p.word("a value")
		c.literals = []string{literal}
		return c, err
	case "in":
		p.next()
		if err := p.expect("["); err != nil {
			return nil, err
		}
		for {
			literal, err := p.word("a value")
			if err != nil {
				return nil, err
			}
			c.literals = append(c.literals, literal)
			if p.token != "," {
				return c, p.expect("]")
			}
			p.next()
		}
	}
	return nil, p.unexpected("a comparison of " + name)
}
