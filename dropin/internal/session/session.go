// Package session watches a set of targets and sends an event for each change of their status.
//
// session.go starts and ends a watch. outbox.go orders the events. kind_watch.go reads the
// targets of one kind in one scope, targets.go has their states, and judge.go computes their
// statuses. mapping.go finds how a kind is served, and narrow.go reads less where a request is
// forbidden. check.go finds changes that a watch has missed, and gone.go decides what the end of
// an object means. schemas.go reads what verdicts on custom kinds need.
package session

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/watchlist"
	"k8s.io/klog/v2"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/children"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/kube/source"
)

// A Place is a kind in a namespace, or in all namespaces if Namespace is empty.
type Place struct {
	Kind      schema.GroupKind
	Namespace string
}

// Config configures a Session.
type Config struct {
	Client       dynamic.Interface
	Mapper       meta.RESTMapper
	StatusReader engine.StatusReader
	Places       []Place
	Wanted       func(*unstructured.Unstructured) bool // reports whether an object is a target
	Targets      object.ObjMetadataSet                 // nil: known only by Wanted
	Options      metav1.ListOptions                    // selectors of all lists and watches
	Resync       time.Duration                         // repeats the events of all targets; 0: never
	Workers      int                                   // statuses that one kind computes at once
	Mode         dropin.Mode
	Goal         status.Status // what the caller waits for; may be empty
	Lean         bool          // objects without managedFields
	REST         *rest.Config  // reads schemas in the mode right, instead of Client; may be nil

	// ClusterReader is for StatusReader. If OwnReader is set it belongs to this module, so the
	// children of workloads may be read ahead.
	ClusterReader engine.ClusterReader
	OwnReader     bool
}

// A Session is a running watch.
type Session struct {
	Config
	mode   dropin.Mode
	ctx    context.Context
	cancel context.CancelFunc
	events chan event.Event
	out    *outbox
	store  *children.Store // nil: ClusterReader is used as it is
	fake   bool            // the client is a fake of client-go
	schema *source.Client  // reads what verdicts on custom kinds need; nil: not used
	wg     sync.WaitGroup
	lookup lookup

	mu      sync.Mutex // guards the fields below
	watches map[Place][]*kindWatch
	open    int // scopes that have not been read for the first time
}

// Start starts a watch. It ends with ctx.
func Start(ctx context.Context, c Config) *Session {
	s := &Session{Config: c, events: make(chan event.Event), watches: map[Place][]*kindWatch{}}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.out = newOutbox()
	var err error
	if s.mode, err = dropin.Begin(c.Mode); err != nil {
		s.out.fail(err)
	} else {
		s.start()
	}
	go s.deliver()
	return s
}

// holdTime is how long a NotFound waits for the first statuses of targets that cannot be read. A kind
// that fails for long must not hide the deletion of others.
const holdTime = 30 * time.Second

// release ends the wait for targets that cannot be read. It waits longer for a kind that is only slow.
func (s *Session) release() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-time.After(holdTime):
		}
		if !slices.ContainsFunc(s.all(), func(k *kindWatch) bool { return !k.settled.Load() && !k.failing.Load() }) {
			s.out.release()
			return
		}
	}
}

func (s *Session) start() {
	klog.FromContext(s.ctx).V(1).Info("Watch starts", "engine", dropin.Version(), "mode", s.mode.String(), "kinds", len(s.Places))
	s.fake = watchlist.DoesClientNotSupportWatchListSemantics(s.Client)
	if s.OwnReader && !s.fake {
		s.store = children.New(s.ctx, children.Config{
			Client: s.Client, Mapper: s.Mapper, Live: s.ClusterReader, Changed: s.childChanged, Lean: s.Lean, WholeCluster: s.wholeCluster(),
		})
	}
	if s.right() && !s.fake {
		s.useSchemas()
	}
	var ids map[Place]object.ObjMetadataSet
	if s.Targets != nil {
		ids = s.targetsByPlace()
	}
	s.mu.Lock()
	s.open = 1 // this function
	s.mu.Unlock()
	for _, p := range s.Places {
		s.watch(p, ids[p], scopePlace)
	}
	if s.Resync > 0 {
		s.wg.Go(s.resync)
	}
	s.wg.Go(s.release)
	s.settle()
}

// maxNamespaces is the number of namespaces that have streams of their own.
const maxNamespaces = 8

// wholeCluster reports whether the targets are in many namespaces.
func (s *Session) wholeCluster() bool {
	namespaces := map[string]bool{}
	for _, id := range s.Targets {
		namespaces[id.Namespace] = true
	}
	for _, p := range s.Places {
		if p.Namespace != "" {
			return false
		}
	}
	return len(namespaces) > maxNamespaces
}

func (s *Session) targetsByPlace() map[Place]object.ObjMetadataSet {
	ids := map[Place]object.ObjMetadataSet{}
	for _, p := range s.Places {
		ids[p] = object.ObjMetadataSet{}
	}
	for _, id := range s.Targets {
		for _, p := range []Place{{id.GroupKind, id.Namespace}, {Kind: id.GroupKind}} {
			if set, ok := ids[p]; ok {
				ids[p] = append(set, id)
				break
			}
		}
	}
	return ids
}

// Events returns the channel of events. It is closed after ctx has ended, or after an error.
func (s *Session) Events() <-chan event.Event { return s.events }

// Stop ends the watch without an error.
func (s *Session) Stop() { s.cancel() }

// Synced reports whether all targets that exist have been judged.
func (s *Session) Synced() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open == 0 && s.ctx.Err() == nil
}

// patience is how long the end waits for requests that do not end with their context.
const patience = 80 * time.Millisecond

// deliver passes events to the caller. It owns the channel, so nothing else waits for the caller.
func (s *Session) deliver() {
	defer close(s.events)
	for {
		e, ok := s.out.queue.Take(s.ctx)
		if !ok || s.ctx.Err() != nil {
			break
		}
		select {
		case <-s.ctx.Done():
		case s.events <- e:
		}
		if e.Type == event.ErrorEvent {
			break
		}
	}
	s.cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.wg.Wait()
		if s.store != nil {
			s.store.Wait()
		}
		if s.schema != nil {
			s.schema.Close()
		}
	}()
	select {
	case <-ended:
	case <-time.After(patience):
	}
}

// fail ends the watch with an error.
func (s *Session) fail(err error) {
	if s.ctx.Err() == nil {
		s.out.fail(err)
	}
}

// failStatus ends the watch because the status of an object cannot be computed.
func (s *Session) failStatus(id object.ObjMetadata, err error) {
	// The text is the one that users of the original know.
	s.fail(fmt.Errorf("failed to compute object status: %s: %w", id, err))
}

// settle records that a scope has been read for the first time, or cannot be read yet.
func (s *Session) settle() {
	s.mu.Lock()
	s.open--
	last := s.open == 0
	s.mu.Unlock()
	if last {
		var absent object.ObjMetadataSet
		if s.mode.Events == dropin.EventsRight {
			absent = s.absent()
		}
		s.out.sync(absent)
	}
}

// absent returns the targets that do not exist.
func (s *Session) absent() object.ObjMetadataSet {
	exists := map[object.ObjMetadata]bool{}
	for _, k := range s.all() {
		k.mu.Lock()
		for id, t := range k.targets {
			exists[id] = exists[id] || t.exists
		}
		k.mu.Unlock()
	}
	return slices.DeleteFunc(slices.Clone(s.Targets), func(id object.ObjMetadata) bool { return exists[id] })
}

func (s *Session) resync() {
	t := time.NewTicker(s.Resync)
	defer t.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-t.C:
		}
		for _, k := range s.all() {
			k.mu.Lock()
			pending := k.resyncing
			k.resyncing = true
			k.mu.Unlock()
			if !pending {
				k.box.Mark(change{op: opResync})
			}
		}
	}
}

func (s *Session) all() (all []*kindWatch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ks := range s.watches {
		all = append(all, ks...)
	}
	return all
}

// childChanged judges a workload again, because one of its children has changed.
func (s *Session) childChanged(id object.ObjMetadata) {
	if s.mode.Events != dropin.EventsRight && len(children.Kinds(id.GroupKind)) > 1 {
		return // the status of a Deployment does not depend on its Pods
	}
	s.mu.Lock()
	ks := append(append([]*kindWatch{}, s.watches[Place{id.GroupKind, id.Namespace}]...), s.watches[Place{Kind: id.GroupKind}]...)
	s.mu.Unlock()
	for _, k := range ks {
		if len(k.ids) != 1 || k.ids[0] == id { // after narrowing, each name has a watch of its own
			k.again(id)
		}
	}
}
