package observe

import (
	"cmp"
	"fmt"

	"kstatus.dev/internal/integer"
	"kstatus.dev/status"
)

// A minVersion is the version that an object must have reached, so that a status from before a
// change is not accepted. Zero fields require nothing.
type minVersion struct {
	uid             string
	generation      int64
	resourceVersion string
}

// hasUID reports whether one specific object is required, and not any object with its name.
func (m *minVersion) hasUID() bool { return m != nil && m.uid != "" }

// belowMinimum replaces the verdict on an object that has not reached the minimum
// version, and reports whether it has not. Another object of the same name never
// reaches it.
func (st *targetState) belowMinimum(u *Update) bool {
	m, v := st.requested.minVersion, u.Version
	if m == nil {
		return false
	}
	reached, comparable := m.reached(v.ResourceVersion)
	st.life.reachedMinimum = st.life.reachedMinimum || reached
	switch {
	case m.uid != "" && v.UID != m.uid:
		u.Result = status.Result{Status: status.NotFoundStatus, Reason: "Replaced", Confidence: status.ConfidenceExplicit,
			Message: "another object has its name, with UID " + v.UID}
		return true
	case v.Generation < m.generation:
		u.markOutdated(fmt.Sprintf("generation is %d, the change made it %d", v.Generation, m.generation))
	case reached, st.life.reachedMinimum && !comparable:
		return false
	default:
		u.markOutdated(fmt.Sprintf("resourceVersion is %q, the change made it %q", v.ResourceVersion, m.resourceVersion))
	}
	return true
}

// markOutdated sets the verdict that the object was read before the change.
func (u *Update) markOutdated(why string) {
	u.Result = status.Result{Status: status.InProgressStatus, Reason: "LatestGenerationNotObserved", Confidence: status.ConfidenceExplicit,
		Message: "its last known state is from before the change: " + why, Warnings: u.Result.Warnings}
}

// reached reports whether a resourceVersion is the minimum or a later one.
// Versions that are not numbers cannot be compared: only the minimum itself has
// reached it.
func (m *minVersion) reached(version string) (reached, comparable bool) {
	if m.resourceVersion == "" || m.resourceVersion == version {
		return true, true
	}
	order, ok := compareVersions(version, m.resourceVersion)
	return ok && order >= 0, ok
}

// compareVersions compares two resourceVersions, if they can be.
func compareVersions(a, b string) (order int, ok bool) {
	x, y := integer.OfVersion(a), integer.OfVersion(b)
	return cmp.Compare(x, y), x > 0 && y > 0
}
