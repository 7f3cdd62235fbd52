package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

// The parts of SARIF 2.1.0 that are written:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string      `json:"id"`
		Name             string      `json:"name"`
		ShortDescription sarifText   `json:"shortDescription"`
		FullDescription  sarifText   `json:"fullDescription"`
		Help             sarifText   `json:"help"`
		HelpURI          string      `json:"helpUri"`
		Default          sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Fixes        []sarifFix         `json:"fixes,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted *sarifText  `json:"insertedContent,omitempty"`
	}
)

var sarifLevels = map[lint.Severity]string{lint.Off: "none", lint.Hint: "note", lint.Warning: "warning", lint.Error: "error"}

// printSARIF prints the findings for code scanning.
func (l *lintCommand) printSARIF(out io.Writer, r *lintRun) error {
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0"}
	driver := sarifDriver{Name: "kstatus " + l.called, InformationURI: docsOf(l.called)}
	index := map[string]int{}
	for i, c := range r.options.Checks {
		title, rest, _ := strings.Cut(c.Doc, "\n")
		rest = strings.TrimSpace(rest)
		if rest == "" {
			rest = title
		}
		index[c.ID] = i
		driver.Rules = append(driver.Rules, sarifRule{ID: c.ID, Name: c.Name, ShortDescription: sarifText{title}, FullDescription: sarifText{rest},
			Help: sarifText{c.Doc}, HelpURI: checkDocs(c), Default: sarifConfig{sarifLevels[c.Weight(r.options.Profile)]}})
	}
	results := []sarifResult{}
	for _, f := range r.inOrder() {
		one := r.sarif(f.Finding, index[f.ID])
		one.Fixes = r.sarifFixes(f.Finding)
		results = append(results, one)
	}
	for _, f := range r.ignored {
		one := r.sarif(f.Finding, index[f.ID])
		one.Suppressions = []sarifSuppression{{Kind: "inSource", Justification: f.reason}}
		results = append(results, one)
	}
	log.Runs = []sarifRun{{Tool: sarifTool{driver}, Results: results}}
	encode := json.NewEncoder(escaping{out})
	encode.SetIndent("", "  ")
	return encode.Encode(log)
}

func (r *lintRun) sarif(f lint.Finding, rule int) sarifResult {
	text := f.Message
	if f.Repair != "" {
		text += ". Write: " + f.Repair
	}
	name := f.Name
	if len(f.Path) > 0 {
		name += "/" + f.Path.String()
	}
	at := sarifLocation{Logical: []sarifLogical{{name}}}
	if spot := r.spot(f); spot.Line > 0 && spot.File != "-" {
		at.Physical = &sarifPhysical{Artifact: sarifArtifact{uriOf(spot.File)}, Region: &sarifRegion{StartLine: spot.Line, StartColumn: spot.Column}}
	}
	// Lines move, names and fields stay.
	sum := sha256.Sum256([]byte(strings.Join([]string{f.ID, f.Name, f.Version, f.Path.String()}, "\x00")))
	return sarifResult{RuleID: f.ID, RuleIndex: rule, Level: sarifLevels[f.Severity], Message: sarifText{text}, Locations: []sarifLocation{at},
		Fingerprints: map[string]string{"kstatus/v1": hex.EncodeToString(sum[:16])}}
}

// sarifFixes returns the lines that a fix changes, if it is safe and can be made in the file.
func (r *lintRun) sarifFixes(f lint.Finding) []sarifFix {
	if f.Fix == nil || f.Fix.Unsafe || r.object(f.Object) == nil || r.spot(f).File == "-" {
		return nil
	}
	place := r.places[f.Object]
	file := r.files[place.file]
	after, err := file.parsed.Edit(place.object, f.Fix.Edits...)
	if err != nil {
		return nil
	}
	var all []sarifReplacement
	for _, h := range crd.Hunks(file.parsed.Text(), after.Text()) {
		one := sarifReplacement{Deleted: sarifRegion{StartLine: h.Line, StartColumn: 1, EndLine: h.Line + h.Removed, EndColumn: 1}}
		if h.Added != "" {
			one.Inserted = &sarifText{h.Added}
		}
		all = append(all, one)
	}
	text := f.Repair
	if f.Fix.Note != "" {
		text = strings.TrimSpace(text + " (" + f.Fix.Note + ")")
	}
	if text == "" {
		text = f.Message
	}
	return []sarifFix{{Description: sarifText{text}, Changes: []sarifChange{{Artifact: sarifArtifact{uriOf(file.name)}, Replacements: all}}}}
}

// uriOf returns a file as a relative reference.
func uriOf(file string) string {
	return strings.NewReplacer("%", "%25", " ", "%20", "#", "%23", "?", "%3F").Replace(relative(file))
}

func itoa(n int) string { return strconv.Itoa(n) }
