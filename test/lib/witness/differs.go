package witness

import (
	"fmt"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Differs describes the first difference between an update and the present version. It is
// empty if there is none. InProgress and Failed count as equal, because an engine that waits
// reports a failure as InProgress for a while, and merges the failures of parts.
func Differs(u observe.Update, now Version) string {
	have, want := u.Result.Status, now.Result.Status
	if now.Resource == 0 {
		if have == status.NotFoundStatus {
			return ""
		}
		return fmt.Sprintf("reported as %s, but does not exist", have)
	}
	ill := func(s status.Status) bool { return s == status.InProgressStatus || s == status.FailedStatus }
	switch {
	case have != want && !(ill(have) && ill(want)):
		return fmt.Sprintf("reported as %s (%s), but is %s (%s)", have, u.Message(), want, now.Result.Message)
	case !u.StaleSince.IsZero():
		return "reported as stale, but is reachable"
	case u.Version.UID != now.UID:
		return fmt.Sprintf("reported with UID %s, but has %s", u.Version.UID, now.UID)
	case u.Version.Generation != now.Generation:
		return fmt.Sprintf("reported with generation %d, but has %d", u.Version.Generation, now.Generation)
	case u.Version.ObservedGeneration != now.Observed:
		return fmt.Sprintf("reported with observedGeneration %d, but has %d", u.Version.ObservedGeneration, now.Observed)
	}
	return ""
}

// FormatUpdate formats an update as a line.
func FormatUpdate(u observe.Update) string {
	text := fmt.Sprintf("%s %s %s/%s: %s (uid %s, generation %d, observed %d, version %s)", u.Target, u.Progress, u.Result.Status, u.Result.Reason,
		u.Message(), u.Version.UID, u.Version.Generation, u.Version.ObservedGeneration, u.Version.ResourceVersion)
	if !u.StaleSince.IsZero() {
		text += " stale since " + u.StaleSince.Format(time.TimeOnly)
	}
	return text
}
