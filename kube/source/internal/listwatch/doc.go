// Package listwatch reads the objects of a scope with a list and a watch, and recovers from
// failures. Examples are watches that end, expired history, and servers that do not respond.
//
// Unlike an informer it keeps no objects. It reports a deletion only after a read has
// confirmed it, and periodically verifies that a watch has missed no change.
//
// stream.go is the loop of lists and watches. position.go keeps its progress, consume.go
// reads a watch, verify.go verifies a watch, and pause.go has the delays. pool.go and
// fan_out.go share a stream between readers.
package listwatch
