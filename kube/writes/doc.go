// Package writes reads the streams of writes that package audit looks at:
//
//   - what a cluster does now: [Cluster] lists and watches;
//   - the requests of a client, in this process: [Recorder];
//   - what was recorded before, and audit logs of API servers: [Read].
//
// [Audit] does all of it in a test of a controller, in one line.
//
// A [Cluster] watches without a cache, since a cache may leave versions out.
// What a watch was told last is where it goes on after it was cut, so nothing
// is lost and nothing told twice; where the server does not remember that far
// back, a Gap says so. Managed fields are kept: they tell who wrote. Where a
// write is known by a watch and by its request, both are told, and package audit
// knows them for one.
//
// cluster.go is the whole in short, kinds.go says what is watched, watcher.go is
// one watch, stream.go how several become one stream. recorder.go sees requests,
// and address.go reads what they are about; answer.go makes writes of them, also
// of those in audit logs, which auditlog.go reads. file.go is about recorded
// streams, withhold.go about what is never kept. test.go is the line for tests.
package writes
