// Package observe watches objects in a cluster and reports each change of their status,
// until they meet the goals of the caller.
//
// A [Source] sends events about objects. A [Watcher] computes the status of each object
// and yields an [Update] whenever that changes. A [Board] keeps the latest update of each
// object. [Watcher.Wait] returns when all objects meet their goals, when it is certain
// that one does not, or at a timeout.
//
// The package does not use the network and does not depend on kinds of objects. It keeps
// the identity and the verdict of an object. The object itself is kept only until a known
// time at which it must be evaluated again.
//
// # Reading order
//
// observe.go has the inputs and outputs, watcher.go the settings, and watch.go the loop.
// tracker.go is the state machine in the loop, without goroutines and clock: testdata/tracker
// shows what it does. queue.go and expand.go belong to it. requirements.go,
// min_version.go and applied.go have the requests of callers. target_state.go is
// the state of a target. observation.go and verdict.go compute a verdict from an event.
// parts.go is for the parts of an object, selection.go for selections, and fallback.go
// for controllers that never report. progress.go adds the progress. board.go is the
// overview, wait.go decides when a wait ends, and multi_cluster.go joins clusters.
package observe

import (
	"cmp"
	"context"
	"time"

	"kstatus.dev/status"
)

// A Target identifies one object or, without a Name, a selection: all objects of a
// kind that match the selectors. It does not depend on the version of the API.
// Targets are comparable.
type Target struct {
	Kind          status.Kind
	Namespace     string // empty for cluster-scoped kinds; for a selection, also all namespaces
	Name          string // empty for a selection
	Cluster       string // the name of the cluster, if there are several: see [MultiCluster]
	LabelSelector string // for a selection, as the API spells it: "app=web,tier!=db"; empty matches all objects
	FieldSelector string // for a selection, as the API spells it: "status.phase=Running"; empty matches all objects
}

// IsSelection reports whether t is a selection, which has no name.
func (t Target) IsSelection() bool { return t.Name == "" }

// TargetOf returns the target that is the object with an ID.
func TargetOf(id status.ID) Target {
	return Target{Kind: id.Kind, Namespace: id.Namespace, Name: id.Name, Cluster: id.Cluster}
}

// ID returns the ID of the object. The name of a selection is empty.
func (t Target) ID() status.ID {
	return status.ID{Cluster: t.Cluster, Kind: t.Kind, Namespace: t.Namespace, Name: t.Name}
}

// String returns the target as [status.ID] does. A selection has the name *, followed by
// its selectors as the flags of kubectl.
func (t Target) String() string {
	if !t.IsSelection() {
		return t.ID().String()
	}
	text := t.ID().String() + "*"
	if t.LabelSelector != "" {
		text += " -l " + t.LabelSelector
	}
	if t.FieldSelector != "" {
		text += " --field-selector " + t.FieldSelector
	}
	return text
}

// Compare orders targets as [status.ID] does, and then by their selectors.
func (t Target) Compare(u Target) int {
	return cmp.Or(
		t.ID().Compare(u.ID()),
		cmp.Compare(t.LabelSelector, u.LabelSelector),
		cmp.Compare(t.FieldSelector, u.FieldSelector))
}

// An Event is a report of a [Source] about a target. It has the object of the
// target, nil if the object does not exist. If the object cannot be read, it has an
// error, preferably an [Unreadable].
//
// If Of is set, the event is about an object that belongs to a target.
//   - If Of is a selection, Target is one of its objects. An event without an Object
//     means that it no longer belongs to the selection. An event about the selection
//     itself means that all its objects have been reported. With an Err, it means that
//     none can be read until the next event without one.
//   - If Of is an object, Target is one of its parts: an object that its controller
//     created, such as a Pod of a Deployment. Parts have no verdict of their own, but may
//     explain why the object is not ready. A Source also reports a part that is ready
//     again, and one that no longer counts, without its Object.
type Event struct {
	Target Target
	Of     Target
	Object status.Object
	Err    error

	// Targets, if not nil, are the targets that Target represents, such as the objects of
	// a set that has now been found. The Watcher follows them from now on as if they had
	// been requested, and no longer those of an earlier event. Target itself is Removed
	// once each of them has had its first update, until the next event about it without
	// Targets.
	Targets []Target

	// Evaluator, if not nil, has the Source's knowledge of the cluster: its hooks are used if those
	// of the Watcher's Evaluator have no result. Events of one call of Observe and one cluster
	// share it.
	Evaluator *status.Evaluator
}

// A Source reports every target once, and again at every change, until ctx ends.
//
// Observe may call report from several goroutines, but not at the same time for
// one target, and not after it has returned. A call of report does not block. It
// returns whether the wait still waits for the target, or for Of. If so, the
// Source also reports its parts, and makes sure that it misses no change.
//
// A problem with one target is an Event with an Err, repeated while it lasts. An
// error that Observe returns ends the whole watch.
type Source interface {
	Observe(ctx context.Context, targets []Target, report func(Event) (open bool)) error
}

// An Unreadable is the error of a target that cannot be read. With the reason Transport,
// the cluster cannot be reached, and the target keeps its last verdict for two minutes.
// With NoMatch, the kind is not served, and a target that existed counts as deleted. With
// NeverSeen, the target does not exist, and Text describes that.
type Unreadable struct {
	Reason string // Forbidden, NoMatch, BadScope, BadName, NeverSeen or Transport; see [status.Profile.Reasons]
	Text   string // one line for users
}

// Error returns the text.
func (e *Unreadable) Error() string { return e.Text }

// An Update is a new verdict on a target.
type Update struct {
	Target     Target
	Version    Version
	Result     status.Result
	Parts      *status.Parts // the worst problem of the target's parts, such as its Pods; nil if there is none
	Err        error         // why the target cannot be read, nil if it can; Result has the same reason and text
	Evidence   []status.Read // the fields that decided, if [Watcher.Evidence] is set
	Previous   status.Status // the status of the last update for this target; empty in its first update
	Since      time.Time     // the time from which the target has this status: from its condition in the first update, else when the status was first seen
	Progress   Progress      // the progress of the target toward its goals
	Unmet      string        // what the unmet goals found, if the verdict does not contain it
	FailsAt    time.Time     // with ProgressFailing, when the failure counts unless the target recovers, at most the deadline of the context
	StaleSince time.Time     // the time from which the target cannot be read and the verdict is old; zero if it can
	Synced     bool          // every target has had its first update, including this one
	Removed    bool          // the target no longer belongs to its selection
}

// Message returns the message of the verdict, with the problem of the target's
// parts if there is one.
func (u Update) Message() string { return u.Parts.AppendTo(u.Result.Message) }

// A Version identifies the version of an object that a verdict is about. After a
// deletion, it is the last version seen.
type Version struct {
	UID                string
	Generation         int64
	ObservedGeneration int64  // status.observedGeneration; zero if the object has none
	ReplacedUID        string // the UID of the former object of the same name, if the watch has seen it
	ResourceVersion    string
	Created            int64 // the time of creation, in seconds since 1970; zero if it is not known
}

// A Progress is the progress of a target toward its goals.
type Progress string

// The values of Progress.
const (
	ProgressPending    Progress = "open"    // the goals are not met yet
	ProgressReached    Progress = "met"     // all goals are met
	ProgressFailing    Progress = "failing" // it fails, but may recover within its grace
	ProgressFailed     Progress = "failed"  // it failed, and a user must act
	ProgressMissing    Progress = "missing" // it does not exist, and did not since the watch began
	ProgressUnreadable Progress = "barred"  // the permission to read it is missing, or the request is not valid
	ProgressTimedOut   Progress = "late"    // its own timeout has passed
	ProgressIgnored    Progress = "ignored" // the wait does not wait for it
)
