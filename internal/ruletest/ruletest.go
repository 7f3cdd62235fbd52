// Package ruletest lets tests hold up the evaluation of rules, as an expression would that
// takes for ever.
package ruletest

import "sync/atomic"

var hook atomic.Pointer[func(object map[string]any)]

// Before has every evaluation of a rule call a function first, with the fields of the object
// that the rule reads. Nil ends that.
func Before(f func(object map[string]any)) {
	if f == nil {
		hook.Store(nil)
		return
	}
	hook.Store(&f)
}

// Evaluate calls the function that is set, if there is one.
func Evaluate(object map[string]any) {
	if f := hook.Load(); f != nil {
		(*f)(object)
	}
}
