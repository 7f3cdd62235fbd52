//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/test/bench"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/process"
)

// A contender moves everything from one kubeconfig to another.
type contender struct {
	name    string
	command func(ctx context.Context, dir, from, to string) (*exec.Cmd, error)
}

// program returns a command with the flags for both clusters that clusterctl and kstatus have.
func program(path string, args ...string) func(context.Context, string, string, string) (*exec.Cmd, error) {
	return func(ctx context.Context, _, from, to string) (*exec.Cmd, error) {
		return exec.CommandContext(ctx, path, append(args, "--kubeconfig", from, "--to-kubeconfig", to)...), nil
	}
}

// childVariable has the orders for a process of this program that only moves.
const childVariable = "KSTATUS_BENCH_MOVER"

// orders are what such a process moves.
type orders struct{ From, To, Journal string }

// child returns a command that moves with kstatus as a library, and the limits of clusterctl.
func child(ctx context.Context, dir, from, to string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(orders{from, to, filepath.Join(dir, "limited.json")})
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), childVariable+"="+string(encoded))
	return cmd, nil
}

// The limits of clusterctl v1.14.2, from cmd/clusterctl/client/cluster/proxy.go. It makes a new client
// for each object, so they hardly ever limit it.
const (
	clusterctlQPS   = 500
	clusterctlBurst = 1000
)

// runChild carries out orders.
func runChild(ctx context.Context, encoded string) error {
	var o orders
	if err := json.Unmarshal([]byte(encoded), &o); err != nil {
		return err
	}
	began := time.Now()
	options := move.Options{
		Scope: plan.Scope{Namespaces: []string{namespace}}, Journal: o.Journal,
		OnEvent: func(e move.Event) {
			if e.Object == "" && e.Total == 0 {
				fmt.Fprintf(os.Stderr, "%5.1f s: %s %d\n", time.Since(began).Seconds(), e.Phase, e.Step)
			}
		},
	}
	var err error
	if options.Source, err = clientcmd.BuildConfigFromFlags("", o.From); err != nil {
		return err
	}
	if options.Target, err = clientcmd.BuildConfigFromFlags("", o.To); err != nil {
		return err
	}
	options.Source.QPS, options.Source.Burst = clusterctlQPS, clusterctlBurst
	options.Target.QPS, options.Target.Burst = clusterctlQPS, clusterctlBurst
	m, err := move.New(ctx, options)
	if err != nil {
		return err
	}
	defer m.Close()
	p, err := m.Plan(ctx)
	if err == nil {
		_, err = m.Run(ctx, p)
	}
	return err
}

// measure moves everything from one side to the other, and prints the row.
func (c contender) measure(ctx context.Context, dir string, from, to *side, o options) error {
	if err := from.settle(ctx, o.clusters, o.machines); err != nil {
		return err
	}
	proxies, configs := [2]*faults.Proxy{}, [2]string{}
	for i, s := range []*side{from, to} {
		p, err := faults.New(s.Config())
		if err != nil {
			return err
		}
		defer p.Close()
		place, err := os.MkdirTemp(dir, "side-")
		if err != nil {
			return err
		}
		if configs[i], err = p.Kubeconfig(place); err != nil {
			return err
		}
		proxies[i] = p
	}
	cmd, err := c.command(ctx, dir, configs[0], configs[1])
	if err != nil {
		return err
	}
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	began, before := time.Now(), from.processor()+to.processor()
	err = cmd.Run()
	took := time.Since(began)
	fmt.Fprintf(os.Stderr, "bench move: %s:\n%s\n", c.name, process.LastLines(out.String(), 40))
	if err != nil {
		return err
	}
	if err := to.waitReported(ctx); err != nil {
		return err
	}
	reported, used := time.Since(began), from.processor()+to.processor()-before
	if err := errors.Join(from.count(ctx, 0), to.count(ctx, objects(o.clusters, o.machines))); err != nil {
		return err
	}
	counts := countRequests(proxies[:])
	row := []string{c.name, fmt.Sprintf("%.0f s", took.Seconds()), fmt.Sprintf("%.0f s", reported.Seconds()), fmt.Sprint(counts["all"]), fmt.Sprintf("%.1f", float64(counts["all"])/float64(objects(o.clusters, o.machines)))}
	for _, verb := range verbs {
		row = append(row, fmt.Sprint(counts[verb]))
	}
	state := cmd.ProcessState
	row = append(row, fmt.Sprintf("%d MiB", bench.PeakOf(state)>>20), fmt.Sprintf("%.0f s", (state.UserTime()+state.SystemTime()).Seconds()), fmt.Sprintf("%.0f s", used.Seconds()))
	fmt.Println("| " + strings.Join(row, " | ") + " |")
	return nil
}

// verbs are the columns with requests.
var verbs = []string{"discovery", "get", "list", "watch", "create", "update", "patch", "delete"}

// countRequests returns the requests of proxies by verb, and all of them.
func countRequests(proxies []*faults.Proxy) map[string]int {
	counts := map[string]int{}
	for _, p := range proxies {
		for lines := bufio.NewScanner(strings.NewReader(p.Requests())); lines.Scan(); {
			var verb, resource string
			var n int
			if _, err := fmt.Sscan(lines.Text(), &verb, &resource, &n); err != nil {
				continue
			}
			if strings.HasPrefix(resource, "/") {
				verb = "discovery"
			}
			counts[verb] += n
			counts["all"] += n
		}
	}
	return counts
}
