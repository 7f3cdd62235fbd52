package word

// IsNoError reports whether the text of an error field means that there is no error.
func IsNoError(text string) bool {
	return Is(text, "none", "no error", "nil", "<nil>", "null", "false", "ok", "n/a", "0")
}

// IsNotRequested reports whether a word means that an aspect of the object is not requested, or
// not yet. Such an aspect does not keep the object from being ready.
func IsNotRequested(state string) bool {
	return Is(state, "none", "n/a", "-", "never", "notapplicable", "not applicable", "notconfigured", "not configured", "notenabled",
		"not enabled", "notrequested", "not requested", "notset", "not set", "notstarted", "not started", "not_started", "unset")
}

// IsWarning reports whether a word means that the object works, but not all about it is as it should
// be. That may last: a cluster of one node stays yellow.
func IsWarning(state string) bool {
	return Is(state, "yellow", "warn", "warning", "health_warn", "healthwarn")
}

// IsEnd reports whether a word means that a run has succeeded, after which its steps do not
// matter.
func IsEnd(state string) bool {
	return Is(state, "succeeded", "succeed", "successful", "success", "completed", "complete", "finished", "done")
}

// IsStart reports whether a word means that a run has begun.
func IsStart(state string) bool {
	return Is(state, "running", "active", "started", "accepted", "processed", "launched", "prepared", "initialized", "validated", "approved")
}
