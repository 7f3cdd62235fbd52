package hostile

import (
	"os"
	"syscall"
)

// peak returns the peak memory of a process in MiB.
func peak(p *os.ProcessState) int64 {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss >> 10
	}
	return 0
}
