package watcher

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/crash"
)

// Requests sends the requests of a Stream.
type Requests interface {
	List(context.Context, metav1.ListOptions) (*Page, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}

// A Page is a page of a list. A Stream removes each object from it before it passes the object on.
type Page struct {
	metav1.ListMeta
	Objects []metav1.Object
}

// A Resource lists and watches the objects of a kind in one namespace, or in all.
type Resource interface {
	List(context.Context, metav1.ListOptions) (*unstructured.UnstructuredList, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}

// RequestsFor returns the requests for the objects of a Resource. It limits how long a response may
// take.
func RequestsFor(r Resource) Requests { return limited{r} }

const (
	openTimeout  = 15 * time.Second       // of the first response to a watch
	pageTimeout  = time.Minute            // of a page of a list
	listTimeout  = 5 * time.Minute        // of a list without pages
	drainTimeout = 500 * time.Millisecond // for a watch that was stopped
)

// errNoResponse is not the end of the caller's context, although that of a request has ended.
var errNoResponse = errors.New("the server did not respond in time")

// limited sends requests whose responses have a limit of time.
type limited struct{ resource Resource }

// List lists a page.
func (l limited) List(ctx context.Context, o metav1.ListOptions) (*Page, error) {
	timeout := pageTimeout
	if o.Limit == 0 {
		timeout = listTimeout
	}
	limited, stop := context.WithTimeout(ctx, timeout)
	defer stop()
	list, err := l.resource.List(limited, o)
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		return nil, errNoResponse
	case err != nil:
		return nil, err
	}
	return NewPage(list), nil
}

// NewPage returns the page of a list. Its objects do not keep the list.
func NewPage(list *unstructured.UnstructuredList) *Page {
	page := &Page{Objects: make([]metav1.Object, len(list.Items))}
	page.ResourceVersion, page.Continue = list.GetResourceVersion(), list.GetContinue()
	for i := range list.Items {
		page.Objects[i] = &unstructured.Unstructured{Object: list.Items[i].Object}
	}
	return page
}

// Watch opens a watch. The limit of time is that of the response, not of the watch.
func (l limited) Watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	limited, end := context.WithCancel(ctx)
	timer := time.AfterFunc(openTimeout, crash.Guarded(end))
	w, err := l.resource.Watch(limited, o)
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

// watchOptions returns the options of a watch from the position.
func (s *Stream) watchOptions() metav1.ListOptions {
	o, seconds := s.Options, int64((watchTime + rand.N(watchTime)).Seconds())
	o.TimeoutSeconds, o.AllowWatchBookmarks, o.ResourceVersion = &seconds, true, s.position.version
	if s.position.listing {
		o.SendInitialEvents, o.ResourceVersionMatch = new(true), metav1.ResourceVersionMatchNotOlderThan
	}
	return o
}
