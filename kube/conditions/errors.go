package conditions

import (
	"errors"
	"fmt"
)

var (
	// ErrReplaced says that the object has been deleted and made anew since
	// the pass began. Nothing was written to the new one.
	ErrReplaced = errors.New("the object was deleted and created anew")
	// ErrSuperseded says that another pass has already reported on a later
	// generation than this one has read. Nothing was written.
	ErrSuperseded = errors.New("a later generation has been reported on")
	// ErrTooLarge says that the status does not fit into an object, even with
	// all messages cut. Nothing was sent.
	ErrTooLarge = errors.New("the status is too large for an object")
)

// A MissingError says that a kind, or the Go type that stands for it, lacks
// what the kit writes to.
type MissingError struct {
	// Object is the kind and the name of the object.
	Object string
	// Field is what is missing, such as status.observedGeneration.
	Field string
	// Remedy says what its author can do.
	Remedy string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s: has no %s: %s", e.Object, e.Field, e.Remedy)
}

// An InvalidError says that a condition was stated against its declaration.
// The condition is then Unknown with the reason InvalidStatement, if it is one
// of ours at all.
type InvalidError struct {
	// Object is the kind and the name of the object.
	Object string
	// Type, Reason are what was stated.
	Type, Reason string
	// Problem says what is wrong with it.
	Problem string
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("%s: condition %s with reason %q: %s", e.Object, e.Type, e.Reason, e.Problem)
}
