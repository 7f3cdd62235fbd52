package sleep

import "time"

// Earliest returns the first time that is not zero.
func Earliest(all ...time.Time) (first time.Time) {
	for _, t := range all {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	return first
}

// Latest returns the later one of two times.
func Latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
