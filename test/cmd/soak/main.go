package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/klog/v2"
)

func main() {
	var o options
	flag.DurationVar(&o.time, "time", 30*time.Minute, "how long to go on")
	flag.DurationVar(&o.round, "round", time.Minute, "how long a round takes")
	flag.Int64Var(&o.seed, "seed", time.Now().Unix(), "decides what is done and what breaks, in which order")
	flag.Parse()
	klog.LogToStderr(false) // client-go logs every refused connection
	klog.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := soak(ctx, o, os.Stdout)
	interrupted := ctx.Err() != nil
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	case interrupted:
		os.Exit(130)
	}
}

// options are the options of a soak.
type options struct {
	time, round time.Duration
	seed        int64
}

// soak runs all rounds, and returns an error if anything was wrong.
func soak(ctx context.Context, o options, out io.Writer) (err error) {
	began := time.Now()
	s, err := prepare(ctx, o, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	fmt.Fprintf(out, "soak: %s, seed %d, %d targets, up after %s\n", o.time, o.seed, len(s.targets), time.Since(began).Round(time.Second))
	if err := s.settle(ctx); err != nil { // memory measurements start here
		return s.verdict(ctx, err)
	}
	for end := time.Now().Add(o.time); time.Until(end) > o.round/4 && ctx.Err() == nil && !s.hasTooManyMismatches(); {
		s.round(ctx, min(o.round, time.Until(end)))
		if err := s.settle(ctx); err != nil {
			return s.verdict(ctx, err)
		}
	}
	return s.verdict(ctx, nil)
}

// round changes and breaks things for three quarters of its time; the rest is for repairs and
// for comparisons.
func (s *soakRun) round(ctx context.Context, d time.Duration) {
	ctx, stop := context.WithTimeout(ctx, d*3/4)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.causeFaults(ctx)
	}()
	s.work(ctx)
	<-done
}
