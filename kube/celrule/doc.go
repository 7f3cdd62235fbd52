// Package celrule computes the status of objects by rules of users.
//
// A rule consists of expressions of the Common Expression Language under the
// names of Flux's healthCheckExprs. An expression that works there works here
// unchanged.
//
// A [Rule] comes from a file ([Parse]) or from the annotation kstatus.dev/rule
// of a CustomResourceDefinition. If ObjectRules of the [Set] is set, it may
// also come from that annotation of an object. A [Set] selects the rule of an
// object; its SelectRule is a hook of status.Evaluator. The guide for users is
// docs/guides/write-rules.md.
//
// A rule never reports Current for an object that no controller has reconciled
// yet. Therefore it differs from plain CEL:
//
//   - Package status checks deletion, generation and the standard conditions
//     before every rule.
//   - An expression over missing data does not match, and no negation turns
//     it into a match. Missing are a path that does not exist, an index beyond
//     the end of a list, and the items of an empty list in all().
//   - Any other error results in InProgress with the reason RuleError.
//   - The number of steps of an evaluation is limited, so that the same
//     object always has the same result. Texts of more than 64 KiB are an
//     error. An evaluation that still takes longer than half a second is
//     abandoned.
//
// The file read.go parses YAML into rules, and package expression compiles and
// evaluates their expressions. The file judge.go computes a status from the
// values, and watchdog.go abandons evaluations that take too long. The file
// set.go selects rules.
package celrule
