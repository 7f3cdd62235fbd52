//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processorTime returns the processor time that this process has used, including garbage
// collection. Other processes do not affect it.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
