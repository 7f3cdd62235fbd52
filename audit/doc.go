// Package audit finds breaches of the status contract in what controllers
// write: the stream of versions of their objects, rather than one snapshot.
//
// An [Auditor] is told of each [Write] about in the order in which the server
// made them, and keeps of each object the last version and what the rules
// remember. It knows no clock but the times of the writes, so the same stream
// gives the same [Report], byte for byte. Package kube/writes reads streams from
// a cluster, from an API server's audit log and from files.
//
// A watch shows no request that changed nothing, since the API server does not
// store it; rules that need requests say so, and are silent without them.
//
// rules.go is the table of the rules, and each rule_*.go has one or a few of them.
// The engine: reorder_buffer.go puts writes in order, history.go keeps what is known
// of objects, auditor.go and request.go call the rules, timer.go calls them later,
// writer.go and status_writers.go find out who wrote what, and report.go has the
// findings. metrics.go counts what the writes cost, and budget.go limits it.
package audit
