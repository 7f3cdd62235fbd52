//go:build !linux

package hostile

import (
	"os"
	"time"
)

// processorTime returns zero: the time of a running process is not available on this platform.
func processorTime(*os.Process) time.Duration { return 0 }
