package listwatch

import (
	"context"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/integer"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/watcher"
)

// maxCatchUpGets is how many objects a reader that joins a stream gets one by one. For more it
// lists the scope.
const maxCatchUpGets = 20

// A Pool shares one stream between readers of the same scope. A stream ends with its last
// reader. A Pool is safe for concurrent use.
type Pool struct {
	mu   sync.Mutex // guards open
	open map[poolKey]*sharedStream
}

// A poolKey identifies a scope and the way in which it is read.
type poolKey struct {
	place
	name                         string
	labelSelector, fieldSelector string
	metadataOnly                 bool
	interval                     time.Duration
}

// A place is a kind in a namespace.
type place struct {
	resource  schema.GroupVersionResource
	namespace string // empty: everywhere
}

func placeOf(s client.Scope) place { return place{s.Mapping.Resource, s.Namespace} }

func keyOf(s *Stream) poolKey {
	return poolKey{placeOf(s.Scope), s.Scope.Name, s.Scope.LabelSelector, s.Scope.FieldSelector, s.Scope.MetadataOnly, s.Client.Every}
}

// A sharedStream is a stream with several readers.
type sharedStream struct {
	sinks   fanOut
	readers int // guarded by the mutex of the Pool
	stop    context.CancelFunc
	ended   chan struct{} // closed when the stream has ended
	err     error         // the reason; read it only after ended is closed
}

// Run reads like [Stream.Run], with one stream for all readers of the scope. The Sink wants only
// the objects in keys.
func (p *Pool) Run(ctx context.Context, s *Stream, keys []types.NamespacedName) error {
	key := keyOf(s)
	r := &reader{sink: s.Sink, notes: &s.Client.Notes, note: s.Note}
	shared, first := p.join(ctx, key, s, r, keys)
	defer p.leave(key, shared, r, keys)
	if !first {
		if err := shared.catchUp(ctx, s, r, keys); err != nil || ctx.Err() != nil {
			return err
		}
	}
	select {
	case <-ctx.Done():
		return nil
	case <-shared.ended:
		return shared.err
	}
}

// join adds a reader to the stream of a scope. It starts the stream if it is the first.
func (p *Pool) join(ctx context.Context, key poolKey, s *Stream, r *reader, keys []types.NamespacedName) (shared *sharedStream, first bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if shared = p.open[key]; shared != nil {
		shared.readers++
		r.joining = true
		shared.sinks.add(r, keys)
		return shared, false
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	shared = &sharedStream{readers: 1, stop: stop, ended: make(chan struct{})}
	shared.sinks.add(r, keys)
	if p.open == nil {
		p.open = map[poolKey]*sharedStream{}
	}
	p.open[key] = shared
	own := &Stream{Client: s.Client.NewSession(s.Client.Every, shared.sinks.notify), Scope: s.Scope, Sink: &shared.sinks, Options: s.Options}
	crash.Go(func() {
		defer close(shared.ended)
		defer stop()
		shared.err = own.Run(ctx)
		p.remove(key, shared)
	})
	return shared, true
}

// leave removes a reader, and waits for the end of the stream if it was the last.
func (p *Pool) leave(key poolKey, shared *sharedStream, r *reader, keys []types.NamespacedName) {
	p.mu.Lock()
	shared.readers--
	last := shared.readers == 0
	if last && p.open[key] == shared {
		delete(p.open, key)
	}
	p.mu.Unlock()
	if last { // it receives all events up to the end of the stream
		shared.stop()
		<-shared.ended
	}
	shared.sinks.remove(r, keys)
}

// remove makes later readers start another stream.
func (p *Pool) remove(key poolKey, shared *sharedStream) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[key] == shared {
		delete(p.open, key)
	}
}

// IsReading reports whether a stream reads all of a scope.
func (p *Pool) IsReading(s *Stream) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open[keyOf(s)] != nil
}

// SingleReads returns how many streams read one object each of a kind in a namespace.
func (p *Pool) SingleReads(s client.Scope) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key := range p.open {
		if key.place == placeOf(s) && key.name != "" {
			n++
		}
	}
	return n
}

// Namespaces returns the namespaces in which streams read objects of a kind.
func (p *Pool) Namespaces(resource schema.GroupVersionResource) map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]bool{}
	for key := range p.open {
		if key.resource == resource && key.namespace != "" {
			all[key.namespace] = true
		}
	}
	return all
}

// catchUp reads for a reader what the stream has read before the reader joined. Meanwhile it
// buffers the events of the stream for the reader. It returns the errors of [Stream.Run].
func (shared *sharedStream) catchUp(ctx context.Context, s *Stream, r *reader, keys []types.NamespacedName) error {
	var pause watcher.Pause
	for {
		verb, err := s.readOnce(ctx, keys)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			r.notes.Once(r.note)
			shared.sinks.goLive(r)
			return nil
		case s.isReturned(err):
			return err
		}
		s.Sink.Fail(s.Client.Unreadable(ctx, s.Scope, verb, err), err)
		select {
		case <-ctx.Done():
			return nil
		case <-shared.ended:
			return shared.err
		case <-time.After(pause.Next(watcher.UrgentPause)):
		}
	}
}

// readOnce reads the objects with these keys once.
func (s *Stream) readOnce(ctx context.Context, keys []types.NamespacedName) (verb string, err error) {
	if len(keys) > maxCatchUpGets {
		s.Sink.Begin()
		version, err := s.Client.List(ctx, s.Scope, s.see)
		if err == nil {
			s.Sink.End(integer.OfVersion(version))
		}
		return "list", err
	}
	for _, k := range keys {
		this := s.Scope
		this.Namespace, this.Name = k.Namespace, k.Name
		o, err := s.Client.Get(ctx, this)
		switch {
		case err == nil:
			s.Sink.See(o)
		case apierrors.IsNotFound(err) && client.IsMissing(err, k.Name):
			s.Sink.Lose(k.Namespace, k.Name, 0)
		default:
			return "get", err
		}
	}
	return "get", nil
}

// A reader is a user of a shared stream.
type reader struct {
	sink  Sink
	notes *client.Notes
	note  string // sent to the notes once the reader has received an event

	joining  bool     // it has not caught up yet
	buffered []func() // events that it receives afterwards
}

// deliver sends an event to the reader now, or later if it has not caught up.
func (r *reader) deliver(event func()) {
	if r.joining {
		r.buffered = append(r.buffered, event)
		return
	}
	event()
}

// goLive sends a reader its buffered events, and from then on every event at once.
func (f *fanOut) goLive(r *reader) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, event := range r.buffered {
		event()
	}
	r.joining, r.buffered = false, nil
}

// without returns a copy of a slice without one reader.
func without(all []*reader, r *reader) []*reader {
	return slices.DeleteFunc(slices.Clone(all), func(other *reader) bool { return other == r })
}
