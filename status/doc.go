// Package status computes from a Kubernetes object alone whether the cluster has done what the
// spec of the object requests, and if not, why not.
//
// [Compute] is the main function: one object in, one [Result] out. It sends no requests, keeps
// no state and imports only the standard library. An [Evaluator] is Compute with settings: the
// profile, rules of your own, the schema of the kind, and the clock.
//
// # The six statuses
//
//   - Current: the cluster is as the spec says, as far as the object shows.
//   - InProgress: the cluster does not match the spec yet.
//   - Failed: the object does not become Current, or not without a user;
//     [Result.Failure] says whether it can recover by itself.
//   - Terminating: it is being deleted.
//   - NotFound: the object does not exist. Never computed from an object.
//   - Unknown: the object cannot be judged; the message names the field that prevents it.
//
// # Reading order
//
// id.go names an object. compute.go holds the order of the stages, rules.go the table of known
// kinds, and rule_*.go the rule of one kind or family each. The rules share containers.go,
// suspension.go, capi.go, answers.go and amounts.go. deletion.go, generation.go and generic.go
// hold what applies to every kind.
//
// For kinds without a rule, signals.go and signal_*.go read the status and decide which part of
// it counts, and meanings.go has what that part means. Package internal/word has the vocabulary, and hints_*.go has what is known about
// single kinds. expectation.go holds what the schema of a kind declares, and writers.go what
// managedFields show.
//
// fields.go and conditions.go are how a rule reads an object. reasons.go has the closed set of
// reasons, profile.go the profiles, and compat*.go the answers of the library that this one
// replaces.
package status
