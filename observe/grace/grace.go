// Package grace has the usual grace periods of a wait: for how long a failure that
// may recover must last before it counts.
//
// A grace is a map from the reason of a verdict, such as "CrashLoop", to a
// duration. The empty reason is for all reasons that the map does not have. See
// [kstatus.dev/status.Profile.Reasons] for the reasons.
package grace

import "time"

// Default returns the grace of a wait.
func Default() map[string]time.Duration {
	return map[string]time.Duration{
		// A crash may be a dependency that starts a little later.
		"CrashLoop": 30 * time.Second,
		// Nodes may be added.
		"Unschedulable": 5 * time.Minute,
		// Any other error condition.
		"": time.Minute,

		// The controller itself has given up.
		"Stalled":                  0,
		"ProgressDeadlineExceeded": 0,

		// These are Failed only once they have lasted; the profiles hold their windows.
		"ImagePullBackOff":       0,
		"ContainerError":         0,
		"QuotaOrAdmissionDenied": 0,
		"MetricsUnavailable":     0,
		"Unavailable":            0,
	}
}

// Uniform returns a grace of d for every failure that may recover. Failures
// after which the controller itself has given up have no grace.
func Uniform(d time.Duration) map[string]time.Duration {
	return map[string]time.Duration{"": d, "Stalled": 0, "ProgressDeadlineExceeded": 0}
}

// None returns the grace of a wait that looks once: every failure counts. A Pod
// that fits no node has not failed yet, so Unschedulable keeps its grace.
func None() map[string]time.Duration {
	return map[string]time.Duration{"Unschedulable": 5 * time.Minute}
}
