// Package casefile makes a test case of an object whose verdict is wrong, for a public issue.
//
// [New] makes a small copy of the object. The copy keeps what the verdict depends on: the
// conditions, and the shape, the numbers and the words of the status. It has invented names, and
// placeholders for values that may be private. [Case.Format] writes the case, and [Parse] reads it.
//
// A case is a YAML document, and also a case of the tests of package status. Its object is in
// JSON, because these tests read no YAML. The lines before it are comments in YAML:
//
//	#base {}
//	#case waits, but is expected to be Current
//	#want Current
//	#expect status observedGeneration
//	{"apiVersion": "example.com/v1", "kind": "Widget", "status": {"phase": "Painted"}}
//
// Other lines that begin with # are for readers. In #expect is what the schema of the kind
// declares. All times are relative to [Now].
//
// # Reading order
//
// The file case.go has the API. The file minimal.go selects the fields, value.go replaces private
// values, message.go replaces private words in messages, and words.go has the tables for both.
// The file promise.go has the words of #expect.
package casefile
