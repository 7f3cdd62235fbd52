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
	"kstatus.dev/cmd/kstatus/internal/manifest"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == manifest.BuildArgument {
		os.Exit(manifest.BuildMain(os.Args[2:], os.Stdout))
	}
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	env := cli.Env{
		In:      os.Stdin,
		Out:     os.Stdout,
		Err:     os.Stderr,
		Environ: os.Environ(),
		Now:     time.Now,
		Program: program,
	}
	env.GuardLogs()
	os.Exit(int(run(context.Background(), env, os.Args)))
}
