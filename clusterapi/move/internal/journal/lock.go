package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
)

// A Lock is the name of a Lease and of its holder.
type Lock struct {
	Cluster         string // for messages, such as "the source"
	Namespace, Name string
	Holder          string // the same text when the same process is started again after a crash
	// Duration is how long the Lease is valid after each renewal. Zero means 30 seconds, and less
	// than a second is a second.
	Duration time.Duration
	// Timeout limits how long Acquire waits. Zero means no limit.
	Timeout time.Duration
}

// String returns the name of the Lease and its cluster.
func (l Lock) String() string {
	return fmt.Sprintf("Lease %s/%s in %s", l.Namespace, l.Name, l.Cluster)
}

// A HeldError says that somebody else holds a lock.
type HeldError struct {
	Lock   Lock // that was requested
	Holder string
	Until  time.Time // when the Lease ends unless its holder renews it
}

// Error names the holder and the end of its Lease.
func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is held by %q until %s: another move is in progress, or has crashed a moment ago",
		e.Lock, text.Line(e.Holder), e.Until.UTC().Format(time.RFC3339))
}

var leases = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}

// releaseGrace is how long a release may take after the context of Acquire has ended.
const releaseGrace = 950 * time.Millisecond

// A LostError says that this process has lost a lock. It must not write any more, because another
// process may have taken the lock.
type LostError struct {
	Lock Lock
	Err  error // why
}

// Error names the lock.
func (e *LostError) Error() string { return fmt.Sprintf("lost %s: %v", e.Lock, e.Err) }

// Is reports that a refused request counts as canceled: another attempt fails too.
func (e *LostError) Is(target error) bool { return target == context.Canceled }

// Reasons for which a lock is lost.
var (
	errTaken = errors.New("it belongs to another process")
	errOver  = errors.New("this process was suspended, or could not renew it in time")
)

// A held lock is a Lease of this process.
type held struct {
	Lock
	objects dynamic.Interface
	now     func() instant

	last *unstructured.Unstructured // the Lease as it was written last; nil after the release

	mu      sync.Mutex // guards renewed
	renewed instant    // when the last write that succeeded was sent
}

// newHeld returns a lock that is not taken yet.
func newHeld(c *management.Client, l Lock) *held {
	l.Duration = max(time.Second, cmp.Or(l.Duration, 30*time.Second))
	return &held{Lock: l, objects: c.Objects, now: now}
}

// An instant is a time on both clocks of a computer. The monotonic clock may stop while the computer
// sleeps. The wall clock may be set.
type instant struct{ monotonic, wall time.Time }

// now returns the time on both clocks.
func now() instant {
	t := time.Now()
	return instant{t, t.Round(0)}
}

// since returns the time that has passed on the clock on which more has.
func (i instant) since(before instant) time.Duration {
	return max(i.monotonic.Sub(before.monotonic), i.wall.Sub(before.wall))
}

// remaining returns how long the Lease is still valid by the clocks of this process.
func (h *held) remaining() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.Duration - h.now().since(h.renewed)
}

func (h *held) client() dynamic.ResourceInterface {
	return h.objects.Resource(leases).Namespace(h.Namespace)
}

// interval is the time between two renewals.
func (h *held) interval() time.Duration { return h.Duration / 3 }

// take creates the Lease, or takes one that has ended.
func (h *held) take(ctx context.Context) error {
	if h.Timeout > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, h.Timeout, fmt.Errorf("not within %s: %w", h.Timeout, context.DeadlineExceeded))
		defer cancel()
		ctx = limited
	}
	fail := func(err error) error {
		if ctx.Err() != nil {
			err = context.Cause(ctx) // which has ended the request
		}
		return fmt.Errorf("take %s: %w", h.Lock, err)
	}
	var seen string     // the version of the Lease
	var since time.Time // from when it is known
	changes := 0
	for {
		o, err := h.client().Get(ctx, h.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			if err = h.write(ctx, nil); apierrors.IsAlreadyExists(err) {
				continue
			}
		}
		if err != nil {
			return fail(err)
		}
		if h.last != nil {
			return nil
		}
		if version := o.GetResourceVersion(); version != seen {
			if seen != "" {
				changes++
			}
			seen, since = version, time.Now()
		}
		holder, until := holderOf(o)
		remaining := max(h.Duration-time.Since(since), time.Until(until))
		switch {
		case holder == "" || remaining <= 0:
			err := h.write(ctx, o)
			if err == nil {
				return nil
			}
			if !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
				return fail(err)
			}
			continue // somebody else was faster
		// The server may carry out the last renewal of a run of the same holder after the end of the run.
		case holder != h.Holder && (time.Until(until) > 0 || changes > 0), changes > 1:
			return &HeldError{h.Lock, holder, until}
		}
		select {
		case <-time.After(min(remaining, h.interval())):
		case <-ctx.Done():
			return fail(ctx.Err())
		}
	}
}

// holderOf returns the holder of a Lease and when the Lease ends. Both are empty if it has no
// holder.
func holderOf(o *unstructured.Unstructured) (holder string, until time.Time) {
	holder = decoded.Text(o.Object, "spec", "holderIdentity")
	renewed := decoded.Text(o.Object, "spec", "renewTime")
	seconds, _ := decoded.Int(o.Object, "spec", "leaseDurationSeconds")
	at, err := time.Parse(time.RFC3339, renewed)
	if err != nil {
		return holder, time.Time{}
	}
	return holder, at.Add(time.Duration(min(max(seconds, 0), 24*60*60)) * time.Second)
}

// write creates the Lease, or replaces one.
func (h *held) write(ctx context.Context, old *unstructured.Unstructured) error {
	sent := h.now()
	now := sent.wall.UTC().Format("2006-01-02T15:04:05.000000Z")
	seconds := int64((h.Duration + time.Second - 1) / time.Second)
	o := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
		"metadata": map[string]any{"namespace": h.Namespace, "name": h.Name},
		"spec": map[string]any{
			"holderIdentity": h.Holder, "leaseDurationSeconds": seconds, "acquireTime": now, "renewTime": now,
		},
	}}
	if h.last != nil {
		_ = unstructured.SetNestedField(o.Object, acquiredAt(h.last), "spec", "acquireTime")
	}
	var written *unstructured.Unstructured
	var err error
	if old == nil {
		written, err = createIn(ctx, h.objects, leases, o)
	} else {
		o.SetResourceVersion(old.GetResourceVersion())
		written, err = h.client().Update(ctx, o, metav1.UpdateOptions{})
	}
	if err != nil {
		return err
	}
	h.last = written
	h.mu.Lock()
	defer h.mu.Unlock()
	h.renewed = sent
	return nil
}

// acquiredAt returns when the holder of a Lease has taken it.
func acquiredAt(o *unstructured.Unstructured) string {
	s := decoded.Text(o.Object, "spec", "acquireTime")
	return s
}

// renew renews the Lease until ctx ends. The error says why the lock is lost.
func (h *held) renew(ctx context.Context) error {
	wait, problem := h.interval(), error(nil)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		wait = h.interval()
		attempt, cancel := context.WithTimeout(ctx, h.remaining())
		err := h.renewOnce(attempt)
		cancel()
		switch {
		case err == nil:
			problem = nil
			continue
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errTaken):
			return err
		case h.remaining() <= 0:
			return cmp.Or(problem, errOver) // the last error is that of the deadline
		}
		problem = err
		// The server may be restarting. Try again soon, until the Lease ends.
		wait = min(h.interval()/5, h.remaining())
	}
}

// renewOnce renews the Lease, unless it has ended. A conflict may come from a write of this process
// whose answer was lost.
func (h *held) renewOnce(ctx context.Context) error {
	if h.remaining() <= 0 {
		return errOver
	}
	err := h.write(ctx, h.last)
	if !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
		return err
	}
	o, err := h.client().Get(ctx, h.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return fmt.Errorf("%w: it was deleted", errTaken)
	case err != nil:
		return err
	}
	if holder, _ := holderOf(o); holder != h.Holder || acquiredAt(o) != acquiredAt(h.last) {
		return fmt.Errorf("%w: %q holds it", errTaken, text.Line(holder))
	}
	if h.remaining() <= 0 {
		return errOver
	}
	return h.write(ctx, o)
}

// release deletes the Lease if it is still that of this process. If that fails, the Lease ends by
// itself. A conflict may come from a renewal that the release has interrupted.
func (h *held) release(ctx context.Context) {
	if h.last == nil || h.remaining() <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	last := h.last
	h.last = nil
	if err := h.remove(ctx, last); !apierrors.IsConflict(err) {
		return
	}
	o, err := h.client().Get(ctx, h.Name, metav1.GetOptions{})
	if err != nil {
		return
	}
	if holder, _ := holderOf(o); holder == h.Holder && acquiredAt(o) == acquiredAt(last) && h.remaining() > 0 {
		_ = h.remove(ctx, o)
	}
}

// remove deletes a version of the Lease.
func (h *held) remove(ctx context.Context, o *unstructured.Unstructured) error {
	uid, version := o.GetUID(), o.GetResourceVersion()
	return h.client().Delete(ctx, h.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: (*types.UID)(&uid), ResourceVersion: &version}})
}
