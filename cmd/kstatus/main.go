// Command kstatus tells whether Kubernetes objects are there yet, and if not,
// why not. Linked as kubectl-kstatus it is the kubectl plugin "kubectl kstatus".
//
// main.go and root.go are the frame, exit.go the exit codes. There is one file
// per command, get.go and wait.go among them; local*.go reads files as observed
// state, live*.go a cluster, output.go holds the lines that programs read, and
// view_*.go what people see.
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
