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
	"kstatus.dev/test/apply"
	"kstatus.dev/test/cluster"
	"kstatus.dev/test/faults"
	"kstatus.dev/test/witness"
)

// A stage is a cluster with its objects and its followers.
type stage struct {
	options
	out     io.Writer
	cluster *cluster.Cluster
	proxy   *faults.Proxy
	objects dynamic.Interface // bypasses all faults but those of the processes
	things  []*thing
	targets []observe.Target
	rng     *rand.Rand // of the workload
	luck    *rand.Rand // of the faults

	expect    schema.Expectations
	chronicle *witness.Chronicle
	live      *witness.Live
	claims    claims
	followers []*follower
	rounds    waitRounds
	figures   figures
	wrongs    wrongs

	stop  context.CancelFunc
	group sync.WaitGroup
}

// prepare starts everything.
func prepare(ctx context.Context, o options, out io.Writer) (*stage, error) {
	s := &stage{options: o, out: out, rng: rand.New(rand.NewPCG(uint64(o.seed), 1)), luck: rand.New(rand.NewPCG(uint64(o.seed), 2))}
	s.wrongs.out = out
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
func (s *stage) begin(ctx context.Context) error {
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
	if s.objects, err = dynamic.NewForConfig(quick(s.cluster.Config())); err != nil {
		return err
	}
	if s.live, err = witness.NewLive(quick(s.cluster.Config()), status.Evaluator{Expect: s.expect}); err != nil {
		return err
	}
	s.things = things()
	for _, t := range s.things {
		s.targets = append(s.targets, t.target())
	}
	background, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.chronicle = witness.NewChronicle(s.cluster.EtcdURL(), status.Evaluator{Expect: s.expect}, prefixes...)
	s.group.Go(func() {
		if err := s.chronicle.Write(background, 1); err != nil {
			s.wrongs.add("%v", err)
		}
	})
	s.group.Go(func() { s.control(background) })
	s.group.Go(func() { s.claims.check(background, s) })
	if err := s.fill(ctx); err != nil {
		return err
	}
	s.follow(background)
	return nil
}

// quick sets a timeout for each request in config, so that no request hangs on a killed server.
func quick(config *rest.Config) *rest.Config {
	config.Timeout = 10 * time.Second
	return config
}

// close ends everything, first the followers.
func (s *stage) close() error {
	if s.stop != nil {
		s.stop()
	}
	s.group.Wait()
	if s.proxy != nil {
		s.proxy.Close()
	}
	return s.cluster.Stop()
}

// wrongs are the findings. Soak continues after the first ones, up to a limit.
type wrongs struct {
	out io.Writer
	mu  sync.Mutex // guards n
	n   int
}

const enough = 10

func (w *wrongs) add(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	if w.n <= enough {
		fmt.Fprintf(w.out, "WRONG %s: %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
	}
}

func (w *wrongs) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n
}

func (s *stage) hopeless() bool { return s.wrongs.count() >= enough }
