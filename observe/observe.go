// Package observe follows objects in a cluster and says, at each change, where
// they stand, until they are where the caller wants them.
//
// A [Source] sees objects. A [Watcher] judges what was seen and yields an
// [Update] for every change of a verdict. A [Board] keeps the latest of each
// object, and [Watcher.Wait] ends when all meet their goals, or when it is
// certain or too late that they will not.
//
// The package knows no HTTP, no kinds of objects and no printing. What is kept
// of an object is its identity and its verdict; the object itself only while
// it is to be judged again at a known time.
//
// # Reading order
//
// observe.go holds what goes in and what comes out, watcher.go the loop
// between the two, and tracker.go and timers.go the state that it shares with the
// source. terms.go, goal.go, grace.go and floor.go are what callers request.
// target_state.go lists what is kept of a target. observation.go and verdict.go
// make a verdict from a sighting, with parts.go for what controllers have made,
// selection.go for sets of objects and fallback.go for controllers that never
// report; progress.go adds the standing. board.go is the overview, wait.go says
// when a wait ends, and several.go joins clusters.
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

// String returns the target as Kind/namespace/name, or Kind/name without a
// namespace. A selection has the name *, followed by its selectors as the flags
// of kubectl. If the target names a cluster, that comes first, with a colon.
func (t Target) String() string {
	text := t.Kind.Kind + "/"
	if t.Cluster != "" {
		text = t.Cluster + ":" + text
	}
	if t.Namespace != "" {
		text += t.Namespace + "/"
	}
	if !t.IsSelection() {
		return text + t.Name
	}
	text += "*"
	if t.LabelSelector != "" {
		text += " -l " + t.LabelSelector
	}
	if t.FieldSelector != "" {
		text += " --field-selector " + t.FieldSelector
	}
	return text
}

// Compare orders targets by cluster, kind, namespace, name, API group and
// selectors. It returns a negative number if t comes before u, 0 if they are
// equal, and a positive number otherwise.
func (t Target) Compare(u Target) int {
	return cmp.Or(
		cmp.Compare(t.Cluster, u.Cluster),
		cmp.Compare(t.Kind.Kind, u.Kind.Kind),
		cmp.Compare(t.Namespace, u.Namespace),
		cmp.Compare(t.Name, u.Name),
		cmp.Compare(t.Kind.Group, u.Kind.Group),
		cmp.Compare(t.LabelSelector, u.LabelSelector),
		cmp.Compare(t.FieldSelector, u.FieldSelector))
}

// An Event is what a [Source] saw of a target: the object, nil if it is
// certain that there is none, or why it cannot be looked at, which should be an
// [Unreadable].
//
// With Of it is about something else than a target:
//   - Of a selection, Target is one of the objects that it has, or has no longer.
//     A Sighting of the selection itself says that all of them have been told, or
//     with an Err that none of them can be looked at, until the next without one.
//   - Of an object, Target is a part: what the object's controller has made, as a
//     Deployment's newest Pods. It has no verdict of its own, but may say why the
//     object is not there yet. One that was in trouble is told when it is well;
//     one that does not count any more has no Object.
type Event struct {
	Target Target
	Of     Target
	Object status.Object
	Err    error

	// Evaluator, if not nil, knows what the Source knows of the cluster: its hooks
	// answer where those of the Watcher's Evaluator do not. Events of one call of
	// Observe and one cluster share it.
	Evaluator *status.Evaluator
}

// A Source reports every target once, then again at every change, until ctx
// ends. It may call saw from any goroutine, but for one target from one at a
// time, and not after Observe has returned; saw keeps nobody waiting. It
// returns whether the target, or what the Sighting is Of, is still waited for:
// then the Source tells of its parts, and makes sure that no change is missed.
// What concerns one target only is reported as a Sighting, again and again
// while it lasts; an error ends the whole.
type Source interface {
	Observe(ctx context.Context, targets []Target, saw func(Event) (open bool)) error
}

// An Unreadable says why a target cannot be looked at. One that is out of
// reach, which is Transport, keeps its last verdict for two minutes; one whose
// kind is not served, which is NoMatch, is gone if it has been seen.
type Unreadable struct {
	Reason string // Forbidden, NoMatch, BadScope or Transport; see [status.Profile.Reasons]
	Text   string // one line for people
}

func (e *Unreadable) Error() string { return e.Text }

// An Update is a new verdict on a target.
type Update struct {
	Target     Target
	Version    Version
	Result     status.Result
	Parts      *status.Parts // the worst problem of what its controller has made, such as its Pods; nil if there is none
	Err        error         // why the target could not be looked at; Result tells it as well
	Evidence   []status.Read // what decided, if [Watcher.Evidence] is set
	Previous   status.Status // the status of the last update for this target; empty at the first
	Since      time.Time     // since when it has had its status, as far as was seen
	Progress   Progress      // where it stands for one who waits
	Unmet      string        // what the goals that are not met have found, where the verdict does not say so
	FailsAt    time.Time     // for Failing: when it will count as failed unless it recovers
	StaleSince time.Time     // if not zero: since when the target could not be looked at; the verdict is from before
	Synced     bool          // every target has had its first update, this one included
	Removed    bool          // it is no longer one of the objects of its selection
}

// Message returns the message of the verdict, with the problem of the target's
// parts if there is one.
func (u Update) Message() string { return u.Parts.AppendTo(u.Result.Message) }

// A Version says which version of an object a verdict is on. Of an object that
// is gone it tells the last one seen.
type Version struct {
	UID                string
	Generation         int64
	ObservedGeneration int64  // the generation its controller has acted on; zero if it does not tell
	ReplacedUID        string // the UID of the object of that name that was there before, if that was seen
	ResourceVersion    string // the resourceVersion
	Created            int64  // when the object was made, in seconds since 1970; zero if it does not tell
}

// A Progress says where a target stands for one who waits for goals.
type Progress string

// The standings.
const (
	ProgressPending    Progress = "open"    // the goals are not met yet
	ProgressReached    Progress = "met"     // all goals are met
	ProgressFailing    Progress = "failing" // something is wrong that may heal, and has its time to do so
	ProgressFailed     Progress = "failed"  // the goals will not be met without help
	ProgressMissing    Progress = "missing" // it does not exist and has not been seen to
	ProgressUnreadable Progress = "barred"  // it may not be looked at
	ProgressTimedOut   Progress = "late"    // the time that it had for itself is over
	ProgressIgnored    Progress = "ignored" // it is not waited for
)
