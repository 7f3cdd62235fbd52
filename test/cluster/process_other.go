//go:build !unix

package cluster

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
)

// errPlatform says that the cluster's programs are Unix programs.
var errPlatform = errors.New("the test cluster runs on Linux and macOS, not on " + runtime.GOOS)

// errLocked says that another process holds the lock.
var errLocked = errors.New("locked by another process")

func guard(*exec.Cmd) (release func(), err error) { return nil, errPlatform }

func interrupt(*exec.Cmd) error { return errPlatform }

func kill(*exec.Cmd) error { return errPlatform }

func lock(context.Context, string, func()) (unlock func(), err error) { return nil, errPlatform }

func tryLock(string) (unlock func(), err error) { return nil, errPlatform }
