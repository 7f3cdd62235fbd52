// Race waits many times for custom resources whose controllers are late, terse,
// devious or silent. It uses a cluster of its own, and prints how many waits ended
// before the controller had observed the object. The watcher of fluxcd/cli-utils
// runs beside it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"k8s.io/klog/v2"

	"kstatus.dev/test/engine/race"
	"kstatus.dev/test/lib/cluster"
)

func main() {
	runs := flag.Int("runs", 200, "how often each controller is waited for by each user")
	atOnce := flag.Int("at-once", 40, "how many waits are under way at once")
	only := flag.String("only", "", "only controllers whose name contains this")
	flag.Parse()
	klog.LogToStderr(false) // client-go logs closed connections
	klog.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *runs, *atOnce, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "race:", err)
		os.Exit(1)
	}
}

var errEarly = errors.New("waits ended too early, or by nothing but their timeout")

func run(ctx context.Context, runs, atOnce int, only string) (err error) {
	c, err := cluster.Start(ctx, cluster.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	o := race.Options{Runs: runs, AtOnce: atOnce, Group: "race.example.com", Peer: true, Done: show}
	for _, m := range race.Modes() {
		if strings.Contains(m.Name, only) {
			o.Modes = append(o.Modes, m)
		}
	}
	fmt.Println("| controller | reads definitions | lists others | runs | early | assumed | timed out | slowest, s | peer: runs | early |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	rows, err := race.Run(ctx, c, o)
	for _, row := range rows {
		for _, wrong := range row.Wrong {
			fmt.Println(wrong)
		}
		if row.Early > 0 || row.TimedOut > 0 {
			err = errors.Join(err, errEarly)
		}
	}
	return err
}

func show(r race.Row) {
	word := map[bool]string{true: "yes", false: "no"}
	fmt.Printf("| %s | %s | %s | %d | %d | %d | %d | %.1f | %d | %d |\n", r.Mode, word[r.Definitions], word[r.Others],
		r.Runs, r.Early, r.Assumed, r.TimedOut, r.Slowest, r.PeerRuns, r.PeerEarly)
}
