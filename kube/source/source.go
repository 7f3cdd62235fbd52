// Package source lets an [observe.Watcher] see a cluster.
//
// There is one list and watch per kind and namespace, whatever the number of
// targets, on client-go's reflector. An object is judged as it comes in and
// then forgotten; of objects that nobody asked for nothing is kept. What goes
// wrong with one kind concerns the targets of that kind only, and is tried
// again.
//
// source.go is the whole in short, stream.go one kind in one namespace,
// store.go what becomes of its objects, trim.go what is never kept of them,
// parts.go what targets are made of, as family.go counts it and strand.go reads it,
// kinds.go how a kind is found, lessons.go and promises.go what its definition
// teaches, trouble.go what errors mean, and needs.go which permissions all that takes.
package source

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/klog/v2"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Cluster is an [observe.Source]. Only Config is required.
type Cluster struct {
	Config    *rest.Config
	Mapper    meta.RESTMapper // nil: by discovery. One that can be reset is, when it does not know a kind
	Namespace string          // where targets of namespaced kinds are that name none; empty: those are BadScope
	Data      bool            // read the data of ConfigMaps, for goals that look at them; those of Secrets never are

	// Learn, if set, is given the definition of each kind that status has no
	// rule for, where there is one and it may be read, before an object of that
	// kind is seen, and before a PersistentVolumeClaim is, the StorageClasses. It
	// may be called from any goroutine.
	Learn func(definition status.Object)
}

// Observe reports every target once, then again at every change, until ctx
// ends. Lost credentials end it as well, with an error.
func (c *Cluster) Observe(ctx context.Context, targets []observe.Target, saw func(observe.Sighting) (open bool)) error {
	l, err := c.connect()
	if err != nil {
		return fmt.Errorf("connect to %s: %w", c.Config.Host, err)
	}
	defer utilnet.CloseIdleConnectionsFor(l.http.Transport)
	ctx, stop := context.WithCancelCause(klog.NewContext(ctx, klog.Logger{}))
	defer stop(nil)
	var streams sync.WaitGroup
	saw = (&families{link: l, targets: targets, tell: saw, ctx: ctx, tasks: &streams}).saw
	for where, targets := range grouped(targets) {
		s := &stream{link: l, kind: where.kind, namespace: where.namespace, targets: targets, saw: saw, data: c.Data}
		streams.Go(func() {
			if err := s.run(ctx); err != nil {
				stop(err)
			}
		})
	}
	<-ctx.Done()
	streams.Wait()
	l.calls.Lock()
	defer l.calls.Unlock()
	if err := context.Cause(ctx); ctx.Err() != nil && isFatal(err) {
		return err
	}
	return nil
}

// A place is a kind in a namespace.
type place struct {
	kind      status.Kind
	namespace string
}

// grouped sorts targets by place, and there by name.
func grouped(targets []observe.Target) map[place]map[string]observe.Target {
	groups := map[place]map[string]observe.Target{}
	for _, t := range targets {
		p := place{t.Kind, t.Namespace}
		if groups[p] == nil {
			groups[p] = map[string]observe.Target{}
		}
		groups[p][t.Name] = t
	}
	return groups
}

// A link is the connection that all streams share.
type link struct {
	http      *http.Client
	objects   dynamic.Interface
	metadata  metadata.Interface
	kinds     *kinds
	user      func(context.Context) string
	namespace string
	lessons   lessons
	calls     sync.RWMutex // held for reading by lists under way, which a reflector does not wait for
}

func (c *Cluster) connect() (*link, error) {
	config := rest.CopyConfig(c.Config)
	config.WarningHandlerWithContext = rest.NoWarnings{}
	config.QPS = -1 // there are few requests, and the server limits them by priority
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	objects, err := dynamic.NewForConfigAndClient(config, client)
	if err != nil {
		return nil, err
	}
	meta, err := metadata.NewForConfigAndClient(metadata.ConfigFor(config), client)
	if err != nil {
		return nil, err
	}
	mapper := c.Mapper
	if mapper == nil {
		known, err := discovery.NewDiscoveryClientForConfigAndClient(config, client)
		if err != nil {
			return nil, err
		}
		mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))
	}
	return &link{
		http:      client,
		objects:   objects,
		metadata:  meta,
		kinds:     &kinds{mapper: mapper},
		user:      whoami(objects),
		namespace: c.Namespace,
		lessons:   lessons{learn: c.Learn, objects: objects, known: status.Builtin()},
	}, nil
}
