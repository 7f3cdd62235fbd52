package evictions

import (
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/turn"
	"kstatus.dev/kube/connection"
)

// retryPause is the time after a failed request in which no other one is sent. A server that does not
// respond delays each request.
const retryPause = 30 * time.Second

// A place is a namespace with its events.
type place struct {
	turn   turn.Turn // owns the events, and sends the requests about the namespace
	events []unstructured.Unstructured
	read   time.Time // zero: not yet

	mu      sync.Mutex // guards the fields below
	err     error      // of the last request; nil: it succeeded, or none was sent
	retryAt time.Time  // zero: the request was refused, and is not sent again
}

// placeOf returns the place of a namespace.
func (f *Finder) placeOf(namespace string) *place {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.places == nil {
		f.places = map[string]*place{}
	}
	if f.places[namespace] == nil {
		f.places[namespace] = &place{}
	}
	return f.places[namespace]
}

// failure returns the error that the next request would most likely have.
func (p *place) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.retryAt.IsZero() && !time.Now().Before(p.retryAt) {
		return nil
	}
	return p.err
}

// fail records the error of a request.
func (p *place) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err, p.retryAt = err, time.Now().Add(retryPause)
	if apierrors.IsNotFound(err) || connection.IsRefused(err) {
		p.retryAt = time.Time{}
	}
}
