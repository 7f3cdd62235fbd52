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
// between the two, record.go how one sighting becomes a verdict, goal.go what
// can be waited for, grace.go how long a failure may last, board.go the
// overview, and wait.go when a wait ends.
package observe

import (
	"cmp"
	"context"
	"time"

	"kstatus.dev/status"
)

// A Target names one object. The version of its API does not matter.
type Target struct {
	Kind            status.Kind
	Namespace, Name string // no namespace for what lives in none
}

// String returns the target as Kind/namespace/name, or Kind/name where there
// is no namespace.
func (t Target) String() string {
	if t.Namespace == "" {
		return t.Kind.Kind + "/" + t.Name
	}
	return t.Kind.Kind + "/" + t.Namespace + "/" + t.Name
}

// Compare orders targets by kind, namespace and name.
func (t Target) Compare(u Target) int {
	return cmp.Or(
		cmp.Compare(t.Kind.Kind, u.Kind.Kind),
		cmp.Compare(t.Namespace, u.Namespace),
		cmp.Compare(t.Name, u.Name),
		cmp.Compare(t.Kind.Group, u.Kind.Group))
}

// A Sighting is what a [Source] saw of a target: the object, nil if it does
// not exist, or why it cannot be looked at, which should be an [Unreadable].
type Sighting struct {
	Target Target
	Object status.Object
	Err    error
}

// A Source reports every target once, then again at every change, until ctx
// ends. It may call saw from any goroutine, but for one target from one at a
// time, and not after Observe has returned; saw keeps nobody waiting. What
// concerns one target only is reported as a Sighting; an error ends the whole.
type Source interface {
	Observe(ctx context.Context, targets []Target, saw func(Sighting)) error
}

// An Unreadable says why a target cannot be looked at.
type Unreadable struct {
	Reason string // Forbidden, NoMatch, BadScope or Transport; see [status.Reasons]
	Text   string // one line for people
}

func (e *Unreadable) Error() string { return e.Text }

// An Update is a new verdict on a target.
type Update struct {
	Target   Target
	Version  Version
	Result   status.Result
	Err      error         // why the target could not be looked at; Result tells it as well
	Reads    []status.Read // what decided, if [Watcher.Explain] is set
	Previous status.Status // the status of the last update for this target; empty at the first
	Since    time.Time     // since when it has had its status, as far as was seen
	Standing Standing      // where it stands for one who waits
	Wants    string        // what the goals that are not met have found, where the verdict does not say so
	FailsAt  time.Time     // for Failing: when it will count as failed unless it recovers
	Synced   bool          // every target has had its first update, this one included
}

// A Version says which version of an object a verdict is on. Of an object that
// is gone it tells the last one seen.
type Version struct {
	UID        string
	Generation int64
	Observed   int64  // the generation its controller has acted on; zero if it does not tell
	Replaced   string // the UID of the object of that name that was there before, if that was seen
}

// A Standing says where a target stands for one who waits for goals.
type Standing string

// The standings.
const (
	Open    Standing = "open"    // the goals are not met yet
	Met     Standing = "met"     // all goals are met
	Failing Standing = "failing" // something is wrong that may heal, and has its time to do so
	Failed  Standing = "failed"  // the goals will not be met without help
	Missing Standing = "missing" // it does not exist and has not been seen to
	Barred  Standing = "barred"  // it may not be looked at
)
