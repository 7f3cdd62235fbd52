package testutil

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// Equal returns a matcher for Gomega that compares with package cmp and the options of the
// DefaultAsserter.
func Equal(expected interface{}) *EqualMatcher { return DefaultAsserter.EqualMatcher(expected) }

// An EqualMatcher is a matcher for Gomega that compares with package cmp.
type EqualMatcher struct {
	Expected interface{}
	Options  cmp.Options

	difference string // found by Match
}

// Match reports whether actual equals Expected. The error is always nil.
func (cm *EqualMatcher) Match(actual interface{}) (bool, error) {
	if cmp.Equal(cm.Expected, actual, cm.Options...) {
		return true, nil
	}
	cm.difference = cmp.Diff(cm.Expected, actual, cm.Options...)
	return false, nil
}

// FailureMessage shows the values and their difference.
func (cm *EqualMatcher) FailureMessage(actual interface{}) string {
	return cm.message(actual, "to deeply equal")
}

// NegatedFailureMessage shows the values.
func (cm *EqualMatcher) NegatedFailureMessage(actual interface{}) string {
	return cm.message(actual, "not to deeply equal")
}

func (cm *EqualMatcher) message(actual any, relation string) string {
	return fmt.Sprintf("\nExpected\n%s\n%s\n%s\nDiff (- Expected, + Actual):\n%s",
		indent(fmt.Sprintf("<%T>: %+v", actual, actual)), relation,
		indent(fmt.Sprintf("<%T>: %+v", cm.Expected, cm.Expected)), indent(cm.difference))
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// EqualErrorType returns an error that matches each error of the type of err, for [Equal].
func EqualErrorType(err error) error { return equalErrorType{err} }

type equalErrorType struct{ err error }

func (e equalErrorType) Error() string { return fmt.Sprintf("EqualErrorType{Type: %T}", e.err) }

func (e equalErrorType) Is(err error) bool {
	return err != nil && reflect.TypeOf(e.err) == reflect.TypeOf(err)
}

func (e equalErrorType) Unwrap() error { return e.err }

// EqualErrorString returns an error that matches each error with the text, for [Equal].
func EqualErrorString(err string) error { return equalErrorString{err} }

type equalErrorString struct{ err string }

func (e equalErrorString) Error() string { return fmt.Sprintf("EqualErrorString{Error: %q}", e.err) }

func (e equalErrorString) Is(err error) bool { return err != nil && e.err == err.Error() }

// EqualError returns an error that matches each error with the type and the text of err, for
// [Equal].
func EqualError(err error) error { return equalError{err} }

type equalError struct{ err error }

func (e equalError) Error() string {
	return fmt.Sprintf("EqualError{Type: %T, Error: %q}", e.err, e.err)
}

func (e equalError) Is(err error) bool {
	return err != nil && reflect.TypeOf(e.err) == reflect.TypeOf(err) && e.err.Error() == err.Error()
}

func (e equalError) Unwrap() error { return e.err }
