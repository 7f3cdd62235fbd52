// Package engine polls objects and sends an event when a status changes.
package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/object"
)

// A PollerEngine polls with readers of the caller.
type PollerEngine struct {
	Reader               client.Reader
	Mapper               meta.RESTMapper
	StatusReaders        []StatusReader
	DefaultStatusReader  StatusReader
	ClusterReaderFactory ClusterReaderFactory
	Mode                 dropin.Mode // zero: the mode of the program
}

// Options are those of one poll.
type Options struct {
	// PollInterval is the time between the starts of two rounds. If it is not positive, it is two
	// seconds.
	PollInterval time.Duration
}

// shortestInterval is the interval of a poll without one.
const shortestInterval = 2 * time.Second

// Poll reads the status of all objects again and again until ctx ends. It sends an event when a
// status is not that of the round before, and closes the channel at the end. An error is the last
// event, except for the end of ctx.
func (s *PollerEngine) Poll(ctx context.Context, identifiers object.ObjMetadataSet, options Options) <-chan event.Event {
	events := make(chan event.Event)
	go func() {
		defer close(events)
		err := s.poll(ctx, identifiers, options.PollInterval, events)
		if err == nil || ctx.Err() != nil {
			return
		}
		_ = send(ctx, events, event.Event{Type: event.ErrorEvent, Error: err})
	}()
	return events
}

func (s *PollerEngine) poll(ctx context.Context, ids object.ObjMetadataSet, interval time.Duration, events chan<- event.Event) error {
	mode, err := dropin.Begin(s.Mode)
	if err != nil {
		return err
	}
	if err := s.checkNamespaces(ids); err != nil {
		return err
	}
	reader, err := s.ClusterReaderFactory.New(s.Reader, s.Mapper, ids)
	if err != nil {
		return fmt.Errorf("error creating new ClusterReader: %w", err)
	}
	if interval <= 0 {
		interval = shortestInterval
		warnOnce.Do(func() { klog.Background().Info("PollInterval is not positive", "used", interval) })
	}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	sent := map[object.ObjMetadata]digest{}
	declared := newReports(mode, s.Reader, s.Mapper, ids)
	for {
		err := s.round(ctx, reader, ids, declared, sent, events)
		switch {
		case err == nil:
		case !timedOut(ctx, err):
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

var warnOnce sync.Once

// round reads the status of each object in order, and sends those that differ from sent.
func (s *PollerEngine) round(
	ctx context.Context, reader ClusterReader, ids object.ObjMetadataSet, declared *reports,
	sent map[object.ObjMetadata]digest, events chan<- event.Event,
) error {
	if err := reader.Sync(ctx); err != nil {
		return err
	}
	judging := declared.with(ctx)
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		rs, err := s.statusReader(id.GroupKind).ReadStatus(judging, reader, id)
		if err != nil && !timedOut(ctx, err) {
			return err
		}
		if err != nil || rs == nil {
			continue
		}
		now := digestOf(rs) // the caller may change rs later
		if sent[id] == now {
			continue
		}
		sent[id] = now
		if err := send(ctx, events, event.Event{Type: event.ResourceUpdateEvent, Resource: rs}); err != nil {
			return err
		}
	}
	return nil
}

// timedOut reports whether an error is the timeout of a request, and not the end of ctx. The next round
// repeats the request.
func timedOut(ctx context.Context, err error) bool {
	if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return false
	}
	klog.FromContext(ctx).V(1).Info("A request of a poll has timed out, the next round follows", "err", err)
	return true
}

// A digest is a hash of a status. The zero digest is that of none.
type digest [sha256.Size]byte

// digestOf returns equal digests for statuses that [event.ResourceStatusEqual] calls equal.
func digestOf(rs *event.ResourceStatus) (d digest) {
	h := sha256.New()
	write(h, rs)
	h.Sum(d[:0])
	return d
}

// write writes what [event.ResourceStatusEqual] compares.
func write(w io.Writer, rs *event.ResourceStatus) {
	if rs == nil {
		return
	}
	var generation int64
	if rs.Resource != nil {
		generation = rs.Resource.GetGeneration()
	}
	failure := "no error"
	if rs.Error != nil {
		failure = "error " + rs.Error.Error()
	}
	_, _ = fmt.Fprintf(w, "%q %q %q %d %q %d\n", rs.Identifier.String(), rs.Status, rs.Message, generation, failure, len(rs.GeneratedResources))
	for _, child := range rs.GeneratedResources {
		write(w, child)
	}
}

func (s *PollerEngine) statusReader(kind schema.GroupKind) StatusReader {
	for _, r := range s.StatusReaders {
		if r.Supports(kind) {
			return r
		}
	}
	return s.DefaultStatusReader
}

// checkNamespaces returns an error if an object of a kind in namespaces has none. Kinds that the
// mapper does not know may be defined later.
func (s *PollerEngine) checkNamespaces(ids object.ObjMetadataSet) error {
	for _, id := range ids {
		mapping, err := s.Mapper.RESTMapping(id.GroupKind)
		if meta.IsNoMatchError(err) {
			continue
		}
		if err != nil {
			return err
		}
		if id.Namespace == "" && mapping.Scope.Name() == meta.RESTScopeNameNamespace {
			return fmt.Errorf("resource %s %s is namespace scoped, but namespace is not set", id.GroupKind, id.Name)
		}
	}
	return nil
}

// send sends e, unless ctx has ended or ends first.
func send(ctx context.Context, events chan<- event.Event, e event.Event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case events <- e:
		return nil
	}
}
