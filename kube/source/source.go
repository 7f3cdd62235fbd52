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
// source.go is the whole in short. strategy.go decides how the targets of a kind
// are read, fallback.go and poll.go what to do where that is refused. targets.go
// keeps what has been reported. schemas.go, peers.go, storage_classes.go and
// promises.go load what verdicts rest on besides the objects. needs.go says which
// permissions all that takes.
//
// Three packages are its own: client reaches the server, listwatch reads the
// objects of a scope, and parts tracks what the controllers of targets have made.
package source

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"kstatus.dev/kube/expect"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/parts"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Cluster is an [observe.Source]. Only Config is required.
type Cluster struct {
	Config            *rest.Config
	Mapper            meta.RESTMapper // asked first how a kind is served; nil: only the cluster is
	Namespace         string          // where targets of namespaced kinds are that name none; empty: those are BadScope
	ReadConfigMapData bool            // read the data of ConfigMaps, for goals that look at them; those of Secrets never are

	// Every, if not zero, is how often objects are listed instead of being
	// watched: each kind once in each namespace, or once in all if there are many;
	// less often if a list takes longer, or if there are more than ten a second.
	Interval time.Duration

	// Endpoints makes Services with a selector wait for a ready endpoint. It
	// requires Learn, which receives one EndpointSlice with the name of the
	// Service, in place of all it has, whenever that changes.
	WaitForEndpoints bool

	// Learn, if set, receives the definition of each kind without a rule before
	// the first object of that kind is reported, if it exists and may be read. It
	// also receives the StorageClasses before the first PersistentVolumeClaim. It
	// may be called from any goroutine.
	Learn func(definition status.Object)

	// Kinds, if set, also learns about kinds from their OpenAPI document, where the
	// definition is forbidden, and from other objects of the kind, where the schema
	// does not say what the controller reports, or the controller does not report
	// what the schema promises. It requires Learn.
	Kinds *expect.Kinds

	// Said, if set, receives a line, once, when something may not be read in the
	// best way and is read in another. It may be called from any goroutine.
	OnNote func(note string)
}

// A session is one call that reads a cluster: the client, and the schemas that it has loaded.
type session struct {
	*client.Client
	schemas   schemas
	namespace string
	data      bool
	endpoints bool // Services rest on their endpoints
}

func (c *Cluster) connect() (*session, error) {
	server, err := client.New(c.Config, client.Options{Mapper: c.Mapper, Every: c.Interval, Note: c.OnNote})
	if err != nil {
		return nil, err
	}
	s := &session{Client: server, namespace: c.Namespace, data: c.ReadConfigMapData, endpoints: c.WaitForEndpoints && c.Learn != nil}
	s.schemas = schemas{onSchema: c.Learn, builtin: status.Builtin(), serverTime: server.Time, definitionVersion: server.DefinitionVersion}
	s.schemas.reader = expect.Reader{Kinds: c.Kinds, Learn: c.Learn, Objects: server.Objects, Server: server.Server}
	return s, nil
}

// Observe reports every target once, then again at every change, until ctx
// ends. Lost credentials end it as well, with an error.
func (c *Cluster) Observe(ctx context.Context, targets []observe.Target, saw func(observe.Event) (open bool)) error {
	s, err := c.connect()
	if err != nil {
		return fmt.Errorf("connect to %s: %w", c.Config.Host, err)
	}
	defer s.Close()
	ctx, stop := context.WithCancelCause(klog.NewContext(ctx, klog.Logger{}))
	defer stop(nil)
	var strategies sync.WaitGroup
	tracker := parts.New(ctx, parts.Config{
		Client: s.Client, Namespace: s.namespace, Endpoints: s.endpoints, Learn: c.Learn, Targets: targets, Report: saw,
	})
	for _, st := range s.strategies(targets, saw, tracker) {
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
