// Package audit finds violations of the status contract in what controllers write: in the
// sequence of versions of their objects, not in one snapshot.
//
// [Auditor.Add] takes each [Write], in the order in which the server made them. An auditor
// keeps the last version of each object, and the state of the rules. The times of the
// writes are its only clock, so the same writes give the same [Report], byte for byte.
// Package kube/writes reads writes from a cluster, from an API server's audit log and from
// files.
//
// A watch does not show requests that change nothing, because the API server does not
// store them. Rules that need requests say so, and find nothing without them.
//
// A [Rule] of your own is a struct literal that runs instead of [Rules] or beside them.
//
// rules.go is the table of the rules, and each rule_*.go has one or a few of them.
// The engine: reorder_buffer.go puts writes in order, history.go keeps what is known
// of objects, auditor.go and request.go call the rules, timer.go calls them later,
// writer.go and status_writers.go find out who wrote what, and report.go has the
// findings. metrics.go counts what the writes cost, and budget.go has its measures.
package audit
