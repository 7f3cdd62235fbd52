// Package source lets an [observe.Watcher] see a cluster.
//
// It reads few objects of a kind by their names, more of them by one list and
// watch for each namespace, and many by one for the whole cluster, so that the
// number of requests does not grow with the number of targets. A selection is
// one list and watch. What RBAC forbids to read in one way is read in the next
// best, down to getting single objects again and again.
//
// An object is judged as it comes in and then forgotten; nothing is kept of
// objects that are no targets. A deletion is reported once a live read has
// confirmed it. A failure of one kind concerns the targets of that kind only,
// and is retried.
//
// source.go is the whole in short, and client.go what calls share. strategy.go decides how
// the targets of a kind are read, fallback.go and poll.go what to do where that is refused.
// targets.go keeps what has been reported. schemas.go, gate.go, peers.go,
// storage_classes.go and knowledge.go load what verdicts rest on besides the objects. parts.go reads Pods once.
// permissions.go says which permissions all that takes.
//
// Three packages are its own: client reaches the server, listwatch reads the
// objects of a scope, and parts tracks what the controllers of targets have made.
package source

import (
	"context"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/parts"
	"kstatus.dev/observe"
)

// A Cluster is an [observe.Source]. Config is required, or Client. What custom kinds
// promise about their status is read, and with each event the Watcher gets what it takes to
// judge by that: no object of a custom kind is Current before its controller has reported.
type Cluster struct {
	Config *rest.Config // of a connection for each call of its own
	Client *Client      // a connection that calls share, instead of Config

	Namespace string // of targets of namespaced kinds that name none; empty: those are BadScope

	// Interval, if not zero, is how often objects are listed instead of being
	// watched: each kind once in each namespace, or once in all if there are many;
	// less often if a list takes longer, or if there are more than ten a second.
	Interval time.Duration

	ReadConfigMapData bool // read the data of ConfigMaps, for goals that look at them; those of Secrets never are
	WaitForEndpoints  bool // a Service with a selector is InProgress until it has a ready endpoint

	// PartsFirst is for callers that stop when every target has been reported: a workload
	// that is not Current is reported once its Pods have been listed, and nothing reads them again.
	PartsFirst bool

	// OnNote, if set, receives a line, once, when something may not be read in the
	// best way and is read in another. It may be called from any goroutine.
	OnNote func(note string)
}

// Observe reports every target once, then again at every change, until ctx
// ends. Lost credentials end it as well, with an error.
func (c *Cluster) Observe(ctx context.Context, targets []observe.Target, report func(observe.Event) (pending bool)) error {
	s, err := c.connect()
	if err != nil {
		return err
	}
	defer s.close()
	ctx, stop := context.WithCancelCause(klog.NewContext(ctx, klog.Logger{}))
	defer stop(nil)
	report = s.withEvaluator(report)
	var strategies sync.WaitGroup
	if c.PartsFirst {
		look := newFirstLook(s, targets, report)
		report = look.add
		strategies.Go(func() { look.run(ctx) })
	}
	tracker := parts.New(ctx, parts.Config{
		Client: s.Session, Namespace: s.namespace, Endpoints: s.endpoints, Learn: s.related.learn, Targets: targets, Report: report,
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
