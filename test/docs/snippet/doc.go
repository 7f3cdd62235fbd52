// Package snippet reads the blocks of Go code of Markdown pages and checks their types, so that
// no page shows code that does not compile.
//
// read.go finds the blocks of a page, source.go makes a file of Go from each, and check.go
// checks the types of these files. names.go checks the names that pages mention in their text.
// CONTRIBUTING.md describes how a page declares what a block uses.
//
// The go command does not notice changes of pages or packages that a test reads by itself. So
// run these tests with -count=1, as make check does.
package snippet
