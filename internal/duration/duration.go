// Package duration formats durations for people.
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

// Text formats a duration in whole seconds: 12s, 1m01s, 10m, 1h05m. From a day
// on it uses [Rough].
func Text(d time.Duration) string {
	s := int64(max(0, d) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600 && s%60 == 0:
		return fmt.Sprintf("%dm", s/60)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case d >= 24*time.Hour:
		return Rough(d)
	case s%60 == 0:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dh%02dm%02ds", s/3600, s/60%60, s%60)
}

// Rough formats a duration in its largest unit with a value of at least two:
// 45s, 119s, 2m, 3h, 47h. From two days on it uses kubectl's format of ages:
// 3d4h, 10d, 2y30d.
func Rough(d time.Duration) string {
	d = max(0, d)
	hours := int64(d / time.Hour)
	days, years := hours/24, hours/24/365
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case hours < 48:
		return fmt.Sprintf("%dh", hours)
	case days < 8 && hours%24 > 0:
		return fmt.Sprintf("%dd%dh", days, hours%24)
	case years < 2:
		return fmt.Sprintf("%dd", days)
	case years < 8 && days%365 > 0:
		return fmt.Sprintf("%dy%dd", years, days%365)
	}
	return fmt.Sprintf("%dy", years)
}

// For returns " for 12s", or an empty text for less than a second.
func For(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return " for " + Text(d)
}
