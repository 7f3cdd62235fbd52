// Package bubble lets time pass in tests that run in a bubble of testing/synctest.
package bubble

import "time"

// Sleep pauses a goroutine of a bubble. The clock of a bubble advances only while all its
// goroutines wait, and then at once. So Sleep takes no time, and what happens meanwhile does not
// depend on the speed of the machine. Outside a bubble Sleep panics: there, a test waits for a
// state.
func Sleep(d time.Duration) {
	if !isFake(time.Now()) {
		panic("bubble.Sleep outside a bubble of testing/synctest")
	}
	time.Sleep(d)
}

// isFake reports whether a time is of the clock of a bubble, which begins with the year 2000.
func isFake(t time.Time) bool { return t.Year() < 2010 }
