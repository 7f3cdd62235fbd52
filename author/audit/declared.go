package audit

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Declaration describes what the controller of a kind reports. Rules that
// have to guess without a declaration mention it in their Doc.
type Declaration struct {
	Group      string                 `json:"group"`
	Kind       string                 `json:"kind"`
	Manager    string                 `json:"manager,omitempty"` // the manager of the status; empty: the most frequent writer of the status
	Spec       []string               `json:"spec,omitempty"`    // the paths of the spec that the controller writes, such as ".spec.providerID"
	Conditions []ConditionDeclaration `json:"conditions"`

	WhilePaused []string `json:"whilePaused,omitempty"` // paths that may be written during a pause; an asterisk matches any text
}

// A ConditionDeclaration describes a condition.
type ConditionDeclaration struct {
	Type     string   `json:"type"`
	Negative bool     `json:"negative,omitempty"` // True is bad.
	Optional bool     `json:"optional,omitempty"` // the condition may be missing.
	Summary  bool     `json:"summary,omitempty"`  // the condition summarizes the others.
	Aside    bool     `json:"aside,omitempty"`    // the summary does not include the condition.
	Owner    string   `json:"owner,omitempty"`    // the only manager that writes the condition.
	Reasons  []string `json:"reasons,omitempty"`  // the allowed reasons; empty: any.
	Terminal []string `json:"terminal,omitempty"` // the reasons that only a change of the spec ends.
}

// ParseDeclarations parses a JSON list of [Declaration].
func ParseDeclarations(data []byte) ([]Declaration, error) {
	var all []Declaration
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		return nil, fmt.Errorf("audit: declared conditions: %w", err)
	}
	for i, of := range all {
		if of.Kind == "" {
			return nil, fmt.Errorf("audit: declared conditions: item %d: want a kind, have none", i+1)
		}
		seen := map[string]bool{}
		for _, c := range of.Conditions {
			if c.Type == "" || seen[c.Type] {
				return nil, fmt.Errorf("audit: declared conditions: %s: want a unique type, have %q", of.Kind, c.Type)
			}
			seen[c.Type] = true
		}
	}
	return all, nil
}

// Declaration returns the declaration for the object's kind; nil if there is
// none.
func (p *Pass) Declaration() *Declaration {
	for i := range p.auditor.options.Declarations {
		if d := &p.auditor.options.Declarations[i]; d.Group == p.New.ID.Group && d.Kind == p.New.ID.Kind.Kind {
			return d
		}
	}
	return nil
}

// Condition returns the declaration of the condition type; nil if there is
// none.
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
