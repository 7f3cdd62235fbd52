package contract

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/crash"
	"kstatus.dev/kube/watcher"
)

// stream holds every version of every object of some kinds in a namespace, except the versions before
// it began.
type stream struct {
	stop  context.CancelFunc
	group crash.Group

	mu       sync.Mutex // guards the fields below
	versions map[string][]*unstructured.Unstructured
	gone     map[string]bool
	failed   error
}

// key identifies an object within a stream.
func key(obj *unstructured.Unstructured) string {
	return obj.GetKind() + "/" + obj.GetName() + "/" + string(obj.GetUID())
}

// follow watches a kind until the stream is closed with the context following. It returns when later
// changes will be seen.
func (s *stream) follow(ctx, following context.Context, kind schema.GroupVersionKind, resource watcher.Resource) error {
	if _, err := resource.List(ctx, metav1.ListOptions{Limit: 1}); err != nil {
		return fmt.Errorf("contract: list %s: %w", kind.Kind, err)
	}
	listed := make(chan struct{})
	w := &watcher.Watcher{
		Kind: kind, Name: kind.Kind, Resource: resource, Listed: sync.OnceFunc(func() { close(listed) }),
		Report: func(e watcher.Event) { s.add(kind, e) },
	}
	s.group.Go(func() {
		if err := w.Run(following); err != nil {
			s.fail(fmt.Errorf("contract: %w", err))
		}
	})
	select {
	case <-listed:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("contract: list %s: %w", kind.Kind, context.Cause(ctx))
	}
}

// add keeps the version of an event.
func (s *stream) add(kind schema.GroupVersionKind, e watcher.Event) {
	switch {
	case e.Type == watch.Error:
		s.fail(fmt.Errorf("contract: watch %s: %w", kind.Kind, errGap))
		return
	case e.Existing:
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := key(e.Object)
	s.versions[at] = append(s.versions[at], e.Object)
	if e.Type == watch.Deleted {
		s.gone[at] = true
	}
}

// errGap is the error of a stream that may lack versions.
var errGap = errors.New("the server no longer has all versions")

func (s *stream) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = err
}

// of returns the versions of an object so far, and whether it is deleted. It
// returns an error if versions may be missing.
func (s *stream) of(obj *unstructured.Unstructured) (versions []*unstructured.Unstructured, gone bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.versions[key(obj)]
	return all[:len(all):len(all)], s.gone[key(obj)], s.failed
}

func (s *stream) close() {
	s.stop()
	s.group.Wait()
}

// pollInterval is the interval at which scenarios check a stream.
const pollInterval = 20 * time.Millisecond
