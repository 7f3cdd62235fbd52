// Package expression compiles and evaluates the expressions of rules, in the
// Common Expression Language. Neither the rule nor the object is trusted. The
// cost of each step is counted before the step, and is limited.
//
// The file compile.go compiles expressions, and field_facts.go finds the names
// in them. The file evaluate.go computes their values, and meter.go counts
// steps. The file calls.go bounds CEL's functions. The files equal.go and
// text_calls.go reimplement functions that could take long in a single call.
package expression
