package status

// An object of a kind without a status is Current when the API server has
// accepted it: no controller reports on it, so a caller has nothing to wait
// for.
func noStatus(*Fields) Result {
	return Current("NoStatusExpected", "its kind has no status")
}
