package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// The part of SARIF 2.1.0 that is written. Plain structs, because the packages there are either write byteOffset 0 into every region, which
// points at the wrong place, or link a schema validator that brings net/http.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool               sarifTool                `json:"tool"`
		OriginalURIBaseIDs map[string]sarifArtifact `json:"originalUriBaseIds"`
		ColumnKind         string                   `json:"columnKind"`
		Results            []sarifResult            `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name            string      `json:"name"`
		Version         string      `json:"version"`
		SemanticVersion string      `json:"semanticVersion,omitempty"`
		InformationURI  string      `json:"informationUri"`
		Rules           []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string             `json:"id"`
		ShortDescription     sarifText          `json:"shortDescription"`
		Help                 sarifText          `json:"help"`
		DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
		Properties           map[string]any     `json:"properties"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID              string             `json:"ruleId"`
		RuleIndex           int                `json:"ruleIndex"`
		Level               string             `json:"level"`
		Rank                float64            `json:"rank"`
		Message             sarifText          `json:"message"`
		Locations           []sarifLocation    `json:"locations"`
		RelatedLocations    []sarifLocation    `json:"relatedLocations,omitempty"`
		PartialFingerprints map[string]string  `json:"partialFingerprints"`
		Fixes               []sarifFix         `json:"fixes,omitempty"`
		Suppressions        []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifLocation struct {
		ID               *int          `json:"id,omitempty"`
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
		Message          *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI       string `json:"uri,omitempty"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description     sarifText     `json:"description"`
		ArtifactChanges []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		ArtifactLocation sarifArtifact      `json:"artifactLocation"`
		Replacements     []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion `json:"deletedRegion"`
		InsertedContent sarifText   `json:"insertedContent"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification,omitempty"`
	}
)

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	homepage    = "https://github.com/flinkadvise/flinkadvise"
	srcRoot     = "%SRCROOT%"
)

// SARIF writes the report as SARIF 2.1.0 for code scanning: stable fingerprints, fixes, suppressions, a rank from 0 to 100. A clean run has an empty
// list of results.
func SARIF(w io.Writer, r *Report) error {
	hide := newRedactor(r.Results)
	run := sarifRun{
		Tool:               sarifTool{sarifDriver{Name: "flinkadvise", Version: r.Tool, InformationURI: homepage, Rules: []sarifRule{}}},
		OriginalURIBaseIDs: map[string]sarifArtifact{srcRoot: {}},
		ColumnKind:         "unicodeCodePoints",
		Results:            []sarifResult{},
	}
	findings := flatten(r.Findings)
	var rules []*advisor.Rule
	for _, f := range findings {
		if !slices.ContainsFunc(rules, func(x *advisor.Rule) bool { return x.ID == f.Rule.ID }) {
			rules = append(rules, f.Rule)
		}
	}
	slices.SortFunc(rules, func(a, b *advisor.Rule) int { return cmp.Compare(a.ID, b.ID) })
	for _, rule := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: rule.ID, ShortDescription: sarifText{Text: Summary(rule)}, Help: sarifText{Text: Summary(rule), Markdown: rule.Doc},
			DefaultConfiguration: sarifConfiguration{sarifLevel(rule.Severity)},
			Properties:           map[string]any{"impact": rule.Impact.String(), "precision": precision(rule.Confidence), "tags": []string{"flink"}},
		})
	}
	for _, f := range findings {
		index := slices.IndexFunc(rules, func(x *advisor.Rule) bool { return x.ID == f.Rule.ID })
		run.Results = append(run.Results, sarifResultOf(f, index, hide))
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}); err != nil {
		return err
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// flatten lists findings with the ones folded under them, each after its cause.
func flatten(findings []*advisor.Finding) []*advisor.Finding {
	var out []*advisor.Finding
	for _, f := range findings {
		out = append(out, f)
		out = append(out, flatten(f.FollowOns)...)
	}
	return out
}

func sarifResultOf(f *advisor.Finding, ruleIndex int, hide redactor) sarifResult {
	message := hide.text(f.Message)
	for _, n := range f.Notes {
		message += "\n" + hide.text(n)
	}
	if f.Help != "" {
		message += "\nhelp: " + hide.text(f.Help)
	}
	out := sarifResult{
		RuleID: f.Rule.ID, RuleIndex: ruleIndex, Level: sarifLevel(f.Severity), Rank: sarifRank(f), Message: sarifText{Text: message},
		PartialFingerprints: map[string]string{"flinkadvise/v1": f.Fingerprint()},
	}
	for i, l := range f.Labels {
		if !l.Span.Valid() && i > 0 {
			continue
		}
		loc := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: artifact(cmp.Or(l.Span.Path(), f.Target)), Region: region(l.Span)}}
		if l.Text != "" {
			loc.Message = &sarifText{Text: hide.text(l.Text)}
		}
		if i == 0 {
			out.Locations = append(out.Locations, loc)
			continue
		}
		id := i
		loc.ID = &id
		out.RelatedLocations = append(out.RelatedLocations, loc)
	}
	out.Fixes = sarifFixes(f, hide)
	if f.Suppressed != nil {
		kind := "external"
		if f.Suppressed.Kind == "inline" {
			kind = "inSource"
		}
		out.Suppressions = []sarifSuppression{{kind, hide.text(f.Suppressed.Reason)}}
	}
	return out
}

// sarifFixes is one fix that makes all edits of the finding; none when an edit has no place in a file, or would print a secret: a masked one would be
// written into the file.
func sarifFixes(f *advisor.Finding, hide redactor) []sarifFix {
	if len(f.Edits) == 0 {
		return nil
	}
	fix := sarifFix{Description: sarifText{Text: hide.text(cmp.Or(f.Help, f.Message))}}
	for _, e := range f.Edits {
		if !e.Span.Valid() {
			return nil
		}
		span, text := e.Replacement()
		if strings.Contains(hide.line(text), mask) {
			return nil
		}
		i := slices.IndexFunc(fix.ArtifactChanges, func(c sarifChange) bool { return c.ArtifactLocation == artifact(e.Span.Path()) })
		if i < 0 {
			fix.ArtifactChanges = append(fix.ArtifactChanges, sarifChange{ArtifactLocation: artifact(e.Span.Path())})
			i = len(fix.ArtifactChanges) - 1
		}
		fix.ArtifactChanges[i].Replacements = append(fix.ArtifactChanges[i].Replacements, sarifReplacement{*region(span), sarifText{Text: text}})
	}
	return []sarifFix{fix}
}

func artifact(path string) sarifArtifact {
	if strings.HasPrefix(path, "/") {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: path}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: strings.TrimPrefix(path, "./")}).String(), URIBaseID: srcRoot}
}

func region(s source.Span) *sarifRegion {
	if !s.Valid() {
		return nil
	}
	return &sarifRegion{s.Line, s.Column, s.EndLine, s.EndColumn}
}

func sarifLevel(s advisor.Severity) string {
	switch s {
	case advisor.Error:
		return "error"
	case advisor.Warning:
		return "warning"
	}
	return "note"
}

func precision(c advisor.Confidence) string {
	switch c {
	case advisor.Certain:
		return "very-high"
	case advisor.Likely:
		return "high"
	}
	return "medium"
}

// sarifRank maps the order of findings to SARIF's scale: the eight impacts share 100 points evenly, confidence moves within a share.
func sarifRank(f *advisor.Finding) float64 {
	const share = 100.0 / 8
	const step = share / 3
	return 100 - float64(f.Impact-1)*share - float64(f.Confidence-1)*step
}
