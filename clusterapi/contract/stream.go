package contract

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/crash"
)

// stream holds every version of every object of some kinds in a namespace.
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

// follow watches a kind until the stream is closed.
func (s *stream) follow(ctx context.Context, kind string, resource dynamic.ResourceInterface) error {
	list, err := resource.List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return fmt.Errorf("contract: list %s: %w", kind, err)
	}
	version := list.GetResourceVersion()
	s.group.Go(func() {
		for ctx.Err() == nil {
			opened := time.Now()
			w, err := resource.Watch(ctx, metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true})
			if err == nil {
				version, err = s.consume(w, version)
			}
			if err != nil && ctx.Err() == nil {
				s.fail(fmt.Errorf("contract: watch %s: %w", kind, err))
				return
			}
			if time.Since(opened) < shortWatch {
				select {
				case <-ctx.Done():
				case <-time.After(reopenPause):
				}
			}
		}
	})
	return nil
}

// consume reads a watch to its end, and returns the last resourceVersion.
func (s *stream) consume(w watch.Interface, version string) (string, error) {
	defer w.Stop()
	for event := range w.ResultChan() {
		obj, ok := event.Object.(*unstructured.Unstructured)
		if !ok || event.Type == watch.Error {
			return version, fmt.Errorf("the server returns %v", event.Object)
		}
		version = obj.GetResourceVersion()
		if event.Type == watch.Bookmark {
			continue
		}
		s.mu.Lock()
		s.versions[key(obj)] = append(s.versions[key(obj)], obj)
		if event.Type == watch.Deleted {
			s.gone[key(obj)] = true
		}
		s.mu.Unlock()
	}
	return version, nil
}

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

const (
	shortWatch  = 5 * time.Second        // after a watch of this length, the next is opened at once.
	reopenPause = 200 * time.Millisecond // delay after a shorter watch.
)

// pollInterval is the interval at which scenarios check a stream.
const pollInterval = 20 * time.Millisecond
