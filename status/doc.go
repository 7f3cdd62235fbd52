// Package status tells from a Kubernetes object alone whether the cluster has
// finished what the spec of the object requests, and if not, why not.
//
// [Compute] is the whole of it: one object in, one [Result] out. It asks no
// cluster, keeps no state and imports nothing but the standard library. An
// [Evaluator] is Compute with everything in the open: the profile, rules of
// one's own, what the kind's schema promises, and the clock.
//
// # The six words
//
//   - Current: the cluster is as the spec says, as far as the object shows.
//   - InProgress: it is on its way.
//   - Failed: it will not get there, or not without help; [Result.Failure]
//     says whether it can heal by itself.
//   - Terminating: it is being deleted.
//   - NotFound: there is no such object. Never computed from an object.
//   - Unknown: the object cannot be judged; the message says which field is in the way.
//
// # Reading order
//
// compute.go holds the order of the stages, rules.go the table of known kinds,
// rule_*.go one kind or family each (what several of them share stands in
// containers.go, suspension.go, capi.go, answers.go and quantity.go), deletion.go,
// generation.go and generic.go what holds for every kind. Of a kind without a rule
// signals.go and signal_*.go hold what its status says and what outweighs what,
// package internal/word the vocabulary, hints_*.go what no vocabulary can know. expectation.go holds what
// a kind's schema promises, writers.go what the record of writes proves, fields.go
// and conditions.go how a rule reads an object, reasons.go the closed set of
// reasons, profile.go what the profiles change, and compat*.go the answers of the
// library that this one replaces.
package status
