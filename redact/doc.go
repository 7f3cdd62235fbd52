// Package redact replaces secrets in texts and objects of a cluster, so that
// they can be shown, stored and shared.
//
//	redact.Text("dial postgres://app:hunter2@db: refused") // dial postgres://app:<redacted>@db: refused
//
// It recognizes a secret by its name, as in password=…, or by its place, such as
// the data of a Secret. It also recognizes a secret by its form, such as the tokens
// of a known issuer. It cannot recognize others: a password without a name in a
// sentence looks like any word. It keeps other information: the names of Secrets
// and of their keys, images, digests, and sentences about passwords and tokens.
//
// [Text] is for messages, logs and errors, and [Objects] for objects. Redacting
// twice has the same result as once. The running time is linear in the length
// of the input.
//
// # Reading order
//
// The file text.go holds the API for texts, and object.go the API for objects.
// The package naming classifies names of fields. The file value.go finds values
// of such names, pair.go values of pairs, and word.go values of command line flags.
// The file token.go finds forms of secrets, encoded.go texts in base64, address.go
// secrets in addresses, and embedded.go documents.
// The files table_words.go and table_formats.go have the tables.
package redact
