package wire

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/leaks"
	"kstatus.dev/test/lib/poll"
)

// A replaced is a watch of dropin.
type replaced struct {
	t      *testing.T
	cancel context.CancelFunc
	done   chan struct{} // closed when the channel of events is

	mu     sync.Mutex // guards the fields below
	last   map[string]status.Status
	log    []string
	synced int
	err    error
}

// watchReplaced starts a watch of dropin for the targets.
func (s *fixture) watchReplaced(config *rest.Config, mode dropin.Mode) *replaced {
	s.t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		s.t.Fatal(err)
	}
	objects, err := dynamic.NewForConfigAndClient(config, client)
	if err != nil {
		s.t.Fatal(err)
	}
	known, err := discovery.NewDiscoveryClientForConfig(config) // with a limit of time
	if err != nil {
		s.t.Fatal(err)
	}
	var ids object.ObjMetadataSet
	for _, target := range s.targets() {
		ids = append(ids, object.ObjMetadata{
			GroupKind: schema.GroupKind(target.Kind), Namespace: target.Namespace, Name: target.Name,
		})
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	r := &replaced{t: s.t, cancel: cancel, done: make(chan struct{}), last: map[string]status.Status{}}
	s.t.Cleanup(func() { // must close in time; a read that is not canceled lasts half a minute
		cancel()
		select {
		case <-r.done:
		case <-time.After(15 * time.Second):
			s.t.Error("the channel is open 15 seconds after the end of the context")
		}
		leaks.Check(s.t, s.namespace, func() { utilnet.CloseIdleConnectionsFor(client.Transport) })
	})
	go leaks.Do(ctx, s.namespace, func(ctx context.Context) {
		defer close(r.done)
		w := watcher.NewDefaultStatusWatcher(objects, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known)))
		w.Mode = mode
		for e := range w.Watch(ctx, ids, watcher.Options{}) {
			r.add(e)
		}
	})
	return r
}

func (r *replaced) add(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Type {
	case event.SyncEvent:
		r.synced++
		r.log = append(r.log, "Sync")
	case event.ErrorEvent:
		r.err = e.Error
		r.log = append(r.log, e.Error.Error())
	default:
		r.last[e.Resource.Identifier.Name] = e.Resource.Status
		r.log = append(r.log, fmt.Sprintf("%s %s %s %v", e.Resource.Identifier.Name, e.Resource.Status, e.Resource.Message, e.Resource.Error))
	}
}

// is reports whether a predicate is true, under the lock.
func (r *replaced) is(f func() bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f()
}

// reach waits until a predicate is true, and prints the events if it is not.
func (r *replaced) reach(what string, f func() bool) {
	r.t.Helper()
	defer func() {
		if r.t.Failed() {
			r.t.Logf("events: %q", r.log)
		}
	}()
	poll.Wait(r.t, what, func() bool { return r.is(f) })
}

func (r *replaced) complete() bool {
	return r.last["web"] == status.CurrentStatus && r.last["old"] == status.NotFoundStatus && r.last["new"] == status.CurrentStatus
}

// forbids reports whether a row makes a list or a watch forbidden.
func forbids(fs []matchedFault) bool {
	for _, f := range fs {
		if a, ok := f.Fault.(faults.Answer); ok && a.Code == 403 {
			return true
		}
	}
	return false
}

func TestDropinThroughFaults(t *testing.T) {
	t.Parallel()
	for _, mode := range []dropin.Mode{dropin.Compat, dropin.Right} {
		for _, row := range rows {
			t.Run(mode.String()+" "+row.it, func(t *testing.T) {
				t.Parallel()
				s, p := proxied(t)
				inject(p, row.before)
				config := p.Config()
				if row.http1 {
					config.NextProtos = []string{"http/1.1"}
				}
				fatal := mode == dropin.Compat && (forbids(row.before) || forbids(row.during))
				r := s.watchReplaced(config, mode)
				r.reach("the watch is synchronized", func() bool { return r.synced > 0 || r.err != nil })
				during := inject(p, row.during)
				if !fatal {
					s.completeTargets()
				}
				if row.hits > 0 {
					poll.Wait(t, "the faults have struck", func() bool { return haveAllApplied(during) && during[len(during)-1].Hits() >= row.hits })
					for _, in := range during {
						in.Off()
					}
					inject(p, row.after)
				}
				if fatal {
					r.reach("the watch ends with an error", func() bool { return r.err != nil })
					if !apierrors.IsForbidden(r.err) {
						t.Errorf("error %v, want one that is Forbidden", r.err)
					}
					return
				}
				r.reach("all targets are complete", r.complete)
				if r.is(func() bool { return r.err != nil || r.synced != 1 }) {
					t.Errorf("error %v and %d SyncEvents, want none and one; events: %q", r.err, r.synced, r.log)
				}
			})
		}
	}
}
