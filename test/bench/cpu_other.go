//go:build !unix

package bench

import (
	"os"
	"time"
)

// processorTime returns wall-clock time, because processor time is not available on this platform.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }

// PeakOf returns zero: the peak memory of a process is not available on this platform.
func PeakOf(*os.ProcessState) int64 { return 0 }
