// Command kstatus waits until Kubernetes objects are ready, and explains what is missing.
// Linked as kubectl-kstatus, it is the kubectl plugin "kubectl kstatus".
//
// This package contains the process and the command tree. Each command is a package below
// internal/command. The other packages below internal are shared by the commands, and do not
// depend on them.
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
