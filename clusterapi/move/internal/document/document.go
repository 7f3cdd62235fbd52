// Package document has the document of a move: what its journal contains. Others may have written
// it, so it is data that a move must not trust.
package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/move/internal/endpoint"
	"kstatus.dev/clusterapi/move/internal/journal"
	"kstatus.dev/clusterapi/move/internal/plancheck"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/text"
)

// Version is the version of the format.
const Version = 1

// A Document is the content of the journal. It has no values of objects: what is moved is in the
// clusters, and is read again. P is the type of its phases.
type Document[P ~string] struct {
	Version int         `json:"version"`
	ID      string      `json:"id"`
	Phase   P           `json:"phase"`
	Step    int         `json:"step"`
	Began   time.Time   `json:"began"`
	Saved   time.Time   `json:"saved"`
	Source  endpoint.ID `json:"source"`
	Target  endpoint.ID `json:"target"`

	Accept []string           `json:"accept,omitempty"`
	Status []schema.GroupKind `json:"status,omitempty"`
	Strict bool               `json:"strict,omitempty"`
	Window time.Duration      `json:"window,omitempty"`

	Plan *plan.Plan `json:"plan"`
	// Adopted are the UIDs of originals whose copy existed before with the same content.
	Adopted []string `json:"adopted,omitempty"`
	// Namespaces are those that the move has created in the target.
	Namespaces []string `json:"namespaces,omitempty"`
	// Failure is why the move has stopped.
	Failure string `json:"failure,omitempty"`
}

// Decode decodes what a store contains, and checks all that can be checked without a cluster.
// checkPhase returns an error for an unknown phase.
func Decode[P ~string](store journal.Store, data []byte, checkPhase func(P) error) (*Document[P], error) {
	d := &Document[P]{}
	switch err := json.Unmarshal(data, d); {
	case err != nil:
		return nil, Suspect(store, errors.New(text.Line(err.Error())))
	case d.Version != Version:
		return nil, fmt.Errorf("%s: its version is %d; want %d, or another release of kstatus", store.Origin(), d.Version, Version)
	case d.ID == "" || d.Plan == nil:
		return nil, Suspect(store, errors.New("the ID or the plan is missing"))
	}
	if err := d.check(checkPhase); err != nil {
		return nil, Suspect(store, err)
	}
	return d, nil
}

// Suspect returns the error of a journal that a move must not follow.
func Suspect(store journal.Store, err error) error {
	return fmt.Errorf("%s: %w; it is damaged, or somebody has changed it: remove it, and go on with another copy of the journal", store.Origin(), err)
}

func (d *Document[P]) check(checkPhase func(P) error) error {
	if err := guard.CheckName("move", d.ID); err != nil {
		return err
	}
	if err := checkPhase(d.Phase); err != nil {
		return err
	}
	if d.Step < 0 || d.Step >= max(1, d.Plan.Steps) {
		return fmt.Errorf("step is %d, want a number from 0 to %d", d.Step, max(1, d.Plan.Steps)-1)
	}
	if d.Window < 0 {
		return fmt.Errorf("window is %s, want a positive duration", d.Window)
	}
	return plancheck.Plan(d.Plan)
}
