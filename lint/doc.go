// Package lint finds what makes the objects of a CustomResourceDefinition hard
// to judge from outside, and says how to repair it.
//
// [Run] looks at a [Bundle], which is all that is installed together, and
// returns findings in a fixed order. It reads decoded objects, never files, and
// imports nothing but the standard library: package kube/crd reads YAML with its
// lines, edits it in place and validates schemas the way the API server does.
//
// checks.go is the table of the checks, check_*.go holds one check each,
// tool_*.go what one tool makes of a kind's status each.
package lint
