//go:build !unix

package cluster

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
)

// errPlatform means that the cluster's programs run on Unix only.
var errPlatform = errors.New("the test cluster runs on Linux and macOS, not on " + runtime.GOOS)

// errLocked means that another process holds the lock.
var errLocked = errors.New("locked by another process")

func guard(*exec.Cmd) (release func(), err error) { return nil, errPlatform }

func interrupt(*exec.Cmd) error { return errPlatform }

func kill(*exec.Cmd) error { return errPlatform }

func lock(context.Context, string, func()) (unlock func(), err error) { return nil, errPlatform }

func tryLock(string) (unlock func(), err error) { return nil, errPlatform }
