package render

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Defects is a list of known defects to print.
type Defects struct {
	// Flink is the release that the list is for; unknown for a list over all releases.
	Flink version.Version
	List  []*defect.Defect
	// Hidden is how many were left out because only the owner of a job can know whether they are met.
	Hidden int
}

// bySeverity sorts the list, worst first, and leaves the order of the data within a severity.
func (d *Defects) bySeverity() []*defect.Defect {
	list := slices.Clone(d.List)
	slices.SortStableFunc(list, func(a, b *defect.Defect) int { return cmp.Compare(a.Severity, b.Severity) })
	return list
}

// Columns of the list: the id with its product, and the text, which is wrapped.
const (
	defectIDWidth   = 16
	defectTextWidth = 92
)

// DefectsText writes the list for people: a head with what is known of the release, then the defects, worst first.
func DefectsText(w io.Writer, d *Defects) error {
	var b bytes.Buffer
	defectsHead(&b, d)
	var last defect.Severity = -1
	for _, one := range d.bySeverity() {
		if one.Severity != last {
			last = one.Severity
			fmt.Fprintf(&b, "\n%s\n", last)
		}
		text := []string{one.Summary}
		if c := one.Condition(); c != "" {
			text = append(text, "met with: "+c)
		}
		text = append(text, repair(one, d.Flink))
		id := one.ID
		for _, t := range text {
			for _, line := range wrap(t, defectTextWidth) {
				fmt.Fprintf(&b, "  %-*s  %s\n", defectIDWidth, id, line)
				id = ""
			}
		}
	}
	if d.Hidden > 0 {
		fmt.Fprintf(&b, "\n%d more depend on what only the owner of a job can know; --all lists them too\n", d.Hidden)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func defectsHead(b *bytes.Buffer, d *Defects) {
	if !d.Flink.Known() {
		fmt.Fprintf(b, "%s, as known on %s\n", count(len(d.List), "known defect"), defect.KnownAsOf)
		return
	}
	fmt.Fprintf(b, "Flink %s: %s, as known on %s\n", d.Flink, count(len(d.List), "known defect"), defect.KnownAsOf)
	if vendor := defect.Vendor(d.Flink); vendor != "" {
		fmt.Fprintf(b, "%s is a vendor's build, which may carry repairs of later releases\n", vendor)
	}
	line, ok := defect.LineOf(d.Flink)
	if !ok {
		fmt.Fprintf(b, "the line %s is not known here\n", d.Flink.Line())
		return
	}
	if !d.Flink.HasPatch() {
		fmt.Fprintf(b, "without a patch level: defects of any release of the line\n")
	}
	mended := 0
	for _, one := range d.List {
		if one.Affects(line.Newest()) == defect.No {
			mended++
		}
	}
	if d.Flink.HasPatch() && d.Flink.Compare(line.Newest()) < 0 {
		fmt.Fprintf(b, "%s (%s), the newest release of the line, mends %d of them\n", line.Newest(), line.LastDate, mended)
	}
	if line.EndedBy.Known() {
		fmt.Fprintf(b, "the %s line has had no support since Flink %s came out\n", line.Minor, line.EndedBy)
	}
}

// repair says which release mends a defect, and how sure its range is.
func repair(d *defect.Defect, v version.Version) string {
	var parts []string
	if d.Product != defect.Flink || !v.Known() {
		product := ""
		if d.Product != defect.Flink {
			product = d.Product.String() + " "
		}
		parts = append(parts, fmt.Sprintf("came with %s%s", product, versions(d.Introduced)), "mended in "+cmp.Or(versions(d.Fixed), "no release"))
	} else {
		if d.Affects(v) == defect.Some {
			parts = append(parts, "in "+versions(d.AffectedReleases(v)))
		}
		if fixed, ok := d.FixedIn(v); ok {
			parts = append(parts, "mended in "+fixed.String())
		} else if fixed, ok := d.FixedAfter(v); ok {
			parts = append(parts, fmt.Sprintf("no release of the line mends it, %s does", fixed))
		} else {
			parts = append(parts, "no release mends it")
		}
	}
	if d.Certainty == defect.Inferred {
		parts = append(parts, "first release inferred")
	}
	return strings.Join(parts, "; ")
}

func versions(list []version.Version) string { return strings.Join(texts(list), ", ") }

// DefectsMarkdown writes the list as a Markdown table.
func DefectsMarkdown(w io.Writer, d *Defects) error {
	var b bytes.Buffer
	defectsHead(&b, d)
	b.WriteString("\n| defect | severity | what happens | met with | repair |\n| --- | --- | --- | --- | --- |\n")
	for _, one := range d.bySeverity() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", one.ID, one.Severity, cell(one.Summary), cell(one.Condition()), cell(repair(one, d.Flink)))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// DefectsJSON is the list for encoding/json.
func DefectsJSON(d *Defects) any {
	type editJSON struct {
		Key   string `json:"key"`
		Value string `json:"value,omitempty"`
		Unset bool   `json:"unset,omitempty"`
	}
	type signatureJSON struct {
		Kind    string   `json:"kind"`
		Message string   `json:"message,omitempty"`
		Frames  []string `json:"frames,omitempty"`
	}
	type defectJSON struct {
		ID         string          `json:"id"`
		Product    string          `json:"product"`
		Area       string          `json:"area"`
		Severity   string          `json:"severity"`
		Impact     string          `json:"impact"`
		Range      string          `json:"range"`
		Introduced []string        `json:"introduced"`
		Fixed      []string        `json:"fixed"`
		FixedIn    *string         `json:"fixedIn"`
		Summary    string          `json:"summary"`
		When       string          `json:"when"`
		Decidable  bool            `json:"decidable"`
		Workaround string          `json:"workaround"`
		Price      string          `json:"price"`
		Edits      []editJSON      `json:"edits"`
		Signatures []signatureJSON `json:"signatures"`
		Sources    string          `json:"sources"`
		Note       string          `json:"note"`
	}
	out := struct {
		Version   int          `json:"version"`
		Flink     *string      `json:"flink"`
		KnownAsOf string       `json:"knownAsOf"`
		Newest    *string      `json:"newest"`
		EndedBy   *string      `json:"endedBy"`
		Hidden    int          `json:"hidden"`
		Defects   []defectJSON `json:"defects"`
	}{Version: 1, KnownAsOf: defect.KnownAsOf, Hidden: d.Hidden, Defects: []defectJSON{}}
	if d.Flink.Known() {
		out.Flink = pointer(d.Flink)
		if line, ok := defect.LineOf(d.Flink); ok {
			out.Newest = pointer(line.Newest())
			if line.EndedBy.Known() {
				out.EndedBy = pointer(line.EndedBy)
			}
		}
	}
	for _, one := range d.bySeverity() {
		j := defectJSON{
			ID: one.ID, Product: one.Product.String(), Area: one.Area, Severity: one.Severity.String(), Impact: one.Impact, Range: one.Certainty.String(),
			Introduced: texts(one.Introduced), Fixed: texts(one.Fixed), Summary: one.Summary, When: one.When, Decidable: one.Decidable(),
			Workaround: one.Workaround, Price: one.Price, Edits: []editJSON{}, Signatures: []signatureJSON{}, Sources: one.Sources, Note: one.Note,
		}
		if fixed, ok := one.FixedIn(d.Flink); ok && d.Flink.Known() && one.Product == defect.Flink {
			j.FixedIn = pointer(fixed)
		}
		for _, e := range one.Edits {
			j.Edits = append(j.Edits, editJSON(e))
		}
		for _, s := range one.Signatures {
			j.Signatures = append(j.Signatures, signatureJSON{s.Kind(), s.Message, s.Frames})
		}
		out.Defects = append(out.Defects, j)
	}
	return out
}

func pointer(v version.Version) *string {
	s := v.String()
	return &s
}

func texts(list []version.Version) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.String()
	}
	return out
}
