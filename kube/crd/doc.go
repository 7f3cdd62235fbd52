// Package crd reads files with CustomResourceDefinitions, edits them in place, and
// validates definitions as the API server does.
//
// [Parse] splits a text into documents and keeps the position of every field. [File.Edit]
// changes the text of one object. Everything that need not change stays byte by byte,
// including comments, order and line endings; an edit that cannot keep them is an error.
// [Validator] is the validation of the API server.
//
// # Reading order
//
// read.go, file.go and split.go read. position.go and ignore.go find fields and the
// comments beside them. edit*.go changes text, and diff.go shows the change. server.go and
// server_object.go validate, plural.go names. patch.go writes edits for other tools.
package crd
