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
	"kstatus.dev/kube/internal/connection"
)

// A Cluster is a stream of the writes in a cluster. Config and Kinds are required.
type Cluster struct {
	Config       *rest.Config
	Kinds        []string      // as kubectl takes them: lamps.example.com, deploy; *.example.com: all that the group has
	Namespaces   []string      // none: all
	TickInterval time.Duration // how often it is told that time has passed while nothing is written; 1s
	Recorder     *Recorder     // its requests are told as well; nil: none are

	// Said, if set, is told in one line what may not be read, and what goes wrong
	// and is tried again. It may be called from any goroutine.
	OnNote func(note string)

	// Listed, if set, is called once all objects there are have been told.
	OnSynced func()
}

// Watch tells of every write, one at a time, until ctx ends. The objects there
// are come first, as of kinds of which others say what is asked of their
// objects: see [audit.Write.Related]. A kind that may not be watched is left out,
// which the error says in the end; if none is left it returns at once.
func (c *Cluster) Watch(ctx context.Context, saw func(audit.Write)) error {
	ctx = klog.NewContext(ctx, klog.Logger{}) // what client-go logs is told otherwise
	server, err := connection.New(c.Config)
	if err != nil {
		return err
	}
	defer server.Close()
	kinds, err := findKinds(server.Discovery, c.Kinds)
	if err != nil {
		return fmt.Errorf("find what to watch: %w", err)
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
	s.drain(ctx, saw)
	running.Wait()
	return err
}

func (c *Cluster) note(note string) {
	if c.OnNote != nil {
		c.OnNote(note)
	}
}

// runAll runs the watches until ctx ends, or until none is left, and returns why
// others could not be run.
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

// watches returns a watch of each kind, in each namespace.
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

// isDenied reports whether the server refuses what is asked for good.
func isDenied(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err)
}
