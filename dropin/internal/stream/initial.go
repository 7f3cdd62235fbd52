package stream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/kube/connection"
)

const (

	// silence is how long a server may send nothing before the end of the first objects.
	silence = 10 * time.Second
)

var (
	errClosed   = errors.New("the server closed the watch before it had sent all objects")
	errBookmark = errors.New("the server did not mark the end of the first objects")
)

// initial sends all objects to sink. It returns a watch that continues at version.
func (s *Stream) initial(ctx context.Context, sink Sink) (w watch.Interface, version string, err error) {
	if s.Streaming && !s.listNext {
		w, version, err = s.streamed(ctx, sink)
		if err == nil || ctx.Err() != nil {
			return w, version, err
		}
		// A list shows whether the server rejects the objects or only this way to read them.
		if apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) || errors.Is(err, errBookmark) || errors.Is(err, errClosed) {
			s.Streaming = false
		}
	}
	if version, err = s.list(ctx, sink); err != nil {
		return nil, "", err
	}
	if w, err = s.watch(ctx, version); err != nil && !apierrors.IsForbidden(err) && !apierrors.IsUnauthorized(err) && ctx.Err() == nil {
		sink.End() // what was listed counts, although it must be listed again
	}
	return w, version, err
}

// streamed reads all objects as the first events of a watch.
func (s *Stream) streamed(ctx context.Context, sink Sink) (watch.Interface, string, error) {
	options := s.watchOptions("")
	yes := true
	options.SendInitialEvents = &yes
	options.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	w, err := s.open(ctx, options)
	if err != nil {
		return nil, "", err
	}
	version, err := s.firstEvents(ctx, w, sink)
	if err != nil {
		w.Stop()
		return nil, "", err
	}
	return w, version, nil
}

// firstEvents sends objects until the bookmark that ends them, and returns its version.
func (s *Stream) firstEvents(ctx context.Context, w watch.Interface, sink Sink) (version string, err error) {
	sink.Begin()
	timer := time.NewTimer(silence)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-timer.C:
			return "", errBookmark
		case e, ok := <-w.ResultChan():
			if !ok {
				return "", errClosed
			}
			timer.Reset(silence)
			u, err := s.handle(e, sink)
			if err != nil {
				return "", err
			}
			if e.Type == watch.Bookmark && u.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
				return u.GetResourceVersion(), nil
			}
		}
	}
}

// list reads all objects in pages, and returns the version of the list.
func (s *Stream) list(ctx context.Context, sink Sink) (version string, err error) {
	sink.Begin()
	attempts := 0
	err = connection.EachPage(ctx, *s.Options.DeepCopy(), s.page, func(page *unstructured.UnstructuredList, isFirst bool) error {
		if isFirst {
			if attempts++; attempts > 1 {
				sink.Begin()
			}
		}
		for i := range page.Items {
			// A new head, so that the objects do not keep the page.
			s.send(&unstructured.Unstructured{Object: page.Items[i].Object}, sink)
		}
		version = page.GetResourceVersion()
		return nil
	})
	if err != nil {
		// The text is the one of client-go, which users and programs search for.
		return "", fmt.Errorf("failed to list %s: %w", s.Kind, err)
	}
	return version, nil
}

func (s *Stream) send(u *unstructured.Unstructured, sink Sink) {
	if s.Wants == nil || s.Wants(u) {
		sink.Object(u)
	}
}

// watch opens a watch from a version.
func (s *Stream) watch(ctx context.Context, version string) (watch.Interface, error) {
	return s.open(ctx, s.watchOptions(version))
}

const (
	openTimeout = 15 * time.Second // of the first response to a watch
	pageTimeout = time.Minute      // of a page of a list
)

// errNoResponse is not the end of the caller's context, although that of a request has ended.
var errNoResponse = errors.New("the server did not respond in time")

// page reads one page of a list.
func (s *Stream) page(ctx context.Context, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	limited, stop := context.WithTimeout(ctx, pageTimeout)
	defer stop()
	page, err := s.Objects.List(limited, options)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return nil, errNoResponse
	}
	return page, err
}

// An openWatch ends its request when it is stopped.
type openWatch struct {
	watch.Interface
	end context.CancelFunc
}

// Stop ends the watch.
func (w openWatch) Stop() {
	w.Interface.Stop()
	w.end()
}

// open opens a watch. The limit of time is that of the response, not of the watch.
func (s *Stream) open(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	limited, end := context.WithCancel(ctx)
	timer := time.AfterFunc(openTimeout, end)
	w, err := s.Objects.Watch(limited, options)
	inTime := timer.Stop()
	if err == nil && inTime {
		return openWatch{w, end}, nil
	}
	if err == nil {
		w.Stop()
	}
	end()
	if !inTime && ctx.Err() == nil {
		err = errNoResponse
	}
	return nil, err
}

func (s *Stream) watchOptions(version string) metav1.ListOptions {
	options := *s.Options.DeepCopy()
	seconds := int64(300 + rand.N(300)) // the server ends the watch, so a dead one does not last
	options.TimeoutSeconds = &seconds
	options.AllowWatchBookmarks = true
	options.ResourceVersion = version
	return options
}
