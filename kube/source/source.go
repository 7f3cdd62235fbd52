// Package source reads objects of a cluster for an [observe.Watcher].
//
// The number of requests does not grow with the number of targets. A few objects of a
// kind are read by their names. More are read with one list and watch per namespace, and
// many with one for the whole cluster. A selection is one list and watch. If RBAC forbids
// a request, the next best one is used, down to polling single objects.
//
// An object is judged when it arrives and then dropped; objects that are not targets are
// not kept. A deletion is reported after a live read has confirmed it. A failure of one
// kind concerns only the targets of that kind, and is retried.
//
// source.go is the API, and client.go has what calls share. strategy.go decides how the
// targets of a kind are read, fallback.go and poll.go what to do if that is forbidden.
// targets.go keeps the state of reported targets. schemas.go, gate.go, peers.go,
// storage_classes.go and related.go load other data that verdicts need. parts.go reads
// Pods once. permissions.go computes the needed permissions.
//
// Four packages are internal. client sends requests to the server, listwatch reads the objects of
// a scope, parts tracks the Pods and EndpointSlices of targets, and evictions reads events.
package source

import (
	"context"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"kstatus.dev/internal/crash"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/parts"
	"kstatus.dev/observe"
)

// Once is the interval of callers that read each object once. Few objects are then read by their names.
const Once = 1000 * time.Hour

// A Cluster is an [observe.Source]. Config or Client is required. It reads the schemas of custom
// kinds and adds an evaluator with them to each event. So no object of a custom kind is Current
// before its controller has reported.
type Cluster struct {
	Config *rest.Config // opens a new connection for each call
	Client *Client      // shares a connection between calls, instead of Config

	Namespace string // of namespaced targets without a namespace; empty: those are BadScope

	// Interval, if not zero, is how often objects are listed instead of being watched. Each kind is
	// listed once per namespace, or once for all namespaces if they are many. Polls are less
	// frequent if a list takes longer, or if they exceed ten per second. Callers that stop when every
	// target has been reported set [Once].
	Interval time.Duration

	ReadConfigMapData bool // read the data of ConfigMaps, for goals that use it; the data of Secrets is never read
	WaitForEndpoints  bool // a Service with a selector is InProgress until it has a ready endpoint

	// PartsFirst is for callers that stop when every target has been reported. A workload that is
	// not Current is reported after its Pods have been listed, and they are not read again.
	PartsFirst bool
	// FollowParts is for callers that show the first verdict on each target, and then watch. With
	// PartsFirst, Pods are watched after they have been listed.
	FollowParts bool

	// OnNote, if set, is called once for each restriction: when something may not be read in the
	// best way and is read in another. It must be safe for concurrent use.
	OnNote func(note string)
}

// Observe reports every target once, then again at every change, until ctx ends. Lost
// credentials also end it, with an error.
func (c *Cluster) Observe(ctx context.Context, targets []observe.Target, report func(observe.Event) (pending bool)) error {
	s, err := c.connect()
	if err != nil {
		return err
	}
	defer s.close()
	ctx, stop := context.WithCancelCause(klog.NewContext(ctx, klog.Logger{}))
	defer stop(nil)
	report = s.withEvaluator(report)
	var strategies crash.Group
	if c.PartsFirst {
		first := newPartsFirst(s, targets, report)
		first.follows = c.FollowParts
		report = first.add
		strategies.Go(func() { first.run(ctx) })
	}
	tracker := parts.New(ctx, parts.Config{
		Client: s.Session, Namespace: s.namespace, Endpoints: s.endpoints, AddRelated: s.related.add, Targets: targets, Report: report,
	})
	for _, st := range s.strategies(targets, report, tracker) {
		strategies.Go(func() {
			if err := st.run(ctx); err != nil {
				stop(err)
			}
		})
	}
	<-ctx.Done()
	strategies.Wait()
	tracker.Wait()
	if err := context.Cause(ctx); client.IsFatal(err) {
		return err
	}
	return nil
}
