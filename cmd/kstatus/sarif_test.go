package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"kstatus.dev/cmd/kstatus/internal/sarif"
)

var sha128 = regexp.MustCompile(`^[0-9a-f]{32}$`)

// sarifCommand checks a file against the parts of SARIF 2.1.0 that kstatus writes. The file may
// have no unknown properties, and must have all required ones. Levels, regions and references
// must be valid.
func sarifCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sarif FILE")
	}
	var log sarif.Log
	decode := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	decode.DisallowUnknownFields()
	ts.Check(decode.Decode(&log))
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name == "" {
		ts.Fatalf("want one run of version 2.1.0 with the name of a tool, have %+v", log)
	}
	for _, r := range log.Runs[0].Tool.Driver.Rules {
		u, err := url.Parse(r.HelpURI)
		if err != nil || !u.IsAbs() || r.ID == "" || r.ShortDescription.Text == "" || r.FullDescription.Text == "" || r.Help.Text == "" {
			ts.Fatalf("rule %+v: want an id, descriptions and an address", r)
		}
		ts.Check(sarifLevel(r.Default.Level))
	}
	results := log.Runs[0].Results
	if len(results) == 0 {
		ts.Fatalf("want results")
	}
	fixes := 0
	seen := map[string]bool{}
	for _, r := range results {
		ts.Check(sarifLevel(r.Level))
		rules := log.Runs[0].Tool.Driver.Rules
		if r.RuleIndex < 0 || r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID || r.Message.Text == "" || len(r.Locations) != 1 {
			ts.Fatalf("result %+v: want the rule that it names, a text and a place", r)
		}
		if print := r.Fingerprints["kstatus/v1"]; !sha128.MatchString(print) || seen[print] {
			ts.Fatalf("result %+v: want a fingerprint of its own", r)
		}
		seen[r.Fingerprints["kstatus/v1"]] = true
		ts.Check(sarifPlace(r.Locations[0].Physical))
		for _, f := range r.Fixes {
			fixes++
			text := ts.ReadFile(f.Changes[0].Artifact.URI)
			if fixed := sarifApplied(text, f.Changes[0].Replacements); fixed == text || !strings.Contains(fixed, "kind: CustomResourceDefinition") {
				ts.Fatalf("the fix of %s makes %q", r.RuleID, fixed)
			}
		}
	}
	if fixes == 0 {
		ts.Fatalf("want a fix")
	}
}

func sarifLevel(level string) error {
	if !slices.Contains([]string{"none", "note", "warning", "error"}, level) {
		return fmt.Errorf("level %q is none of SARIF", level)
	}
	return nil
}

func sarifPlace(at *sarif.Physical) error {
	if at == nil || at.Region == nil || at.Region.StartLine < 1 || at.Region.StartColumn < 1 {
		return fmt.Errorf("place %+v: want a line and a column from 1", at)
	}
	if uri, err := url.Parse(at.Artifact.URI); err != nil || uri.IsAbs() || path.IsAbs(uri.Path) {
		return fmt.Errorf("place %q: want a relative reference", at.Artifact.URI)
	}
	return nil
}

// sarifApplied applies the replacements, from the last to the first. All of them replace whole
// lines.
func sarifApplied(text string, all []sarif.Replacement) string {
	lines := strings.SplitAfter(text, "\n")
	for _, r := range slices.Backward(all) {
		inserted := ""
		if r.Inserted != nil {
			inserted = r.Inserted.Text
		}
		lines = slices.Concat(lines[:r.Deleted.StartLine-1], []string{inserted}, lines[r.Deleted.EndLine-1:])
	}
	return strings.Join(lines, "")
}
