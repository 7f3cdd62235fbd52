// Package listwatch reads the objects of a scope for waits, with the loop of package watcher.
//
// It adds what only waits need. It reports a deletion only after a read has confirmed it, and
// periodically verifies that a watch has missed no change. It shares a stream between readers.
//
// stream.go connects the loop of lists and watches with a reader. verify.go verifies watches. pool.go and
// fan_out.go share a stream.
package listwatch
