// Package testutil compares values, builds objects and makes folders in tests.
package testutil

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
)

// An Asserter compares values with the same options each time.
type Asserter struct {
	Options cmp.Options
}

// NewAsserter returns an Asserter with the options.
func NewAsserter(opts ...cmp.Option) *Asserter { return &Asserter{Options: opts} }

// DefaultAsserter compares errors with their method Is. Assigning to it changes nothing for
// programs that import cli-utils.
var DefaultAsserter = NewAsserter(cmpopts.EquateErrors())

// EqualMatcher returns a matcher for Gomega with the options of a.
func (a *Asserter) EqualMatcher(expected interface{}) *EqualMatcher {
	return &EqualMatcher{Expected: expected, Options: a.Options}
}

// Equal fails the test, and shows a difference, if the values are not equal.
func (a *Asserter) Equal(t *testing.T, expected, actual interface{}, msgAndArgs ...interface{}) {
	t.Helper()
	m := a.EqualMatcher(expected)
	if match, err := m.Match(actual); err != nil {
		t.Errorf("compare values: %v", err)
	} else if !match {
		assert.Fail(t, m.FailureMessage(actual), msgAndArgs...)
	}
}

// NotEqual fails the test if the values are equal.
func (a *Asserter) NotEqual(t *testing.T, expected, actual interface{}, msgAndArgs ...interface{}) {
	t.Helper()
	m := a.EqualMatcher(expected)
	if match, err := m.Match(actual); err != nil {
		t.Errorf("compare values: %v", err)
	} else if match {
		assert.Fail(t, m.NegatedFailureMessage(actual), msgAndArgs...)
	}
}

// AssertEqual is [Asserter.Equal] of the DefaultAsserter.
func AssertEqual(t *testing.T, expected, actual interface{}, msgAndArgs ...interface{}) {
	t.Helper()
	DefaultAsserter.Equal(t, expected, actual, msgAndArgs...)
}

// AssertNotEqual is [Asserter.NotEqual] of the DefaultAsserter.
func AssertNotEqual(t *testing.T, expected, actual interface{}, msgAndArgs ...interface{}) {
	t.Helper()
	DefaultAsserter.NotEqual(t, expected, actual, msgAndArgs...)
}
