// Package writes reads the streams of writes that package audit checks:
//
//   - the writes in a cluster as they happen: [Cluster] lists and watches;
//   - the requests of clients in this process: [Recorder];
//   - recorded streams, and audit logs of API servers: [Reader].
//
// [Audit] combines them in a test of a controller, in one line.
//
// A [Cluster] watches without a cache, since a cache may skip versions. A watch that
// was cut continues at the last version that it received, so nothing is lost or reported
// twice. If the server does not remember that version, the stream has a Gap. Managed
// fields are kept, since they name the writers. A write that is known from a watch and
// from its request is reported twice; package audit recognizes it as one.
//
// # Reading order
//
// cluster.go is the overview, kinds.go finds what to watch, watcher.go is one watch, and
// stream.go merges several. recorder.go sees requests, address.go parses their paths, and
// answer.go makes writes of them. auditlog.go reads audit logs, file.go recorded streams.
// withhold.go removes what is never kept. test.go is for tests.
package writes
