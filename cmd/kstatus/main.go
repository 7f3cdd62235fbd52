// Command kstatus waits until Kubernetes objects are ready, and explains what is
// not. Linked as kubectl-kstatus it is the kubectl plugin "kubectl kstatus".
//
// This package is the process and the tree of commands. Each command is a package of
// internal/command with its name. The other packages of internal are shared by commands, and do
// not depend on them.
package main

import (
	"context"
	"os"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
)

func main() {
	env := cli.Env{
		In:      os.Stdin,
		Out:     os.Stdout,
		Err:     os.Stderr,
		Environ: os.Environ(),
		Now:     time.Now,
	}
	os.Exit(int(run(context.Background(), env, os.Args)))
}
