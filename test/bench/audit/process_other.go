//go:build !unix

package main

import (
	"errors"
	"os"
)

// suspend and resume are not available on this platform.
func suspend(*os.Process) error { return errors.ErrUnsupported }

func resume(*os.Process) error { return errors.ErrUnsupported }
