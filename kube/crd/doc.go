// Package crd reads files with CustomResourceDefinitions, edits them in place,
// and validates definitions the way the API server does.
//
// [Parse] cuts a text into documents and keeps where every field stands.
// [File.Edit] changes the text of one object: all that it has no reason to change
// stays byte by byte, comments, order and line endings included, and what cannot
// be changed so is refused. [Validator] is the validation of the API server.
//
// read.go, file.go and split.go read; position.go and ignore.go find fields and what is
// written beside them; edit*.go changes text; diff.go shows the change;
// server.go and plural.go validate and name; patch.go tells edits to other tools.
package crd
