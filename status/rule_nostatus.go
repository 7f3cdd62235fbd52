package status

// A kind without a status is current as soon as the API server has accepted
// the object: no controller reports on it, so there is nothing to wait for.
func noStatus(*Fields) Result {
	return Current("NoStatusExpected", "its kind has no status")
}
