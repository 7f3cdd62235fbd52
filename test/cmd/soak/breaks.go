package main

import (
	"context"
	"fmt"
	"time"

	"kstatus.dev/test/cluster"
)

// A breakage is something that goes wrong, and is mended before it returns.
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
}

// breakThings breaks one thing after the other until ctx ends, and leaves nothing broken.
func (s *stage) breakThings(ctx context.Context) {
	for s.rest(ctx, 3*time.Second, 6*time.Second) {
		b := breakages[s.luck.IntN(len(breakages))]
		s.figures.broke(b.name)
		// What is under way is mended even if ctx has ended.
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

// revive starts again what has ended by itself, as some programs do when they find that
// they have missed something.
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

// kill ends programs, leaves them away for up to so many seconds, and starts them again in
// the opposite order.
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
