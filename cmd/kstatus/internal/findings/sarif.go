package findings

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/cmd/kstatus/internal/sarif"
	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// docsOfCommand returns the URL of the page about the checks of a command.
func docsOfCommand(command string) string {
	return "https://kstatus.dev/docs/reference/commands#kstatus-" + strings.ReplaceAll(command, " ", "-")
}

// docsOfCheck returns the URL of the section about a check.
func docsOfCheck(c *lint.Check) string {
	if slices.Contains(lint.Checks, c) {
		return "https://kstatus.dev/docs/reference/checks#" + strings.ToLower(c.ID) + "-" + c.Name
	}
	return "https://kstatus.dev/docs/reference/checks-capi#" + c.Name
}

// printSARIF prints the findings as SARIF, for code scanning.
func (r *Run) printSARIF(out io.Writer) error {
	driver := sarif.Driver{Name: "kstatus " + r.Form.CommandName, InformationURI: docsOfCommand(r.Form.CommandName)}
	index := map[string]int{}
	for i, c := range r.Options.Checks {
		title, rest, _ := strings.Cut(c.Doc, "\n")
		rest = strings.TrimSpace(rest)
		if rest == "" {
			rest = title
		}
		index[c.ID] = i
		driver.Rules = append(driver.Rules, sarif.Rule{ID: c.ID, Name: c.Name, ShortDescription: sarif.Text{Text: title}, FullDescription: sarif.Text{Text: rest},
			Help: sarif.Text{Text: c.Doc}, HelpURI: docsOfCheck(c), Default: sarif.Config{Level: severityForms[c.SeverityIn(r.Options.Profile)].sarif}})
	}
	results := []sarif.Result{}
	for _, f := range r.sorted() {
		one := r.sarifResult(f.Finding, index[f.ID])
		one.Fixes = r.sarifFixes(f.Finding)
		results = append(results, one)
	}
	for _, f := range r.ignored {
		one := r.sarifResult(f.Finding, index[f.ID])
		one.Suppressions = []sarif.Suppression{{Kind: "inSource", Justification: f.reason}}
		results = append(results, one)
	}
	encode := json.NewEncoder(terminal.EscapingWriter{Writer: out})
	encode.SetIndent("", "  ")
	return encode.Encode(sarif.NewLog(driver, results))
}

// sarifResult returns a finding as a SARIF result. rule is the index of its rule.
func (r *Run) sarifResult(f lint.Finding, rule int) sarif.Result {
	text := f.Message
	if f.Suggestion != "" {
		text += ". Write: " + f.Suggestion
	}
	name := f.Name
	if len(f.Path) > 0 {
		name += "/" + f.Path.String()
	}
	location := sarif.Location{Logical: []sarif.Logical{{FullyQualifiedName: name}}}
	if at := r.position(f); at.Line > 0 && at.File != "-" {
		location.Physical = &sarif.Physical{Artifact: artifactOf(at.File), Region: &sarif.Region{StartLine: at.Line, StartColumn: at.Column}}
	}
	// The fingerprint has names and fields but no lines, since lines move.
	sum := sha256.Sum256([]byte(strings.Join([]string{f.ID, f.Name, f.Version, f.Path.String()}, "\x00")))
	return sarif.Result{RuleID: f.ID, RuleIndex: rule, Level: severityForms[f.Severity].sarif, Message: sarif.Text{Text: text},
		Locations: []sarif.Location{location}, Fingerprints: map[string]string{"kstatus/v1": hex.EncodeToString(sum[:16])}}
}

// sarifFixes returns the changed lines of a fix, if the fix is safe and possible in the file.
func (r *Run) sarifFixes(f lint.Finding) []sarif.Fix {
	if FixabilityOf(f) != FixSafely || r.object(f.Object) == nil || r.position(f).File == "-" {
		return nil
	}
	hunks, err := r.object(f.Object).Hunks(f.Fix.Edits...)
	if err != nil {
		return nil
	}
	file := r.Files[r.Places[f.Object].File]
	var all []sarif.Replacement
	for _, h := range hunks {
		one := sarif.Replacement{Deleted: sarif.Region{StartLine: h.Line, StartColumn: 1, EndLine: h.Line + h.Removed, EndColumn: 1}}
		if h.Added != "" {
			one.Inserted = &sarif.Text{Text: h.Added}
		}
		all = append(all, one)
	}
	text := f.Suggestion
	if f.Fix.Note != "" {
		text = strings.TrimSpace(text + " (" + f.Fix.Note + ")")
	}
	if text == "" {
		text = f.Message
	}
	return []sarif.Fix{{Description: sarif.Text{Text: text}, Changes: []sarif.Change{{Artifact: artifactOf(file.Name), Replacements: all}}}}
}

// artifactOf returns a file as a SARIF artifact with a relative URI.
func artifactOf(file string) sarif.Artifact {
	escape := strings.NewReplacer("%", "%25", " ", "%20", "#", "%23", "?", "%3F")
	return sarif.Artifact{URI: escape.Replace(RelativePath(file))}
}
