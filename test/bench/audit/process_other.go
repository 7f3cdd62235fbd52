//go:build !unix

package main

import (
	"errors"
	"os"
)

// peak returns zero: what memory a process has had is not known here.
func peak(*os.ProcessState) int64 { return 0 }

// freeze would stop a process, and thaw let it go on.
func freeze(*os.Process) error { return errors.ErrUnsupported }

func thaw(*os.Process) error { return errors.ErrUnsupported }
