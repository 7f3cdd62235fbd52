package main

import (
	"context"
	"fmt"
	"time"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
)

// A fault causes a fault, and repairs it before it returns.
type fault struct {
	name string
	do   func(s *soakRun, ctx context.Context) error
}

var allFaults = []fault{
	{"the API server is killed", func(s *soakRun, ctx context.Context) error { return s.kill(ctx, 3, cluster.APIServer) }},
	{"the API server is restarted", func(s *soakRun, ctx context.Context) error { return s.cluster.Restart(ctx, cluster.APIServer) }},
	{"etcd is killed", func(s *soakRun, ctx context.Context) error { return s.kill(ctx, 3, cluster.Etcd) }},
	{"etcd and the API server are killed", func(s *soakRun, ctx context.Context) error {
		return s.kill(ctx, 2, cluster.APIServer, cluster.Etcd)
	}},
	{"the controller manager is killed", func(s *soakRun, ctx context.Context) error { return s.kill(ctx, 8, cluster.ControllerManager) }},
	{"the scheduler is killed", func(s *soakRun, ctx context.Context) error { return s.kill(ctx, 5, cluster.Scheduler) }},
	{"etcd forgets, and the API server is restarted", func(s *soakRun, ctx context.Context) error {
		if err := s.cluster.Compact(ctx); err != nil {
			return err
		}
		return s.kill(ctx, 1, cluster.APIServer)
	}},
	connectionFault("watches end after three events", watches, faults.Cut{Events: 3}),
	connectionFault("watches break off", watches, faults.Cut{Abort: true}),
	connectionFault("watches expire", watches, faults.Expire{}),
	connectionFault("watches end in the middle of an event", watches, faults.Truncate{}),
	connectionFault("watches turn into garbage", watches, faults.Garbage{}),
	connectionFault("events come twice", watches, faults.Duplicate{}),
	connectionFault("everything is late", faults.Match{}, faults.Delay{Min: 50 * time.Millisecond, Jitter: time.Second}),
	connectionFault("a third of the requests is refused", faults.Match{Share: 0.33}, faults.Answer{Code: 503}),
	connectionFault("all requests are to come again later", faults.Match{}, faults.Answer{Code: 429, RetryAfter: time.Second}),
	connectionFault("nothing works", faults.Match{}, faults.Answer{Code: 500}),
	connectionFault("connections are reset", faults.Match{Share: 0.5}, faults.Reset{}),
	connectionFault("connections go silent", faults.Match{}, faults.Silence{Connection: true}),
}

var watches = faults.Match{Verbs: []string{"watch"}}

// connectionFault is a fault of the connection, which affects only clients of the proxy.
func connectionFault(name string, m faults.Match, f faults.Fault) fault {
	return fault{name, func(s *soakRun, ctx context.Context) error {
		in := s.proxy.Inject(m, f)
		defer in.Off()
		s.rest(ctx, 2*time.Second, 8*time.Second)
		return nil
	}}
}

// causeFaults causes one fault after the other until ctx ends, and repairs all of them.
func (s *soakRun) causeFaults(ctx context.Context) {
	for s.rest(ctx, 3*time.Second, 6*time.Second) {
		b := allFaults[s.faultRand.IntN(len(allFaults))]
		s.metrics.countFault(b.name)
		// A fault in progress is repaired even after the end of ctx.
		repair, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Minute)
		err := b.do(s, repair)
		if err == nil {
			err = s.restartExited(repair)
		}
		cancel()
		if err != nil {
			s.mismatches.add("the cluster cannot be repaired after %s: %v", b.name, err)
			return
		}
	}
}

// restartExited restarts programs that have exited by themselves, as some do after a missed event.
func (s *soakRun) restartExited(ctx context.Context) error {
	for _, p := range []cluster.Program{cluster.Etcd, cluster.APIServer, cluster.ControllerManager, cluster.Scheduler, cluster.Kwok} {
		if s.cluster.Pid(p) != 0 {
			continue
		}
		s.metrics.countFault(string(p) + " ended by itself")
		if err := s.cluster.Restart(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// rest pauses, and returns false if ctx ends first.
func (s *soakRun) rest(ctx context.Context, least, most time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(least + time.Duration(s.faultRand.Int64N(int64(most-least)))):
		return true
	}
}

// kill ends programs, waits for up to the given seconds, and restarts them in reverse order.
func (s *soakRun) kill(ctx context.Context, most int64, programs ...cluster.Program) error {
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
