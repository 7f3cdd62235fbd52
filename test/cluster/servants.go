package cluster

import (
	"context"
	"sync"
)

// servants are the goroutines that serve a cluster from within this process.
type servants struct {
	cancel context.CancelFunc
	group  sync.WaitGroup
}

// hire runs a servant until all are dismissed.
func (s *servants) hire(ctx context.Context, run func(context.Context)) {
	s.group.Go(func() { run(ctx) })
}

// dismiss ends all servants and waits for them.
func (s *servants) dismiss() {
	if s.cancel != nil {
		s.cancel()
	}
	s.group.Wait()
}

// serve starts the servants.
func (c *Cluster) serve(ctx context.Context) error {
	return nil
}
