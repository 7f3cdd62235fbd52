// Package lint finds what makes the objects of a CustomResourceDefinition hard
// to judge from outside, and says how to repair it.
//
// [Run] looks at a [Bundle], which is all that is installed together, and
// returns findings in a fixed order. [Repair] applies what of them has a fix,
// until nothing more is found. [ToolVerdicts] tells what kubectl wait, kstatus, Helm,
// Flux and others make of objects of a kind. The package reads decoded objects,
// never files, and imports nothing but the standard library: package kube/crd
// reads YAML with its lines, edits it in place and validates schemas the way the
// API server does.
//
// checks.go is the table of the checks, check_*.go holds one check each, and
// testdata its bad and its good case; package linttest holds them to these and
// writes docs/checks.md from them, also for tables of checks elsewhere. tool_*.go
// holds what one tool makes of a kind's status each.
//
// The fixes of the creation race are the ones to think about: a default of -1 for
// observedGeneration, which race_fix.go explains. It is safe for stored data, and
// asks something of controllers, which [Fix] says.
package lint
