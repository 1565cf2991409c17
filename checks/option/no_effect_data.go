package option

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

//go:embed no-effect.txt
var noEffectText string

// An inert is one entry of no-effect.txt: options that Flink does not read while a condition holds.
type inert struct {
	id string
	// keys are patterns of the options' newest names; except are exceptions from them.
	keys, except []string
	// condition is the text of the condition; always tells that there is none.
	condition string
	always    bool
	// from and until bound the minor lines that the entry speaks of; unknown is no bound.
	from, until version.Version
	// why completes the sentence "… has no effect: "; help is what to do; source is the class that would read the options.
	why, help, source string
	// overridden tells that the condition's option says the same thing and goes before; where the two agree, nothing is wrong.
	overridden bool
	confidence advisor.Confidence
	// fires and silent are examples, "VERSION | key: value; key: value | facts of job.yaml".
	fires, silent string

	when func() (defect.Condition, error)
}

// ineffective is the decoded data. A fault in it is a fault of this package, which its tests exclude; the list is then empty.
var ineffective = sync.OnceValue(func() []*inert {
	list, err := decodeInert(noEffectText)
	if err != nil {
		return nil
	}
	return list
})

// decodeInert reads the entries, each a block of defect.Blocks.
func decodeInert(text string) ([]*inert, error) {
	var list []*inert
	err := defect.Blocks(text, nil, func(begins bool, name, value string) error {
		if begins {
			list = append(list, &inert{id: value, confidence: advisor.Certain, help: "remove what has no effect, or what stands in its way"})
			return nil
		}
		x := list[len(list)-1]
		if err := x.set(name, value); err != nil {
			return fmt.Errorf("%s: %w", x.id, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, x := range list {
		x.always = x.condition == "always"
		x.when = sync.OnceValues(func() (defect.Condition, error) { return defect.ParseCondition(x.condition) })
	}
	return list, nil
}

func (x *inert) set(name, value string) (err error) {
	switch name {
	case "keys":
		x.keys = strings.Split(value, ", ")
	case "except":
		x.except = strings.Split(value, ", ")
	case "when":
		x.condition = value
	case "from":
		x.from, err = version.Parse(value)
	case "until":
		x.until, err = version.Parse(value)
	case "why":
		x.why = value
	case "help":
		x.help = value
	case "source":
		x.source = value
	case "overridden":
		x.overridden = value == "yes"
	case "confidence":
		x.confidence, err = advisor.ParseConfidence(value)
	case "fires":
		x.fires = value
	case "silent":
		x.silent = value
	default:
		err = fmt.Errorf("%q is no field", name)
	}
	return err
}
