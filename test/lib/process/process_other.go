//go:build !unix

package process

import (
	"errors"
	"os/exec"
	"runtime"
)

// errPlatform means that the programs run on Unix only.
var errPlatform = errors.New("the programs of tests run on Linux and macOS, not on " + runtime.GOOS)

func startBound(*exec.Cmd) (release func(), err error) { return nil, errPlatform }

func interrupt(*exec.Cmd) error { return errPlatform }

func suspend(*exec.Cmd) error { return errPlatform }

func resume(*exec.Cmd) error { return errPlatform }

func kill(*exec.Cmd) error { return errPlatform }
