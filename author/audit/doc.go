// Package audit finds violations of the status contract in the writes of
// controllers. It reads the sequence of versions of objects, not one snapshot.
//
// [Auditor.Add] takes each [Write], in the order in which the server made them.
// An auditor keeps the last version of each object, and the state of the rules.
// The times of the writes are its only clock, so the same writes give the same
// [Report], byte for byte. Package author/writes reads writes from a cluster,
// from an API server's audit log and from files.
//
// A watch does not show requests that change nothing, because the API server
// does not store them. Rules that need requests find nothing without them: see
// [Rule].NeedsRequests.
//
// A custom [Rule] is a struct literal that runs instead of [Rules] or in
// addition to them.
//
// File rules.go is the table of the rules, and each rule_*.go has one or a few
// of them. The other files are the engine. The file reorder_buffer.go sorts
// writes, and history.go keeps the state of objects. The files auditor.go and
// request.go call the rules, and timer.go calls them later. The files writer.go
// and status_writers.go determine the writers. The file report.go collects the
// findings. The file metrics.go counts the cost of writes, and budget.go lists
// the measures.
package audit
