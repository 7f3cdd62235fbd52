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
	"sync"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/internal/crash"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == manifest.BuildArgument {
		os.Exit(manifest.BuildMain(os.Args[2:], os.Stdout))
	}
	runProcess(processEnv())
}

// processEnv returns the environment of the process.
func processEnv() cli.Env {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	return cli.Env{
		In:      os.Stdin,
		Out:     os.Stdout,
		Err:     os.Stderr,
		Environ: os.Environ(),
		Now:     time.Now,
		Program: program,
	}
}

// runProcess runs the command line of the process, and ends the process with its exit code.
func runProcess(env cli.Env) {
	env.GuardLogs()
	var first sync.Once
	crash.Handle(func(p *crash.Panic) {
		first.Do(func() {
			env.WithGuard().PrintPanic(p)
			os.Exit(int(exit.Uncertain))
		})
	})
	os.Exit(int(run(context.Background(), env, os.Args)))
}
