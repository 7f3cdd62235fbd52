//go:build !unix

package bench

import "time"

// spent returns wall-clock time, because processor time is not available on this platform.
func spent() time.Duration { return time.Duration(time.Now().UnixNano()) }
