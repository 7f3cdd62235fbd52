package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"

	"kstatus.dev/test/lib/catalog"
	"kstatus.dev/test/lib/stutter"
)

// localServers are the goroutines that serve a cluster from within this process.
type localServers struct {
	cancel context.CancelFunc
	group  sync.WaitGroup
}

// start runs a local server, which must end with the context of the cluster.
func (s *localServers) start(run func()) { s.group.Go(run) }

// stop ends all local servers and waits for them.
func (s *localServers) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.group.Wait()
}

// serve starts the local servers of the cluster: the metrics API, the logs of Pods, and the
// controller of examples/shop. ctx bounds the start only.
func (c *Cluster) serve(ctx, life context.Context) error {
	if err := c.serveMetrics(ctx, life); err != nil {
		return fmt.Errorf("the metrics API: %w", err)
	}
	if err := c.serveLogs(life); err != nil {
		return fmt.Errorf("the logs of Pods: %w", err)
	}
	c.localServers.start(func() {
		if err := catalog.Run(life, c.plan.Requests(c.config)); err != nil {
			fmt.Fprintf(c.log, "cluster: the controller of Catalogs ended: %v\n", err)
		}
	})
	return nil
}

// stutterPlan returns the plan of the environment, with programs of the cluster only.
func stutterPlan() (stutter.Plan, error) {
	plan, err := stutter.FromEnvironment()
	if err != nil {
		return plan, err
	}
	known := append(slices.Clone(startOrder), ClusterAPI, stutter.Controllers)
	for _, name := range plan.Names() {
		if !slices.Contains(known, Program(name)) {
			return plan, fmt.Errorf("%s: want one of %s, have %q", stutter.Variable, known, name)
		}
	}
	return plan, nil
}

// stutter stops and continues programs while tests run, if the environment requests it.
func (c *Cluster) stutter(life context.Context) {
	for name, program := range c.processes {
		c.localServers.start(func() { c.plan.Run(life, string(name), program) })
	}
}

// startServer serves HTTPS with the certificate of the cluster, until the cluster ends.
func (c *Cluster) startServer(life context.Context, what string, listener net.Listener, handler http.Handler) error {
	certificate, err := tls.LoadX509KeyPair(c.layout.creds.cert, c.layout.creds.key)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:     handler,
		TLSConfig:   &tls.Config{Certificates: []tls.Certificate{certificate}},
		ErrorLog:    log.New(io.Discard, "", 0), // errors of closed connections do not matter
		BaseContext: func(net.Listener) context.Context { return life },
	}
	c.localServers.start(func() {
		if err := server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintf(c.log, "cluster: %s ended: %v\n", what, err)
		}
	})
	c.localServers.start(func() {
		<-life.Done()
		server.Close()
	})
	return nil
}
