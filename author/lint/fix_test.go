package lint_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

// rejectingValidator is a validator that rejects definitions with a text in them.
type rejectingValidator struct {
	schemas
	text string
}

func (r rejectingValidator) Validate(crd map[string]any) []lint.Problem {
	data, err := json.Marshal(crd)
	if err != nil || strings.Contains(string(data), r.text) {
		return []lint.Problem{{Path: lint.Path{"spec"}, Message: "no " + r.text}}
	}
	return nil
}

func TestApplyFixes(t *testing.T) {
	crd := patchedVersion(t, map[string]any{"default": nil, "properties": map[string]any{
		"observedGeneration": map[string]any{"default": nil}, "conditions": map[string]any{"maxItems": nil}}}).CRD.Raw
	b := lint.Bundle{Objects: []map[string]any{crd}}
	for _, c := range []struct {
		it      string
		schemas lint.Validator
		want    []string // the checks whose fixes are applied
		fails   string   // the checks in the error
	}{
		{"makes all fixes where nobody can be asked", nil, []string{"creation-race", "conditions-max-items"}, ""},
		{"makes all fixes that are accepted", rejectingValidator{text: "nothing of the kind"}, []string{"creation-race", "conditions-max-items"}, ""},
		{"leaves out one that is refused, and makes the other", rejectingValidator{text: `"maxItems":32`}, []string{"creation-race"}, "conditions-max-items"},
		{"makes fixes of a definition that is refused already", rejectingValidator{text: "lamps"}, []string{"creation-race", "conditions-max-items"}, ""},
	} {
		t.Run(c.it, func(t *testing.T) {
			m, err := lint.ApplyFixes(b, 0, false, lint.Options{Validator: c.schemas})
			var made []string
			for _, f := range m.Findings {
				made = append(made, f.Check)
			}
			if !slices.Equal(made, c.want) {
				t.Errorf("made %v, want %v", made, c.want)
			}
			var failed *lint.FixError
			switch {
			case c.fails == "" && err != nil:
				t.Errorf("%v", err)
			case c.fails != "" && (!errors.As(err, &failed) || failed.Finding.Check != c.fails || !strings.Contains(err.Error(), "refuse")):
				t.Errorf("error %v, want one about %s", err, c.fails)
			}
		})
	}
}

func TestFindingsAsJSON(t *testing.T) {
	data, err := json.Marshal(lint.Finding{Severity: severity.Warning, Path: lint.Path{"spec", 0}})
	if err != nil || !strings.Contains(string(data), `"severity":"warning"`) || !strings.Contains(string(data), `"path":"spec[0]"`) {
		t.Errorf("a finding is written as %s, error %v", data, err)
	}
}
