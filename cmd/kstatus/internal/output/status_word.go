package output

import (
	"kstatus.dev/status"
)

// StatusWord is the status as people are shown it: failing, where something is
// wrong that may heal, is not mere progress; assumed, where nothing speaks for
// Current, says so.
func StatusWord(s status.Status, failing, assumed bool) string {
	switch {
	case s == status.InProgressStatus && failing:
		return "Failing"
	case s == status.CurrentStatus && assumed:
		return "Current (assumed)"
	}
	return string(s)
}
