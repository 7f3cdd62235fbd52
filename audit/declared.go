package audit

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Declaration says what the controller of a kind reports. Rules that have to
// guess without one say so in their Doc.
type Declaration struct {
	Group      string                 `json:"group"`
	Kind       string                 `json:"kind"`
	Manager    string                 `json:"manager,omitempty"` // who keeps the status; empty: whoever writes most of it
	Spec       []string               `json:"spec,omitempty"`    // the paths of the spec that the controller itself writes, such as ".spec.providerID"
	Conditions []ConditionDeclaration `json:"conditions"`

	WhilePaused []string `json:"whilePaused,omitempty"` // paths that may be written during a pause, with asterisks for any text
}

// A ConditionDeclaration says what a condition means.
type ConditionDeclaration struct {
	Type     string   `json:"type"`
	Negative bool     `json:"negative,omitempty"` // True is bad
	Optional bool     `json:"optional,omitempty"` // it may be absent
	Summary  bool     `json:"summary,omitempty"`  // it sums the others up
	Aside    bool     `json:"aside,omitempty"`    // the summary does not rest on it
	Owner    string   `json:"owner,omitempty"`    // the manager that alone writes it
	Reasons  []string `json:"reasons,omitempty"`  // the only ones allowed; empty: any
	Terminal []string `json:"terminal,omitempty"` // the reasons that nothing but a change of the spec ends
}

// ParseDeclarations reads the JSON of a list of [Declaration].
func ParseDeclarations(data []byte) ([]Declaration, error) {
	var all []Declaration
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		return nil, fmt.Errorf("audit: declared conditions: %w", err)
	}
	for i, of := range all {
		if of.Kind == "" {
			return nil, fmt.Errorf("audit: declared conditions: item %d: want a kind", i+1)
		}
		seen := map[string]bool{}
		for _, c := range of.Conditions {
			if c.Type == "" || seen[c.Type] {
				return nil, fmt.Errorf("audit: declared conditions: %s: want a type that no other condition has, have %q", of.Kind, c.Type)
			}
			seen[c.Type] = true
		}
	}
	return all, nil
}

// Declaration returns what is declared of the object's kind; nil if nothing is.
func (p *Pass) Declaration() *Declaration {
	for i := range p.auditor.options.Declarations {
		if d := &p.auditor.options.Declarations[i]; d.Group == p.New.ID.Group && d.Kind == p.New.ID.Kind {
			return d
		}
	}
	return nil
}

// Condition returns what is declared of a type; nil if nothing is.
func (d *Declaration) Condition(conditionType string) *ConditionDeclaration {
	if d != nil {
		for i := range d.Conditions {
			if d.Conditions[i].Type == conditionType {
				return &d.Conditions[i]
			}
		}
	}
	return nil
}
