// Package expression compiles and evaluates the expressions of rules, in the Common Expression
// Language. The rule may come from anybody, and so may the object: whatever both are, the cost
// of an evaluation is counted before it arises, and is limited.
//
// compile.go compiles expressions, and field_facts.go finds out what they name. evaluate.go
// computes their values. meter.go counts steps. calls.go bounds the functions of CEL, of which
// equal.go and text_calls.go implement those that could take long in a single call.
package expression
