//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the peak memory of a process in bytes.
func peak(s *os.ProcessState) int64 {
	used, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(used.Maxrss)
	}
	return int64(used.Maxrss) << 10
}

// suspend stops a process, and resume continues it.
func suspend(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
