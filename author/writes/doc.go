// Package writes reads the streams of writes that package audit checks:
//
//   - the writes in a cluster as they happen: [Cluster] lists and watches;
//   - the requests of clients in this process: [Recorder];
//   - recorded streams, and audit logs of API servers: [Reader].
//
// [Audit] combines them in a test of a controller, in one line.
//
// A [Cluster] watches without a cache, since a cache may skip versions. A watch
// that was cut continues at the last version that it received, so it loses and
// repeats nothing. If the server no longer has that version, the stream has a
// Gap. Managed fields are kept, since they name the writers. A write that is
// known from a watch and from its request is reported twice; package audit
// recognizes it as one.
//
// # Reading order
//
// The file cluster.go is the overview. The file kinds.go finds the kinds to
// watch, watcher.go is one watch, and stream.go merges several. The file
// recorder.go sees requests, address.go parses their paths, and answer.go
// converts them to writes. The file auditlog.go reads audit logs, and file.go
// recorded streams. The file withhold.go removes confidential data, and test.go
// is for tests.
package writes
