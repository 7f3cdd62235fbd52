//go:build linux

// Command node is the one program that the Nodes of package node need in addition to those of
// Kubernetes and containerd. Its name decides what it does:
//
//   - node boot FILE is process 1 of a Node; see package boot.
//   - runc passes containers without a seccomp profile to the program runc.real next to it.
//   - app, in the images of package image, is a container that behaves well or badly.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kstatus.dev/test/lib/node/boot"
)

func main() {
	os.Exit(run(filepath.Base(os.Args[0]), os.Args))
}

func run(name string, args []string) int {
	var err error
	switch {
	case name == "runc":
		err = runc(args)
	case name == "app":
		return app(args[1:])
	case len(args) == 3 && args[1] == "boot":
		err = boot.Run(args[2])
	default:
		err = errors.New("usage: node boot FILE")
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return 1
	}
	return 0
}
