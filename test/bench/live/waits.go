package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
)

// waitSize is the number of objects of each of many waits.
const waitSize = 10

// waits measures many waits at the same time, as a controller runs them: each for a few objects
// in one of many namespaces.
func waits(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("waits", flag.ExitOnError)
	count := flags.Int("waits", 1000, "how many waits")
	spaces := flags.Int("namespaces", 50, "in how many namespaces")
	within := flags.Duration("within", 5*time.Minute, "how long each phase may take")
	s, who, err := prepare(ctx, flags, args, "one client,a client each")
	if err != nil {
		return err
	}
	defer s.close()
	c, err := s.collection(ctx, *count*waitSize, *spaces)
	if err != nil {
		return err
	}
	// Open waits verify their watches again and again, so they are never quiet.
	settled := instruction{Do: "rest", Seconds: 20}
	all, err := s.following(ctx, who, c.targets, *within, settled)
	if err != nil {
		return err
	}
	defer all.stop()
	if err := c.touch(ctx); err != nil {
		return err
	}
	touched, err := all.all(settled)
	if err != nil {
		return err
	}
	t := table{title: fmt.Sprintf("%d waits for %d objects each, of %d kinds in %d namespaces", *count, waitSize, len(c.kinds), *spaces), columns: all.names()}
	t.add("time to sync", seconds, all.cells(func(i int) float64 { return all.synced[i].At.Sub(all.before[i].At).Seconds() })...)
	t.addPlain("targets not read by then", number, all.cells(func(i int) float64 { return float64(all.synced[i].Behind) })...)
	t.add("requests to sync, with discovery", number, all.cells(func(i int) float64 {
		used := all.synced[i].Since(all.before[i].Usage)
		return float64(used.Requests + used.Discovery)
	})...)
	t.add("processor time to sync", seconds, all.cells(func(i int) float64 { return all.synced[i].Since(all.before[i].Usage).Processor.Seconds() })...)
	t.add("goroutines", number, all.cells(func(i int) float64 { return float64(all.quiet[i].Routines - all.before[i].Routines) })...)
	t.add("heap kept", megabytes, all.cells(all.heapGrowth)...)
	t.add("stacks kept", megabytes, all.cells(func(i int) float64 { return float64(all.quiet[i].Stacks - all.before[i].Stacks) })...)
	t.events(all, touched)
	t.add("peak memory", megabytes, peaks(touched)...)
	return t.print(os.Stdout)
}

// followOnOneClient follows the targets with many waits that share a client.
func followOnOneClient(ctx context.Context, config *rest.Config, targets []observe.Target, hear func(update)) error {
	client, err := source.NewClient(config, source.Options{})
	if err != nil {
		return err
	}
	defer client.Close()
	return followApart(ctx, wait.Resolver{Client: client}, targets, hear)
}

// followOnManyClients follows the targets with many waits that have a client each.
func followOnManyClients(ctx context.Context, config *rest.Config, targets []observe.Target, hear func(update)) error {
	return followApart(ctx, wait.Resolver{Config: config}, targets, hear)
}

// followApart follows small groups of targets, each with a wait of its own. No target is ever
// deleted, so no wait ends.
func followApart(ctx context.Context, r wait.Resolver, targets []observe.Target, hear func(update)) error {
	r.Requirements.Goals = []observe.Goal{goal.Deleted()}
	var running sync.WaitGroup
	var mu sync.Mutex // guards failed, and serializes updates
	var failed error
	for few := range slices.Chunk(targets, waitSize) {
		running.Go(func() {
			for e, err := range r.WaitForStatus(ctx, few...) {
				mu.Lock()
				if err != nil && ctx.Err() == nil {
					failed = errors.Join(failed, err)
				} else if err == nil {
					hear(update{e.Target, e.Result.Status, e.Version.Generation})
				}
				mu.Unlock()
			}
		})
	}
	running.Wait()
	return failed
}
