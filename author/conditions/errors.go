package conditions

import (
	"errors"
	"fmt"
)

var (
	// ErrReplaced means that the object was deleted and created again since the pass
	// began. Nothing was written.
	ErrReplaced = errors.New("the object was deleted and created again")
	// ErrSuperseded means that another pass has reported on a later generation.
	// Nothing was written.
	ErrSuperseded = errors.New("another pass has already reported a later generation")
	// ErrOutdated means that others have written the object since the pass began, and that the
	// pass was to report or to end a pause. Nothing was written: what the later version says,
	// such as that the cloud still works for it, was not considered.
	ErrOutdated = errors.New("the object has changed since the pass began")
	// ErrTooLarge means that the status does not fit into an object, even with all
	// messages cut. Nothing was written.
	ErrTooLarge = errors.New("the status is too large for an object")
)

// A MissingError reports that a kind or its Go type lacks a field that commits
// write.
type MissingError struct {
	// Object is the kind and the name of the object.
	Object string
	// Field is the missing field, such as status.observedGeneration.
	Field string
	// Remedy is the advice for the author of the kind.
	Remedy string
}

// Error returns the object, the field and the remedy.
func (e *MissingError) Error() string {
	return fmt.Sprintf("%s: has no %s: %s", e.Object, e.Field, e.Remedy)
}

// An InvalidError reports that a condition was stated against its declaration.
// If this controller reports the type, the condition is Unknown with the reason
// InvalidStatement. Otherwise the statement has no effect.
type InvalidError struct {
	// Object is the kind and the name of the object.
	Object string
	// Type and Reason are those of the statement.
	Type, Reason string
	// Problem describes what is wrong with the statement.
	Problem string
}

// Error returns the object, the condition and the problem.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("%s: condition %s with reason %q: %s", e.Object, e.Type, e.Reason, e.Problem)
}
