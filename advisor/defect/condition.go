package defect

// A Condition is a parsed condition over options and facts, for other data than that of this package. The language is that of parse.go.
type Condition struct{ x expr }

// ParseCondition reads a condition, which may use the conditions that the data of this package names (RDB, UC, HA …). The error tells the column.
func ParseCondition(text string) (Condition, error) {
	macros, err := load().macros()
	if err != nil {
		return Condition{}, err
	}
	x, err := parseCondition(text, macros)
	return Condition{x}, err
}

// An Evaluator evaluates conditions over one context and remembers the options that it read.
type Evaluator struct{ scope scope }

// NewEvaluator makes an evaluator for c.
func NewEvaluator(c *Context) *Evaluator {
	return &Evaluator{scope{Context: c, read: map[string]value{}}}
}

// Eval is the truth of a condition, with what decided it. The zero Condition is never true.
func (e *Evaluator) Eval(c Condition) Verdict {
	if c.x == nil {
		return Verdict{}
	}
	return c.x.eval(&e.scope)
}

// Matches tells whether a key follows a pattern of the language: "*" stands for one segment, a last "**" for any rest.
func Matches(pattern, key string) bool { return matches(pattern, key) }
