//go:build unix

// Command move moves the same Clusters with clusterctl and with kstatus, in one run, between two
// clusters with the core manager of Cluster API. It prints a row for each move, which has:
//
//   - the time until the process ends, and until the controllers of the target have reported
//   - the requests by verb
//   - the peak memory and the processor time of the process
//   - the processor time of both clusters until then, which hardly depends on other load
//
// Usage, at the root of the workspace:
//
//	make bin/kstatus && go run ./test/bench/move [-clusters 50] [-machines 33]
//
// kstatus moves once with the rate limits that clusterctl has in its code, and once without limits.
// Each move goes the way back of the one before. The requests pass proxies that count them. The
// bench plays the provider: it reports as the contract asks for, and writes nothing else.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"kstatus.dev/test/lib/cluster"
)

// An options is what to move, and with which programs.
type options struct {
	clusters, machines int
	kstatus            string
	only               string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench move:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	if encoded := os.Getenv(childVariable); encoded != "" {
		return runChild(ctx, encoded)
	}
	var o options
	flag.IntVar(&o.clusters, "clusters", 50, "how many Clusters")
	flag.IntVar(&o.machines, "machines", 33, "how many Machines each Cluster has")
	flag.StringVar(&o.kstatus, "kstatus", "bin/kstatus", "the command that moves without limits")
	flag.StringVar(&o.only, "only", "", "only the contenders whose name contains this text")
	flag.Parse()
	dir, err := os.MkdirTemp("", "kstatus-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	clusterctl, version, err := clusterctlTools.Build(ctx, os.Stderr)
	if err != nil {
		return err
	}
	if o.kstatus, err = filepath.Abs(o.kstatus); err != nil {
		return err
	}
	here, there, err := startSides(ctx)
	defer here.stop()
	defer there.stop()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := here.create(ctx, o.clusters, o.machines); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "bench move: %d objects created in %s\n", objects(o.clusters, o.machines), time.Since(began).Round(time.Second))
	fmt.Printf("\n### %d Clusters with %d Machines each: %d objects\n\n", o.clusters, o.machines, objects(o.clusters, o.machines))
	fmt.Println("| moved by | time | until all controllers have reported | requests | an object | " + strings.Join(verbs, " | ") + " | peak memory | processor time | of both clusters |")
	fmt.Println("|---|---:|---:|---:|---:|" + strings.Repeat("---:|", len(verbs)) + "---:|---:|---:|")
	contenders := []contender{
		{"clusterctl " + version, program(filepath.Join(clusterctl, "clusterctl"), "move", "-n", namespace)},
		{"kstatus, with the limits of clusterctl", child},
		{"kstatus, without limits", program(o.kstatus, "capi", "move", "-n", namespace, "--progress", "log")},
	}
	for _, c := range contenders {
		if !strings.Contains(c.name, o.only) {
			continue
		}
		if err := c.measure(ctx, dir, here, there, o); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		here, there = there, here
	}
	return nil
}

// startSides starts both clusters, with their providers.
func startSides(ctx context.Context) (here, there *side, err error) {
	sides, errs, done := [2]*side{}, [2]error{}, make(chan struct{})
	for i := range sides {
		go func() {
			sides[i], errs[i] = startSide(ctx)
			done <- struct{}{}
		}()
	}
	for range sides {
		<-done
	}
	return sides[0], sides[1], errors.Join(errs[:]...)
}

// clusterctlTools is clusterctl, which only this bench builds.
var clusterctlTools = cluster.Tools{Folder: "clusterctl", Module: "sigs.k8s.io/cluster-api", Names: []string{"clusterctl"}}
