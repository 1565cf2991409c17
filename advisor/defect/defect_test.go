package defect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// entries are the decoded data; a fault of the data fails the test.
func entries(t testing.TB) []*Defect {
	t.Helper()
	c, err := decode(defectsText)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.defects) < 250 {
		t.Fatalf("%d entries", len(c.defects))
	}
	return c.defects
}

// Every entry is complete, ordered by area, and unique for its product.
func TestEntriesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	lastArea := 0
	for _, d := range entries(t) {
		name := fmt.Sprintf("%s of %s", d.ID, d.Product)
		if seen[name] {
			t.Errorf("%s stands twice", name)
		}
		seen[name] = true
		for field, value := range map[string]string{"area": d.Area, "impact": d.Impact, "summary": d.Summary, "when": d.When, "source": d.Sources} {
			if value == "" {
				t.Errorf("%s has no %s", name, field)
			}
		}
		if len(d.Introduced) == 0 {
			t.Errorf("%s is introduced nowhere", name)
		}
		if area := slices.Index(Areas, d.Area); area < lastArea {
			t.Errorf("%s stands after a later area", name)
		} else {
			lastArea = area
		}
		for _, text := range []string{d.Summary, d.Workaround, d.Price} {
			if strings.HasSuffix(text, ".") {
				t.Errorf("%s: %q ends with a full stop; such texts become parts of messages", name, text)
			}
		}
		if (d.Workaround == "") != (d.Price == "") || len(d.Edits) > 0 && d.Workaround == "" {
			t.Errorf("%s: a workaround has a price, and edits belong to a workaround", name)
		}
		for _, s := range d.Signatures {
			if len(s.Frames) == 0 && len(s.Message) < 12 {
				t.Errorf("%s: %q alone is too short to mean anything", name, s.Message)
			}
		}
	}
}

// affectedLines are the minor lines in which a Flink defect can be met.
func affectedLines(d *Defect) []version.Version {
	var out []version.Version
	for _, line := range version.Minors {
		if len(d.AffectedReleases(line)) > 0 {
			out = append(out, line)
		}
	}
	return out
}

// Every condition parses, has the right types in every affected line, and names only options that one of these lines has.
func TestConditionsTypeCheck(t *testing.T) {
	for _, d := range entries(t) {
		x, err := d.condition()
		if err != nil {
			t.Errorf("%s: %v", d.ID, err)
			continue
		}
		lines := affectedLines(d)
		if d.Product != Flink {
			lines = []version.Version{version.Newest()}
		}
		if len(lines) == 0 {
			t.Errorf("%s affects no known line", d.ID)
		}
		missing, illegal := map[string]int{}, map[string]int{}
		for _, line := range lines {
			m, errs := check(x, line, nil)
			for _, key := range slices.Compact(slices.Sorted(slices.Values(m))) {
				missing[key]++
			}
			for _, err := range errs {
				if errors.Is(err, errNotLegal) {
					illegal[err.Error()]++
					continue
				}
				t.Errorf("%s, Flink %s: %v", d.ID, line, err)
			}
		}
		// A constant that came with a later line equals nothing before it.
		for text, n := range illegal {
			if n == len(lines) {
				t.Errorf("%s: %s", d.ID, text)
			}
		}
		for key, n := range missing {
			if n == len(lines) && !optionalKeys[key] {
				t.Errorf("%s: no affected line has %s", d.ID, key)
			}
		}
	}
}

// optionalKeys are keys that conditions may name where no affected line has them.
var optionalKeys = map[string]bool{
	// BATCH asks for it next to job.type; it came with 1.12.
	"execution.runtime-mode": true,
	// Read by the start scripts long before an option of Flink's classes declared them.
	"env.java.home": true,
	"env.log.level": true,
}

// Every edit names an option of an affected line and a value of its type.
func TestEditsTypeCheck(t *testing.T) {
	for _, d := range entries(t) {
		lines := affectedLines(d)
		if d.Product != Flink {
			lines = []version.Version{version.Newest()}
		}
		for _, e := range d.Edits {
			known := false
			for _, line := range lines {
				o, ok := optionAt(e.Key, line)
				if !ok {
					continue
				}
				known = true
				if e.Unset {
					continue
				}
				if err := checkLiteral("==", e.Value, o.Kind, o.Values); err != nil {
					t.Errorf("%s, Flink %s: %s = %s: %v", d.ID, line, e.Key, e.Value, err)
				}
			}
			if !known {
				t.Errorf("%s: no affected line has %s", d.ID, e.Key)
			}
		}
	}
}

func TestDecodeNamesTheLine(t *testing.T) {
	cases := map[string]string{
		"let A = always\n":                                `line 1: let NAME "words" = condition is expected`,
		"# comment\n\nproduct: flink\n":                   `line 3: a block of "field: text" lines begins with id`,
		"id: X-1\nproduct: spark\n":                       `line 2: X-1: "spark" is not one of flink, operator, kafka-connector`,
		"id: X-1\nintroduced: 1.10\n":                     "line 2: X-1: 1.10 has no patch level",
		"id: X-1\nsign: \"open\n":                         `line 2: X-1: a message without closing quote or without text: "open`,
		"id: X-1\nedit: key value\n":                      `line 2: X-1: "key value" is neither "key = value" nor "unset key"`,
		"id: X-1\ncolour: red\n":                          `line 2: X-1: "colour" is no field`,
		"id: X-1\nsign: a b < c\n":                        `line 2: X-1: "a b" is not Class.method`,
		"id: X-1\narea: kitchen\n":                        `line 2: X-1: "kitchen" is no area`,
		"id: X-1\nsign: \"message\" at Frame.method\n":    `line 2: X-1: " at Frame.method" where " in " and frames are expected`,
		"id: X-1\nproduct: flink\nlet A \"a\" = always\n": `line 3: a block of "field: text" lines begins with id`,
	}
	for text, want := range cases {
		if _, err := decode(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
