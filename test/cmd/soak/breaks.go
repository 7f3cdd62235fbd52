package main

import (
	"context"
	"fmt"
	"time"

	"kstatus.dev/test/cluster"
	"kstatus.dev/test/faults"
)

// A breakage causes a fault, and repairs it before it returns.
type breakage struct {
	name string
	do   func(s *stage, ctx context.Context) error
}

var breakages = []breakage{
	{"the API server is killed", func(s *stage, ctx context.Context) error { return s.kill(ctx, 3, cluster.APIServer) }},
	{"the API server is restarted", func(s *stage, ctx context.Context) error { return s.cluster.Restart(ctx, cluster.APIServer) }},
	{"etcd is killed", func(s *stage, ctx context.Context) error { return s.kill(ctx, 3, cluster.Etcd) }},
	{"etcd and the API server are killed", func(s *stage, ctx context.Context) error {
		return s.kill(ctx, 2, cluster.APIServer, cluster.Etcd)
	}},
	{"the controller manager is killed", func(s *stage, ctx context.Context) error { return s.kill(ctx, 8, cluster.ControllerManager) }},
	{"the scheduler is killed", func(s *stage, ctx context.Context) error { return s.kill(ctx, 5, cluster.Scheduler) }},
	{"etcd forgets, and the API server is restarted", func(s *stage, ctx context.Context) error {
		if err := s.cluster.Compact(ctx); err != nil {
			return err
		}
		return s.kill(ctx, 1, cluster.APIServer)
	}},
	wire("watches end after three events", watches, faults.Cut{Events: 3}),
	wire("watches break off", watches, faults.Cut{Abort: true}),
	wire("watches expire", watches, faults.Expire{}),
	wire("watches end in the middle of an event", watches, faults.Truncate{}),
	wire("watches turn into garbage", watches, faults.Garbage{}),
	wire("events come twice", watches, faults.Duplicate{}),
	wire("everything is late", faults.Match{}, faults.Delay{Min: 50 * time.Millisecond, Jitter: time.Second}),
	wire("a third of the requests is refused", faults.Match{Share: 0.33}, faults.Answer{Code: 503}),
	wire("all requests are to come again later", faults.Match{}, faults.Answer{Code: 429, RetryAfter: time.Second}),
	wire("nothing works", faults.Match{}, faults.Answer{Code: 500}),
	wire("connections are reset", faults.Match{Share: 0.5}, faults.Reset{}),
	wire("connections go silent", faults.Match{}, faults.Silence{Connection: true}),
}

var watches = faults.Match{Verbs: []string{"watch"}}

// wire is a fault of the connection, which affects only clients of the proxy.
func wire(name string, m faults.Match, f faults.Fault) breakage {
	return breakage{name, func(s *stage, ctx context.Context) error {
		in := s.proxy.Inject(m, f)
		defer in.Off()
		s.rest(ctx, 2*time.Second, 8*time.Second)
		return nil
	}}
}

// breakThings causes one fault after the other until ctx ends, and repairs all of them.
func (s *stage) breakThings(ctx context.Context) {
	for s.rest(ctx, 3*time.Second, 6*time.Second) {
		b := breakages[s.luck.IntN(len(breakages))]
		s.figures.broke(b.name)
		// A fault in progress is repaired even after the end of ctx.
		mend, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Minute)
		err := b.do(s, mend)
		if err == nil {
			err = s.revive(mend)
		}
		cancel()
		if err != nil {
			s.wrongs.add("the cluster cannot be mended after %s: %v", b.name, err)
			return
		}
	}
}

// revive restarts programs that have exited by themselves, as some do after a missed event.
func (s *stage) revive(ctx context.Context) error {
	for _, p := range []cluster.Program{cluster.Etcd, cluster.APIServer, cluster.ControllerManager, cluster.Scheduler, cluster.Kwok} {
		if s.cluster.Pid(p) != 0 {
			continue
		}
		s.figures.broke(string(p) + " ended by itself")
		if err := s.cluster.Restart(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// rest pauses, and returns false if ctx ends first.
func (s *stage) rest(ctx context.Context, least, most time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(least + time.Duration(s.luck.Int64N(int64(most-least)))):
		return true
	}
}

// kill ends programs, waits for up to the given seconds, and restarts them in reverse order.
func (s *stage) kill(ctx context.Context, most int64, programs ...cluster.Program) error {
	for _, p := range programs {
		if err := s.cluster.Kill(p); err != nil {
			return err
		}
	}
	s.rest(ctx, 0, time.Duration(most)*time.Second)
	for i := range programs {
		p := programs[len(programs)-1-i]
		if err := s.cluster.Restart(ctx, p); err != nil {
			return fmt.Errorf("restart %s: %w", p, err)
		}
	}
	return nil
}
