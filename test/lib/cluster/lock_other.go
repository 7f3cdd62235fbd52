//go:build !unix

package cluster

import (
	"context"
	"errors"
	"runtime"
)

// errPlatform means that locks are for Unix only.
var errPlatform = errors.New("the test cluster runs on Linux and macOS, not on " + runtime.GOOS)

// errLocked means that another process holds the lock.
var errLocked = errors.New("locked by another process")

func lock(context.Context, string, func()) (unlock func(), err error) { return nil, errPlatform }

func tryLock(string) (unlock func(), err error) { return nil, errPlatform }
