package witness

import (
	"fmt"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Differs says in what an update differs from what is so now; empty if in nothing. An
// engine that waits calls what fails InProgress for a while, and takes what an object's
// parts say for its own: to that extent the two words are one.
func Differs(u observe.Update, now Version) string {
	have, want := u.Result.Status, now.Result.Status
	if now.Resource == 0 {
		if have == status.NotFoundStatus {
			return ""
		}
		return fmt.Sprintf("it is told to be %s, and does not exist", have)
	}
	ill := func(s status.Status) bool { return s == status.InProgressStatus || s == status.FailedStatus }
	switch {
	case have != want && !(ill(have) && ill(want)):
		return fmt.Sprintf("it is told to be %s (%s), and is %s (%s)", have, u.Message(), want, now.Result.Message)
	case !u.StaleSince.IsZero():
		return "it is told to be out of reach, and is not"
	case u.Version.UID != now.UID:
		return fmt.Sprintf("the UID %s is told, and it has %s", u.Version.UID, now.UID)
	case u.Version.Generation != now.Generation:
		return fmt.Sprintf("generation %d is told, and it has %d", u.Version.Generation, now.Generation)
	case u.Version.ObservedGeneration != now.Observed:
		return fmt.Sprintf("it is told that generation %d is observed, and %d is", u.Version.ObservedGeneration, now.Observed)
	}
	return ""
}

// Line tells an update in a line.
func Line(u observe.Update) string {
	text := fmt.Sprintf("%s %s %s/%s: %s (uid %s, generation %d, observed %d, version %s)", u.Target, u.Progress, u.Result.Status, u.Result.Reason,
		u.Message(), u.Version.UID, u.Version.Generation, u.Version.ObservedGeneration, u.Version.ResourceVersion)
	if !u.StaleSince.IsZero() {
		text += " stale since " + u.StaleSince.Format(time.TimeOnly)
	}
	return text
}
