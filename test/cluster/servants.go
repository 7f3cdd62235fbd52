package cluster

import (
	"context"
	"fmt"
	"sync"

	"kstatus.dev/test/catalog"
)

// servants are the goroutines that serve a cluster from within this process.
type servants struct {
	cancel context.CancelFunc
	group  sync.WaitGroup
}

// hire runs a servant, which must end when the life of the cluster does.
func (s *servants) hire(run func()) { s.group.Go(run) }

// dismiss ends all servants and waits for them.
func (s *servants) dismiss() {
	if s.cancel != nil {
		s.cancel()
	}
	s.group.Wait()
}

// serve starts what this process does for the cluster: the metrics API, and the
// controller of examples/shop. ctx bounds the start only.
func (c *Cluster) serve(ctx context.Context) error {
	life, cancel := context.WithCancel(context.Background())
	c.servants.cancel = cancel
	if err := c.serveMetrics(ctx, life); err != nil {
		return fmt.Errorf("the metrics API: %w", err)
	}
	c.servants.hire(func() {
		if err := catalog.Run(life, c.Config()); err != nil {
			fmt.Fprintf(c.log, "cluster: the controller of Catalogs ended: %v\n", err)
		}
	})
	return nil
}
