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
)

func main() {
	env := environment{
		in:      os.Stdin,
		out:     os.Stdout,
		err:     os.Stderr,
		environ: os.Environ(),
		now:     time.Now,
	}
	os.Exit(int(run(context.Background(), env, os.Args)))
}
