package observe

import (
	"fmt"
	"strconv"

	"kstatus.dev/status"
)

// A Floor is the version that an object must have reached at least, so that a
// status from before a change is not taken for one of after it. What is zero
// asks for nothing. That the object has changed since is never asked for.
type Floor struct {
	UID             string
	Generation      int64
	ResourceVersion string
}

// belowFloor replaces the verdict on an object that has not reached the floor,
// and reports whether it has not. Another object of the same name never reaches
// it.
func (st *targetState) belowFloor(u *Update) bool {
	f, v := st.requested.floor, u.Version
	if f == nil {
		return false
	}
	reached, comparable := f.reached(v.ResourceVersion)
	st.life.reachedFloor = st.life.reachedFloor || reached
	switch {
	case f.UID != "" && v.UID != f.UID:
		u.Result = status.Result{Status: status.NotFoundStatus, Reason: "Replaced", Confidence: status.ConfidenceExplicit,
			Message: "another object has its name, with UID " + v.UID}
		return true
	case v.Generation < f.Generation:
		u.markOlderThanFloor(fmt.Sprintf("generation is %d, the change made it %d", v.Generation, f.Generation))
	case reached, st.life.reachedFloor && !comparable:
		return false
	default:
		u.markOlderThanFloor(fmt.Sprintf("resourceVersion is %q, the change made it %q", v.ResourceVersion, f.ResourceVersion))
	}
	return true
}

// markOlderThanFloor makes the verdict that the object was seen before the change.
func (u *Update) markOlderThanFloor(why string) {
	u.Result = status.Result{Status: status.InProgressStatus, Reason: "LatestGenerationNotObserved", Confidence: status.ConfidenceExplicit,
		Message: "what was seen of it is from before the change: " + why, Warnings: u.Result.Warnings}
}

// reached reports whether a resourceVersion is that of the floor or a later
// one. Those that are not numbers cannot be compared: only the floor's own has
// reached it.
func (f *Floor) reached(version string) (reached, comparable bool) {
	if f.ResourceVersion == "" || f.ResourceVersion == version {
		return true, true
	}
	order, ok := compareVersions(version, f.ResourceVersion)
	return ok && order >= 0, ok
}

// compareVersions compares two resourceVersions, if they can be.
func compareVersions(a, b string) (order int, ok bool) {
	x, errX := strconv.ParseUint(a, 10, 64)
	y, errY := strconv.ParseUint(b, 10, 64)
	switch {
	case errX != nil || errY != nil:
		return 0, false
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	}
	return 0, true
}
