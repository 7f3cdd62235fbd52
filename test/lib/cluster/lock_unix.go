//go:build unix

package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lock takes a lock on a file, which ends with this process. It calls waiting once if another
// process holds the lock.
func lock(ctx context.Context, path string, waiting func()) (unlock func(), err error) {
	for first := true; ; first = false {
		unlock, err := tryLock(path)
		if !errors.Is(err, errLocked) {
			return unlock, err
		}
		if first {
			waiting()
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// errLocked means that another process holds the lock.
var errLocked = errors.New("locked by another process")

func tryLock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return func() { f.Close() }, nil
}
