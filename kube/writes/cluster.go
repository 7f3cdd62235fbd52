package writes

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"kstatus.dev/audit"
	"kstatus.dev/internal/guard"
	"kstatus.dev/kube/internal/connection"
)

// A Cluster is a stream of the writes in a cluster. Config and Kinds are required. A
// Cluster may be watched once at a time.
type Cluster struct {
	Config *rest.Config
	// Kinds names the kinds to watch as kubectl does: lamps.example.com, deploy.
	// *.example.com means all kinds of the group.
	Kinds []string
	// Namespaces to watch. None means all.
	Namespaces []string
	// TickInterval is the interval of ticks without writes. Zero means 1 second.
	TickInterval time.Duration
	// Recorder adds the requests that it sees to the stream. Nil adds none.
	Recorder *Recorder

	// OnNote, if set, receives one line about what may not be read, and about each
	// problem that is retried. Any goroutine may call it.
	OnNote func(note string)

	// OnSynced, if set, is called once, when all existing objects have been reported.
	OnSynced func()
}

// Watch reports every write until ctx ends, one call of report at a time. It reports
// the existing objects first. It also watches related kinds, whose objects
// affect the watched ones; see Related of [audit.Write].
//
// A kind that may not be watched is left out; Watch returns an error about it at the
// end. Watch returns at once if no kind is left, or if a kind is not served.
func (c *Cluster) Watch(ctx context.Context, report func(audit.Write)) error {
	for _, namespace := range c.Namespaces {
		if err := guard.CheckName("namespace", namespace); err != nil {
			return err
		}
	}
	ctx = klog.NewContext(ctx, klog.Logger{}) // OnNote reports what client-go would log
	server, err := connection.New(c.Config)
	if err != nil {
		return err
	}
	defer server.Close()
	kinds, err := findKinds(server.Discovery, c.Kinds)
	if err != nil {
		return fmt.Errorf("find the kinds to watch: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := newStream(ctx)
	defer c.Recorder.attach(s, kinds)()
	watches := c.watches(server, kinds)
	for _, w := range watches {
		w.stream = s
	}
	var running sync.WaitGroup
	running.Go(func() {
		err = runAll(ctx, watches, c.OnSynced)
		stop()
	})
	running.Go(func() { s.tick(ctx, c.TickInterval) })
	s.drain(ctx, report)
	running.Wait()
	return err
}

func (c *Cluster) note(note string) {
	if c.OnNote != nil {
		c.OnNote(note)
	}
}

// runAll runs the watches until ctx ends, or until all have failed. It returns
// the errors of those that failed.
func runAll(ctx context.Context, all []*watcher, listed func()) error {
	var running, listing sync.WaitGroup
	lost := make([]error, len(all))
	for i, w := range all {
		listing.Add(1)
		w.listed = sync.OnceFunc(listing.Done)
		running.Go(func() {
			defer w.listed()
			if err := w.run(ctx); !w.related {
				lost[i] = err
			}
		})
	}
	running.Go(func() {
		listing.Wait()
		if listed != nil && ctx.Err() == nil {
			listed()
		}
	})
	running.Wait()
	return errors.Join(lost...)
}

// watches returns a watcher for each kind in each namespace.
func (c *Cluster) watches(server *connection.Connection, kinds []watchedKind) (all []*watcher) {
	namespaces := c.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	for _, kind := range kinds {
		for _, ns := range namespaces {
			if !kind.namespaced {
				ns = ""
			}
			all = append(all, &watcher{
				watchedKind: kind, namespace: ns, resource: server.Objects.Resource(kind.resource).Namespace(ns), note: c.note,
				seen: map[string]objectVersion{},
			})
			if !kind.namespaced {
				break
			}
		}
	}
	return all
}

// isDenied reports whether the server rejects a request permanently.
func isDenied(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err)
}
