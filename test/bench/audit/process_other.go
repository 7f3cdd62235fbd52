//go:build !unix

package main

import (
	"errors"
	"os"
)

// peak returns zero: the peak memory of a process is not available on this platform.
func peak(*os.ProcessState) int64 { return 0 }

// freeze and thaw are not available on this platform.
func freeze(*os.Process) error { return errors.ErrUnsupported }

func thaw(*os.Process) error { return errors.ErrUnsupported }
