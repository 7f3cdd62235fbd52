// Package celrule computes the status of objects by rules that users write.
//
// A rule consists of expressions of the Common Expression Language under the names of
// Flux's healthCheckExprs. An expression that works there works here unchanged.
//
// A [Rule] comes from a file ([Parse]), from the annotation kstatus.dev/rule of the
// CustomResourceDefinition of a kind, or, where [Set.ObjectRules] is set, from the same
// annotation of an object. A [Set] selects the rule of an object; its SelectRule is a hook of status.Evaluator.
// docs/rules-by-users.md is the guide for users.
//
// A rule never reports Current for an object that no controller has reconciled yet.
// Therefore it differs from plain CEL:
//
//   - Package status checks deletion, generation and the standard conditions before
//     every rule.
//   - An expression does not match if it depends on a path that does not exist, on an
//     index beyond the end of a list, or on all() of an empty list. These are no errors,
//     and no negation turns them into a match.
//   - Any other error results in InProgress with the reason RuleError.
//   - The cost of an evaluation is limited by a count of steps, so that the same object
//     always has the same result. Texts of more than 64 KiB are an error. An evaluation that
//     takes longer than half a second nevertheless is not waited for.
//
// read.go parses YAML into rules, and package expression compiles and evaluates their
// expressions. judge.go computes a status from the values, and watchdog.go goes on without
// evaluations that take too long. set.go selects rules.
package celrule
