// Package celrule judges objects by rules that users write: expressions of the
// Common Expression Language under the names that Flux gives them in
// healthCheckExprs, so that an expression that works there works here unchanged.
//
// A [Rule] comes from a file ([Parse]), from the annotation kstatus.dev/rule of
// the CustomResourceDefinition of a kind, or from the same annotation of an
// object. A [Set] knows which of them judges an object, and its Choose is for
// [status.Evaluator.Choose]. docs/rules-by-users.md tells users all of it.
//
// What differs from plain CEL is there so that a rule never says Current of an
// object that nobody has looked at yet:
//
//   - The questions of package status about deletion, generation and the standard
//     conditions come before every rule.
//   - A path that does not exist, an index beyond the end of a list, and all() over
//     nothing make an expression that depends on them not match; they are no errors,
//     and no negation turns them into a match.
//   - Any other error is the verdict InProgress with the reason RuleError.
//   - What one evaluation may cost is limited, by a count of steps, so that the same
//     object always gets the same verdict.
//
// read.go makes rules of YAML, compile.go expressions of texts, evaluate.go values
// of expressions, judge.go verdicts of values; set.go chooses between rules.
package celrule
