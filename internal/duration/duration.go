// Package duration writes durations for people, in whole seconds.
package duration

import (
	"fmt"
	"time"
)

// Clock returns a duration as minutes and seconds: 01:58.
func Clock(d time.Duration) string {
	s := int64(max(0, d) / time.Second)
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}

// Text returns a duration in whole seconds as people write it: 12s, 1m01s, 10m, 1h05m.
func Text(d time.Duration) string {
	s := int64(max(0, d) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600 && s%60 == 0:
		return fmt.Sprintf("%dm", s/60)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s%60 == 0:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dh%02dm%02ds", s/3600, s/60%60, s%60)
}

// For returns " for 12s", or nothing for less than a second.
func For(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return " for " + Text(d)
}
