// Package lint finds what makes the objects of a CustomResourceDefinition hard to judge
// from outside, and fixes it.
//
// [Run] runs checks on a [Bundle], which is everything that is installed together, and
// returns findings in a fixed order. [ApplyFixes] applies their fixes until no finding
// with a fix is left. [ToolVerdicts] computes what kubectl wait, cli-utils, Helm, Flux and
// other tools conclude from objects of a kind. The package takes decoded objects, not
// files, and imports only the standard library. Package kube/crd reads YAML with its line
// numbers, edits it in place, and validates schemas as the API server does.
//
// A [Check] of your own is a struct literal that runs beside those of [Checks].
//
// checks.go is the table of the checks. Each check_*.go has one check, and testdata its bad
// and its good case. Package linttest tests checks by such cases, and writes docs/checks.md
// from them; it also works for checks of other packages. Each tool_*.go has one tool.
//
// The fixes of the creation race need the most thought: they give observedGeneration the
// default -1, which race_fix.go explains. They are safe for stored data, but they require
// something of controllers: see [Fix].
package lint
