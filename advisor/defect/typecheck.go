package defect

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/conf"
	"github.com/flinkadvise/flinkadvise/schema/option"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// errNotLegal: a constant is none of the option's.
var errNotLegal = errors.New("not a legal value")

// kindUnknown is the kind of what has no type.
const kindUnknown option.Kind = -2

// Check types the condition against the catalogue of one minor line. missing lists the options that the line does not have; errs are type errors. It is
// for the tests of data that holds conditions.
func (c Condition) Check(line version.Version) (missing []string, errs []error) {
	return check(c.x, line, nil)
}

// check does the same for an expression; fields are those of the element that a predicate looks at, nil outside of predicates.
func check(x expr, line version.Version, fields map[string]option.Kind) (missing []string, errs []error) {
	each := func(parts []expr) {
		for _, p := range parts {
			m, e := check(p, line, fields)
			missing, errs = append(missing, m...), append(errs, e...)
		}
	}
	switch x := x.(type) {
	case always, circumstance:
	case negation:
		each([]expr{x.x})
	case conjunction:
		each(x)
	case disjunction:
		each(x)
	case presence:
		if fields != nil {
			errs = append(errs, fmt.Errorf("%s() does not look at elements", x.how))
		}
		if !strings.Contains(x.pattern, "*") {
			if _, ok := optionAt(x.pattern, line); !ok {
				missing = append(missing, x.pattern)
			}
		}
	case some:
		i := slices.IndexFunc(collectionList, func(c collection) bool { return c.name == x.collection })
		if i < 0 || fields != nil {
			return nil, []error{fmt.Errorf("no collection %s here", x.collection)}
		}
		return check(x.x, line, collectionList[i].fields)
	case comparison:
		kind, values, known := typeOf(x.name, line, fields)
		if !known {
			if fields != nil {
				return nil, []error{fmt.Errorf("no field %s", x.name)}
			}
			return []string{x.name}, nil
		}
		for _, l := range x.literals {
			if err := checkLiteral(x.operator, l, kind, values); err != nil {
				errs = append(errs, fmt.Errorf("%s %s %s: %w", x.name, x.operator, l, err))
			}
		}
	}
	return missing, errs
}

func typeOf(name string, line version.Version, fields map[string]option.Kind) (kind option.Kind, values []string, known bool) {
	if fields != nil {
		kind, known = fields[name]
		return kind, nil, known
	}
	for _, f := range factList {
		if f.name == name {
			return f.kind, factValues(name), true
		}
	}
	o, ok := optionAt(name, line)
	if !ok {
		return kindUnknown, nil, false
	}
	return o.Kind, o.Values, true
}

func optionAt(key string, line version.Version) (*option.Option, bool) {
	return (&conf.Effective{Version: line}).Option(key)
}

// factValues are the legal values of facts that have a closed list.
func factValues(name string) []string {
	switch name {
	case "deployment.target":
		return []string{"kubernetes-native", "kubernetes-operator", "yarn", "standalone", "docker", "managed"}
	case "deployment.mode":
		return []string{"application", "session", "per-job"}
	case "job.api":
		return []string{"sql", "datastream", "python"}
	case "job.type":
		return []string{"streaming", "batch"}
	}
	return nil
}

func checkLiteral(operator, literal string, kind option.Kind, values []string) error {
	o, err := operandOf(literal, kind)
	if err != nil {
		return err
	}
	switch operator {
	case "<", "<=", ">", ">=":
		if !o.numeric {
			return fmt.Errorf("not a number")
		}
	case "startsWith":
		if kind != option.String {
			return fmt.Errorf("not a text")
		}
	}
	if len(values) > 0 {
		if _, ok := quantity.MatchEnum(literal, values); !ok {
			return errNotLegal
		}
	}
	return nil
}
