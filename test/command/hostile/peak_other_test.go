//go:build !linux

package hostile

import "os"

// peak returns zero: the memory of a process is not available on this platform.
func peak(*os.ProcessState) int64 { return 0 }
