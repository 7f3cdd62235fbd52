package hostile

import (
	"os"
	"syscall"
)

// peak returns how much memory a process has used at most, in MiB.
func peak(p *os.ProcessState) int64 {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss >> 10
	}
	return 0
}
