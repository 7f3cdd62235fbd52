// Package redact replaces secrets in texts and objects of a cluster, so that they can be
// shown, kept and passed on.
//
//	redact.Text("dial postgres://app:hunter2@db: refused") // dial postgres://app:<redacted>@db: refused
//
// A secret is told by what gives it its name, such as password=…, by where it stands, such
// as the data of a Secret, or by its form, such as that of the tokens of a known issuer. That
// goes as far as it can be told: a password among other words, without a name, is a word like
// others. What explains something stays: the names of Secrets and of their keys, images,
// digests, and sentences about passwords and tokens.
//
// [Text] is for messages, logs and errors, [Objects] is for objects. Redacting again changes
// nothing. The effort grows as the length of what is given.
//
// # Reading order
//
// text.go holds the API for texts, and object.go that for objects. the package naming tells
// secrets by the names of fields, value.go finds what is given to such names, word.go what follows flags
// of a command, token.go what has the form of a secret, address.go what stands in addresses,
// and embedded.go documents in texts. The tables are table_words.go and table_formats.go.
package redact
