package journal

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/sleep"
)

// Locks are the locks that a process holds. When it has lost one, its transports refuse all writes.
// The zero Locks are none, and refuse nothing.
//
// A process that was suspended does not know that its Lease has ended until its goroutines run
// again. So a transport looks at the clocks before each write. The wall clock counts too, because
// the monotonic clock stops while a computer sleeps. Each write also tells the server when the first
// Lease ends.
type Locks struct {
	now func() instant // nil means the clocks of the computer

	mu   sync.Mutex // guards the fields below
	held []*holding
	lost error // a [LostError]
}

// A holding is a lock with the goroutine that renews it.
type holding struct {
	*held
	lose    context.CancelCauseFunc
	release func() // ends the goroutine, and deletes the Lease unless a lock is lost
}

// Acquire takes a lock and renews it in the background until [Locks.Release]. The namespace is
// created if it does not exist. The returned context is canceled when the lock is lost, and its
// cause is a [LostError]. The client must not have a transport of these Locks.
//
// The error is a [HeldError] if somebody else holds the lock. A Lease that has ended is taken only
// after its duration has passed without a renewal, since clocks may differ. If the same holder has
// it, as after a crash, Acquire waits until the Lease ends.
func (l *Locks) Acquire(ctx context.Context, c *management.Client, lock Lock) (locked context.Context, err error) {
	h := newHeld(c, lock)
	if l.now != nil {
		h.now = l.now
	}
	if err := h.take(ctx); err != nil {
		return nil, err
	}
	locked, lose := context.WithCancelCause(ctx)
	renewing, stop := context.WithCancel(ctx)
	lingering, end := sleep.Linger(ctx, releaseGrace)
	done := make(chan struct{})
	l.add(&holding{h, lose, func() {
		stop()
		<-done
		if l.Err() == nil {
			h.release(lingering)
		}
		end()
	}})
	crash.Go(func() {
		defer close(done)
		if err := h.renew(renewing); err != nil {
			l.lose(&LostError{h.Lock, err})
		}
	})
	return locked, nil
}

// add adds a lock. The first one is the beginning of a new run.
func (l *Locks) add(h *holding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.held) == 0 {
		l.lost = nil
	}
	l.held = append(l.held, h)
}

// Release deletes the Leases in the reverse order, and cancels the contexts. If a lock is lost, it
// deletes none, and writes are refused until the next Acquire. It may be called again.
func (l *Locks) Release() {
	l.mu.Lock()
	all := l.held
	l.mu.Unlock()
	for _, h := range slices.Backward(all) {
		h.release()
	}
	for _, h := range all {
		h.lose(context.Canceled)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = nil
}

// Err returns a [LostError] if a lock is lost or has ended by the clocks of this process.
func (l *Locks) Err() error {
	l.mu.Lock()
	held, lost := l.held, l.lost
	l.mu.Unlock()
	for _, h := range held {
		if lost == nil && h.remaining() <= 0 {
			return l.lose(&LostError{h.Lock, errOver})
		}
	}
	return lost
}

// remaining returns how long all locks are still valid, and whether there are any.
func (l *Locks) remaining() (left time.Duration, isHeld bool) {
	l.mu.Lock()
	held := l.held
	l.mu.Unlock()
	for i, h := range held {
		if r := h.remaining(); i == 0 || r < left {
			left = r
		}
	}
	return max(left, time.Millisecond), len(held) > 0
}

// lose cancels the contexts of all locks. It returns why the first lock was lost.
func (l *Locks) lose(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost == nil {
		l.lost = err
	}
	for _, h := range l.held {
		h.lose(l.lost)
	}
	return l.lost
}

// Config returns a copy of config whose writes are refused with a [LostError] once a lock is lost.
// Dry runs are no writes.
func (l *Locks) Config(config *rest.Config) *rest.Config {
	own := rest.CopyConfig(config)
	// The last transport before the server looks at the clocks: those around it may take time.
	own.WrapTransport = transport.Wrappers(func(next http.RoundTripper) http.RoundTripper { return &fence{next, l} }, own.WrapTransport)
	return own
}

// A fence is a transport that refuses writes.
type fence struct {
	next  http.RoundTripper
	locks *Locks
}

// RoundTrip sends a request, unless it is a write without valid locks.
func (f *fence) RoundTrip(r *http.Request) (*http.Response, error) {
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
	if isRead || r.URL.Query().Has("dryRun") {
		return f.next.RoundTrip(r)
	}
	if err := f.locks.Err(); err != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, err
	}
	left, isHeld := f.locks.remaining()
	if !isHeld {
		return f.next.RoundTrip(r)
	}
	own := *r
	own.URL = within(r.URL, left)
	if r.Body == nil || r.Body == http.NoBody {
		return f.next.RoundTrip(&own)
	}
	own.Body = &fencedBody{r.Body, f.locks}
	if r.GetBody != nil {
		own.GetBody = func() (io.ReadCloser, error) {
			body, err := r.GetBody()
			return &fencedBody{body, f.locks}, err
		}
	}
	return f.next.RoundTrip(&own)
}

// within returns the URL of a write with the time that the server has for it. So no slow webhook
// keeps a write until another process has taken the lock.
func within(u *url.URL, left time.Duration) *url.URL {
	own := *u
	query := own.Query()
	query.Set("timeout", left.String())
	own.RawQuery = query.Encode()
	return &own
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (f *fence) WrappedRoundTripper() http.RoundTripper { return f.next }

// A fencedBody is the body of a write. It is read when the request is sent, which may be long after
// RoundTrip was called: to open a connection takes time. Servers ignore a request without its whole
// body.
type fencedBody struct {
	io.ReadCloser
	locks *Locks
}

// Read fails if a lock is lost meanwhile.
func (b *fencedBody) Read(p []byte) (int, error) {
	if err := b.locks.Err(); err != nil {
		return 0, err
	}
	return b.ReadCloser.Read(p)
}
