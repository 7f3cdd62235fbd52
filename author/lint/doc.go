// Package lint finds properties of a CustomResourceDefinition that make the status of its
// objects hard to read, and fixes them.
//
// [Run] runs checks on a [Bundle], the objects that are installed together, and returns findings
// in a fixed order. [ApplyFixes] applies their fixes until no finding with a fix is left.
// [ToolVerdicts] computes what kubectl wait, cli-utils, Helm, Flux and other tools conclude from
// objects of a kind. The package accepts decoded objects, not files, and imports only the
// standard library. Package author/crd reads YAML with its line numbers, edits it in place, and
// validates schemas like the API server.
//
// A [Check] of your own is a struct literal that runs with those of [Checks].
//
// checks.go is the table of the checks. Each check_*.go has one check, and testdata its bad and
// its good case. Package linttest tests checks with such cases, and writes docs/reference/checks.md from
// them; it also works for checks of other packages. Each tool_*.go has one tool.
//
// The fixes of the creation race are the most complex: they set the default -1 for
// observedGeneration, which race_fix.go explains. They are safe for stored data, but they
// require a change of controllers: see [Fix].
package lint
