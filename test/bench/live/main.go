// Command live measures waiting on a real cluster, side by side with the
// watcher and the poller of fluxcd/cli-utils, in one run:
//
//	live rollout   many Deployments, until all are current and while all of them change
//	live foreign   one Deployment among unrelated objects
//	live many      many targets of many kinds: the time to sync, the memory, the cost of an event
//	live latency   from a write to the update about it, beside a bare watch
//	live waits     many waits at the same time, on one client and on a client each
//
// Each starts a cluster of its own, prints a table in Markdown, and stops the
// cluster. -h after the word prints its flags. Only the client is measured:
// each contender is a process of its own, except for latency, where one clock
// and one writer serve all.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

var verbs = map[string]func(context.Context, []string) error{
	"rollout": rollout,
	"foreign": foreign,
	"many":    many,
	"latency": latency,
	"waits":   waits,
	"child":   func(ctx context.Context, _ []string) error { return serve(ctx, os.Stdin, os.Stdout) },
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench live:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		if verb, ok := verbs[args[0]]; ok {
			return verb(ctx, args[1:])
		}
	}
	return errors.New("usage: live rollout|foreign|many|latency|waits [flags]")
}
