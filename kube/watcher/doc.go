// Package watcher lists and watches the objects of a kind, and continues after each interruption. It
// has the only such loop of kstatus.
//
// A [Stream] is the loop: it lists, follows a watch, decides what its end means, pauses, and goes on.
// It resumes from the last version, and lists again if the server no longer has that version. It
// notices watches that are silent or end at once, and a server that was restored from a backup.
// Its [Sink] decides what follows a failure.
//
// A [Watcher] reports each version of each object once, and each gap.
//
// stream.go is the loop, and position.go keeps its progress. list.go reads all objects, follow.go
// reads a watch, and verify.go verifies it. pause.go has the delays, and requests.go the requests.
// watcher.go has the Watcher.
package watcher
