// Package ruletest lets tests delay the evaluation of rules, like an endless
// expression.
package ruletest

import "sync/atomic"

var hook atomic.Pointer[func(object map[string]any)]

// Before sets a function that every evaluation of a rule calls first, with the
// fields that the rule reads. Nil removes it.
func Before(f func(object map[string]any)) {
	if f == nil {
		hook.Store(nil)
		return
	}
	hook.Store(&f)
}

// Evaluate calls the function, if one is set.
func Evaluate(object map[string]any) {
	if f := hook.Load(); f != nil {
		(*f)(object)
	}
}
