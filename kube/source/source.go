// Package source lets an [observe.Watcher] see a cluster.
//
// Of a kind a few objects are read by their names, more of them by one list and
// watch for each namespace or one for the whole cluster, so that the number of
// requests does not grow with that of the targets. A selection is one list and
// watch. What may not be read in one way is read in the next best that is
// permitted, down to getting single objects again and again.
//
// An object is judged as it comes in and then forgotten; of objects that nobody
// asked for nothing is kept. That an object is gone is told when a live read
// has confirmed it. What goes wrong with one kind concerns the targets of that
// kind only, and is tried again.
//
// source.go is the whole in short. plan.go says which streams there are for the
// targets of a kind, and step.go what instead where they are refused. stream.go
// is one of them, hear.go what it takes from a watch, look.go how it makes sure
// that it misses nothing, poll.go what is done where there may be none, and
// request.go what is asked of the server. store.go keeps what has been told of
// targets, trim.go what is never kept of objects. parts.go says what targets are
// made of, as family.go counts it and strand.go reads it, endpoints.go what
// Services rest on. kinds.go says how a kind is found, lessons.go, silence.go,
// classes.go and promises.go what is learnt besides, connection.go how the server is reached and
// progress.go when it is given up, trouble.go what errors mean, and needs.go which
// permissions all that takes.
package source

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/parts"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"kstatus.dev/kube/expect"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Cluster is an [observe.Source]. Only Config is required.
type Cluster struct {
	Config    *rest.Config
	Mapper    meta.RESTMapper // asked first how a kind is served; nil: only the cluster is
	Namespace string          // where targets of namespaced kinds are that name none; empty: those are BadScope
	Data      bool            // read the data of ConfigMaps, for goals that look at them; those of Secrets never are

	// Every, if not zero, is how often objects are listed instead of being
	// watched: each kind once in each namespace, or once in all if there are many;
	// less often if a list takes longer, or if there are more than ten a second.
	Every time.Duration

	// Endpoints has Services that have a selector wait for an endpoint that is
	// ready. It needs Learn, which is given, as often as that changes, one
	// EndpointSlice by the name of the Service that stands for all that it has.
	Endpoints bool

	// Learn, if set, is given the definition of each kind that status has no
	// rule for, where there is one and it may be read, before an object of that
	// kind is seen, and before a PersistentVolumeClaim is, the StorageClasses. It
	// may be called from any goroutine.
	Learn func(definition status.Object)

	// Kinds, if set besides Learn, is taught what there is to know of a kind apart
	// from its definition: what its OpenAPI document says where the definition may
	// not be read, and what other objects of the kind show where the schema leaves
	// open what a controller reports, or where one is silent on what it promises.
	Kinds *expect.Kinds

	// Said, if set, is told in one line, once, when something may not be read in
	// the best way and is read in another. It may be called from any goroutine.
	Said func(note string)
}

// A session is one call that reads a cluster: the client, and what it has learnt.
type session struct {
	*client.Client
	schemas   schemas
	namespace string
	data      bool
	endpoints bool // of Services matter
}

func (c *Cluster) connect() (*session, error) {
	l, err := client.New(c.Config, client.Options{Mapper: c.Mapper, Every: c.Every, Note: c.Said})
	if err != nil {
		return nil, err
	}
	s := &session{Client: l, namespace: c.Namespace, data: c.Data, endpoints: c.Endpoints && c.Learn != nil}
	s.schemas = schemas{onSchema: c.Learn, builtin: status.Builtin()}
	s.schemas.reader = expect.Reader{Kinds: c.Kinds, Learn: c.Learn, Objects: l.Objects, Server: l.Server}
	return s, nil
}

// Observe reports every target once, then again at every change, until ctx
// ends. Lost credentials end it as well, with an error.
func (c *Cluster) Observe(ctx context.Context, targets []observe.Target, saw func(observe.Sighting) (open bool)) error {
	s, err := c.connect()
	if err != nil {
		return fmt.Errorf("connect to %s: %w", c.Config.Host, err)
	}
	defer s.Close()
	ctx, stop := context.WithCancelCause(klog.NewContext(ctx, klog.Logger{}))
	defer stop(nil)
	var plans sync.WaitGroup
	parts := parts.New(ctx, parts.Config{
		Client: s.Client, Namespace: s.namespace, Endpoints: s.endpoints, Learn: c.Learn, Targets: targets, Report: saw,
	})
	for _, p := range s.strategies(targets, saw, parts) {
		plans.Go(func() {
			if err := p.run(ctx); err != nil {
				stop(err)
			}
		})
	}
	<-ctx.Done()
	plans.Wait()
	parts.Wait()
	if err := context.Cause(ctx); client.IsFatal(err) {
		return err
	}
	return nil
}
