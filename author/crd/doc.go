// Package crd reads files with CustomResourceDefinitions, edits them in place,
// and validates definitions as the API server does.
//
// [Parse] splits a text into documents and keeps the position of every field.
// [File.Edit] changes the text of one object. All other text stays byte for
// byte, including comments, order and line endings; if that is impossible, the
// edit returns an error. [Validator] is the validation of the API server.
//
// # Reading order
//
// The files read.go, file.go and split.go read text. The files position.go and
// ignore.go find fields and the comments beside them. The files edit*.go change
// text, and diff.go shows the change. The files server.go and server_object.go
// validate, and plural.go computes names. The file patch.go writes edits for
// other tools.
package crd
