// Package grace has the usual grace periods of a wait: how long a recoverable failure must last
// before it counts.
//
// A grace is a map from the reason of a verdict, such as "CrashLoop", to a duration. The empty
// reason is for all reasons that the map does not have. See [kstatus.dev/status.Profile.Reasons]
// for the reasons.
package grace

import (
	"time"

	"kstatus.dev/status"
)

// Window, as the grace of a reason, leaves the time to the profile of the Evaluator: the failure
// counts when its verdict becomes Failed. See [kstatus.dev/status.Profile.FailureWindows]. A
// window starts when the failure began according to the object; any other grace starts when the
// wait first sees the failure.
const Window time.Duration = -1

// Default returns the grace of a wait.
func Default() map[string]time.Duration {
	return map[string]time.Duration{
		// A dependency that starts a little later may cause a crash.
		status.ReasonCrashLoop: 30 * time.Second,
		// Nodes may be added.
		status.ReasonUnschedulable: 5 * time.Minute,
		// Any other error condition.
		"": time.Minute,

		// The controller itself has given up.
		status.ReasonStalled:                  0,
		status.ReasonProgressDeadlineExceeded: 0,

		// The objects report when these failures began.
		status.ReasonImagePullBackOff:       Window,
		status.ReasonContainerError:         Window,
		status.ReasonQuotaOrAdmissionDenied: Window,
		status.ReasonMetricsUnavailable:     Window,
		status.ReasonUnavailable:            Window,
	}
}

// Uniform returns a grace of d for every recoverable failure.
func Uniform(d time.Duration) map[string]time.Duration {
	return map[string]time.Duration{"": d}
}

// None returns the grace of a wait that reads objects once: every verdict Failed counts. A
// failure is not Failed before its window has ended, and neither is an unschedulable Pod.
func None() map[string]time.Duration {
	all := map[string]time.Duration{status.ReasonUnschedulable: 5 * time.Minute}
	for reason := range (status.Profile{}).FailureWindows() {
		all[reason] = Window
	}
	return all
}
