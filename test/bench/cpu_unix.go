//go:build unix

package bench

import (
	"os"
	"runtime"
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

// PeakOf returns the peak memory of a process that has ended, in bytes.
func PeakOf(s *os.ProcessState) int64 {
	used, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(used.Maxrss)
	}
	return int64(used.Maxrss) << 10
}
