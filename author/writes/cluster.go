package writes

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	kubewatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"kstatus.dev/author/audit"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/guard"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/watcher"
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
	lists, broken := connection.ServedResources(ctx, c.Config, server.Discovery)
	if ctx.Err() != nil {
		return fmt.Errorf("find the kinds to watch: %w", context.Cause(ctx))
	}
	kinds, err := findKinds(lists, broken, c.Kinds)
	if err != nil {
		return fmt.Errorf("find the kinds to watch: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := newStream(ctx)
	defer c.Recorder.attach(s, kinds)()
	watches := c.watches(server, kinds, s)
	var running crash.Group
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

// A watch is a watcher of a kind.
type watch struct {
	watcher.Watcher
	related bool
}

// runAll runs the watches until ctx ends, or until all have failed. It returns
// the errors of those that failed.
func runAll(ctx context.Context, all []*watch, listed func()) error {
	var running crash.Group
	done := make(chan struct{}, len(all)) // the watches that have listed their objects or have failed
	lost := make([]error, len(all))
	for i, w := range all {
		w.Listed = sync.OnceFunc(func() { done <- struct{}{} })
		running.Go(func() {
			defer w.Listed()
			if err := w.Run(ctx); !w.related {
				lost[i] = err
			}
		})
	}
	running.Go(func() {
		for range all {
			<-done
		}
		if listed != nil && ctx.Err() == nil {
			listed()
		}
	})
	running.Wait()
	return errors.Join(lost...)
}

// watches returns a watch for each kind in each namespace, which reports to a stream.
func (c *Cluster) watches(server *connection.Connection, kinds []watchedKind, to *stream) (all []*watch) {
	namespaces := c.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	for _, kind := range kinds {
		for _, ns := range namespaces {
			if !kind.namespaced {
				ns = ""
			}
			all = append(all, &watch{related: kind.related, Watcher: watcher.Watcher{
				Kind: kind.resource.GroupVersion().WithKind(kind.kind), Name: kind.String(), Namespace: ns,
				Resource: server.Objects.Resource(kind.resource).Namespace(ns), Note: c.note,
				Report: func(e watcher.Event) { to.report(kind.write(e, ns)) },
			}})
			if !kind.namespaced {
				break
			}
		}
	}
	return all
}

// types maps events of a watcher to types of writes.
var types = map[kubewatch.EventType]audit.WriteType{
	kubewatch.Added: audit.WriteAdded, kubewatch.Modified: audit.WriteModified, kubewatch.Deleted: audit.WriteDeleted, kubewatch.Error: audit.WriteGap,
}

// write returns the write that an event is about, in a namespace or in all.
func (s watchedKind) write(e watcher.Event, namespace string) audit.Write {
	if e.Type != kubewatch.Error {
		return audit.Write{Type: types[e.Type], Object: e.Object.Object, Existing: e.Existing, Related: s.related}
	}
	about := map[string]any{"apiVersion": s.resource.GroupVersion().String(), "kind": s.kind}
	if namespace != "" {
		about["metadata"] = map[string]any{"namespace": namespace}
	}
	return audit.Write{Type: audit.WriteGap, Object: about, Restored: e.Restored}
}
