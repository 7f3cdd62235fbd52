// Command cluster runs the test cluster for people and scripts.
//
//	go run ./test/cmd/cluster build              build the programs of the cluster, Cluster API and clients, once
//	go run ./test/cmd/cluster build nodes        build also those of real Nodes
//	go run ./test/cmd/cluster up                 start a cluster and leave it running
//	go run ./test/cmd/cluster down               stop that one
//	go run ./test/cmd/cluster run -- CMD ARG…    start a cluster for as long as CMD runs
//	go run ./test/cmd/cluster apply -f FILE|DIR  apply manifests to the cluster of KUBECONFIG
//	go run ./test/cmd/cluster apply -k DIR       the same for a kustomization
//	go run ./test/cmd/cluster delete -f|-k …     delete what apply applied
//
// Progress goes to standard error. Standard output is only for scripts: up prints the line that
// sets KUBECONFIG.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"kstatus.dev/test/lib/cluster"
)

// verbs are the subcommands. serve is what up runs in the background.
var verbs = map[string]func(context.Context, []string) error{
	"build":  build,
	"up":     up,
	"serve":  serve,
	"down":   down,
	"run":    run,
	"apply":  applyManifests,
	"delete": deleteManifests,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(code(dispatch(ctx, os.Args[1:])))
}

func dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	verb, known := verbs[args[0]]
	if !known {
		return errUsage
	}
	return verb(ctx, args[1:])
}

var errUsage = errors.New("usage: cluster build [nodes] | up | down | run -- CMD ARG… | apply -f FILE|DIR | apply -k DIR | delete -f|-k …")

// code prints an error and returns its exit code. It prints no error of the command that run
// has run, because that command prints its own.
func code(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "cluster: interrupted")
		return 130
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	fmt.Fprintf(os.Stderr, "cluster: %v\n", err)
	return 1
}

func build(ctx context.Context, args []string) error {
	if len(args) > 0 && !slices.Equal(args, []string{"nodes"}) {
		return errUsage
	}
	if err := cluster.Build(ctx, os.Stderr); err != nil {
		return err
	}
	if err := cluster.BuildClusterAPI(ctx, os.Stderr); err != nil {
		return err
	}
	if len(args) > 0 {
		if err := cluster.BuildRealNodes(ctx, os.Stderr); err != nil {
			return err
		}
	}
	_, err := cluster.BuildClients(ctx, os.Stderr)
	return err
}

// run starts a cluster, runs a command with KUBECONFIG set to it, and stops the cluster. Ctrl-C
// also reaches the command, which is in our process group. run waits for it to exit.
func run(ctx context.Context, args []string) (err error) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return errUsage
	}
	c, err := cluster.Start(ctx, cluster.Options{})
	if err != nil {
		return err
	}
	defer func() {
		if stopErr := c.Stop(); stopErr != nil {
			err = errors.Join(err, stopErr)
		}
	}()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(environ("KUBECONFIG"), "KUBECONFIG="+c.Kubeconfig())
	if err := cmd.Start(); err != nil {
		return err
	}
	unregister := context.AfterFunc(ctx, func() {
		// SIGTERM reaches only this process, so forward it; for Ctrl-C this changes nothing.
		_ = cmd.Process.Signal(syscall.SIGTERM)
	})
	defer unregister()
	err = cmd.Wait()
	if ctx.Err() != nil && cmd.ProcessState.ExitCode() < 0 {
		return ctx.Err()
	}
	return err
}

// environ returns our environment without one variable.
func environ(without string) []string {
	var kept []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, without+"=") {
			kept = append(kept, v)
		}
	}
	return kept
}
