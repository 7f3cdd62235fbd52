//go:build !unix

package bench

import "time"

// spent returns the time of the clock, where that of the processor is not known.
func spent() time.Duration { return time.Duration(time.Now().UnixNano()) }
