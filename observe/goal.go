package observe

import "kstatus.dev/status"

// A Goal is a state of an object that a wait can wait for. Package observe/goal has the usual
// ones. Any predicate can be a goal: see the example.
type Goal struct {
	Name string // the name as the command line spells it, such as "current"

	// Met reports whether the object meets the goal. If not, it may also return in a few words what
	// it has found, if the verdict does not contain it. The object is nil if it does not exist. Met
	// may read the object, but must neither change nor keep it.
	//
	// Met is called whenever the object is judged, by one goroutine at a time. Previous, Since and
	// Progress of the Update are not set then.
	Met func(Update, status.Object) (met bool, found string)

	Absence          bool // the goal is that the object does not exist, so a failure does not end the wait
	ToleratesFailure bool // a failure does not end the wait
	Final            bool // an object that has completed meets the goal at once, or never
}

// IsCurrent reports whether the target is Current, or had completed and was then
// removed. It is the goal of a wait without Goals.
func (u Update) IsCurrent() bool {
	return u.Result.Status == status.CurrentStatus || u.Result.Reason == status.ReasonExpiredTTL
}

// current is the goal of targets that have no other.
var current = Goal{Name: "current", Met: func(u Update, _ status.Object) (bool, string) { return u.IsCurrent(), "" }}
