package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/witness"
)

// A soakRun is a cluster with its objects and its followers.
type soakRun struct {
	options
	out        io.Writer
	cluster    *cluster.Cluster
	proxy      *faults.Proxy
	objects    dynamic.Interface // bypasses all faults but those of the processes
	objectList []*testObject
	targets    []observe.Target
	rng        *rand.Rand // of the workload
	faultRand  *rand.Rand // of the faults

	expect     schema.Expectations
	history    *witness.History
	live       *witness.Live
	updates    uncheckedUpdates
	followers  []*follower
	rounds     waitRounds
	metrics    metrics
	mismatches mismatches

	stop  context.CancelFunc
	group sync.WaitGroup
}

// prepare starts everything.
func prepare(ctx context.Context, o options, out io.Writer) (*soakRun, error) {
	s := &soakRun{options: o, out: out, rng: rand.New(rand.NewPCG(uint64(o.seed), 1)), faultRand: rand.New(rand.NewPCG(uint64(o.seed), 2))}
	s.mismatches.out = out
	var err error
	if s.cluster, err = cluster.Start(ctx, cluster.Options{}); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// begin fills the cluster and starts the followers.
func (s *soakRun) begin(ctx context.Context) error {
	definitions, err := apply.Parse([]byte(definitionText()))
	if err != nil {
		return err
	}
	s.expect, err = schema.FromCRDs(definitions[0].Object, definitions[1].Object)
	if err != nil {
		return err
	}
	if err := apply.To(ctx, s.cluster.Config(), "default", definitions, nil); err != nil {
		return err
	}
	if s.proxy, err = faults.New(s.cluster.Config()); err != nil {
		return err
	}
	if s.objects, err = dynamic.NewForConfig(withTimeout(s.cluster.Config())); err != nil {
		return err
	}
	if s.live, err = witness.NewLive(withTimeout(s.cluster.Config()), status.Evaluator{Expect: s.expect}); err != nil {
		return err
	}
	s.objectList = testObjects()
	for _, t := range s.objectList {
		s.targets = append(s.targets, t.target())
	}
	background, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.history = witness.NewHistory(s.cluster.EtcdURL(), status.Evaluator{Expect: s.expect}, prefixes...)
	s.group.Go(func() {
		if err := s.history.Write(background, 1); err != nil {
			s.mismatches.add("%v", err)
		}
	})
	s.group.Go(func() { s.runController(background) })
	s.group.Go(func() { s.updates.check(background, s) })
	if err := s.fill(ctx); err != nil {
		return err
	}
	s.follow(background)
	return nil
}

// withTimeout sets a timeout for each request in config, so that no request hangs on a killed
// server.
func withTimeout(config *rest.Config) *rest.Config {
	config.Timeout = 10 * time.Second
	return config
}

// close ends everything, first the followers.
func (s *soakRun) close() error {
	if s.stop != nil {
		s.stop()
	}
	s.group.Wait()
	if s.proxy != nil {
		s.proxy.Close()
	}
	return s.cluster.Stop()
}

// mismatches are the findings. Soak continues after the first ones, up to a limit.
type mismatches struct {
	out io.Writer
	mu  sync.Mutex // guards n
	n   int
}

const maxMismatches = 10

func (w *mismatches) add(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	if w.n <= maxMismatches {
		fmt.Fprintf(w.out, "WRONG %s: %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
	}
}

func (w *mismatches) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n
}

func (s *soakRun) hasTooManyMismatches() bool { return s.mismatches.count() >= maxMismatches }
