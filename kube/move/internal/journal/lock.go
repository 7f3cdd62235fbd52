package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/text"
	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/internal/sleep"
)

// A Lock is the name of a Lease and of its holder.
type Lock struct {
	Cluster         string // for messages, such as "the source"
	Namespace, Name string
	Holder          string // the same text when the same process is started again after a crash
	// Duration is how long the Lease is valid after each renewal. Zero means 30 seconds, and less
	// than a second is a second.
	Duration time.Duration
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

// Acquire takes a lock and renews it in the background until release is called. The namespace is
// created if it does not exist. The returned context is canceled when the lock is lost, and its
// cause says why.
//
// The error is a [HeldError] if somebody else holds the lock. A Lease that has ended is taken only
// after a third of its duration without a renewal, since clocks may differ. If the same holder has
// it, as after a crash, Acquire waits until the Lease ends.
//
// The function release deletes the Lease. It may be called again.
func Acquire(ctx context.Context, c *clusterapi.Client, l Lock) (locked context.Context, release func(), err error) {
	l.Duration = max(time.Second, cmp.Or(l.Duration, 30*time.Second))
	h := &held{Lock: l, objects: c.Objects}
	if err := h.take(ctx); err != nil {
		return nil, nil, err
	}
	locked, lose := context.WithCancelCause(ctx)
	renewing, stop := context.WithCancel(ctx)
	lingering, end := sleep.Linger(ctx, releaseGrace)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := h.renew(renewing); err != nil {
			lose(fmt.Errorf("lost %s: %w", l, err))
		}
	}()
	return locked, func() {
		stop()
		<-done
		h.release(lingering)
		end()
		lose(context.Canceled)
	}, nil
}

// A held lock is a Lease of this process.
type held struct {
	Lock
	objects dynamic.Interface

	last    *unstructured.Unstructured // the Lease as it was written last; nil after the release
	renewed time.Time                  // when the last write that succeeded was sent
}

func (h *held) client() dynamic.ResourceInterface {
	return h.objects.Resource(leases).Namespace(h.Namespace)
}

// interval is the time between two renewals.
func (h *held) interval() time.Duration { return h.Duration / 3 }

// take creates the Lease, or takes one that has ended.
func (h *held) take(ctx context.Context) error {
	seen := "" // the version of a Lease that has ended
	for {
		o, err := h.client().Get(ctx, h.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			if err = h.write(ctx, nil); apierrors.IsAlreadyExists(err) {
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("take %s: %w", h.Lock, err)
		}
		if h.last != nil {
			return nil
		}
		holder, until := holderOf(o)
		remaining := time.Until(until)
		switch {
		case holder == "" || seen == o.GetResourceVersion() && remaining <= 0:
			err := h.write(ctx, o)
			if err == nil {
				return nil
			}
			if !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
				return fmt.Errorf("take %s: %w", h.Lock, err)
			}
			continue // somebody else was faster
		case holder != h.Holder && remaining > 0, seen != "" && seen != o.GetResourceVersion():
			return &HeldError{h.Lock, holder, until}
		}
		seen = o.GetResourceVersion()
		select {
		case <-time.After(max(h.interval(), min(remaining, time.Hour))):
		case <-ctx.Done():
			return fmt.Errorf("take %s: %w", h.Lock, context.Cause(ctx))
		}
	}
}

// holderOf returns the holder of a Lease and when the Lease ends. Both are empty if it has no
// holder.
func holderOf(o *unstructured.Unstructured) (holder string, until time.Time) {
	holder, _, _ = unstructured.NestedString(o.Object, "spec", "holderIdentity")
	renewed, _, _ := unstructured.NestedString(o.Object, "spec", "renewTime")
	seconds, _, _ := unstructured.NestedInt64(o.Object, "spec", "leaseDurationSeconds")
	at, err := time.Parse(time.RFC3339, renewed)
	if err != nil {
		return holder, time.Time{}
	}
	return holder, at.Add(time.Duration(min(max(seconds, 0), 24*60*60)) * time.Second)
}

// write creates the Lease, or replaces one.
func (h *held) write(ctx context.Context, old *unstructured.Unstructured) error {
	sent := time.Now()
	now := sent.UTC().Format("2006-01-02T15:04:05.000000Z")
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
	h.last, h.renewed = written, sent
	return nil
}

// acquiredAt returns when the holder of a Lease has taken it.
func acquiredAt(o *unstructured.Unstructured) string {
	s, _, _ := unstructured.NestedString(o.Object, "spec", "acquireTime")
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
		attempt, cancel := context.WithDeadline(ctx, h.renewed.Add(h.Duration))
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
		case !time.Now().Before(h.renewed.Add(h.Duration)):
			return cmp.Or(problem, err) // the last error is that of the deadline
		}
		problem = err
		// The server may be restarting. Try again soon, until the Lease ends.
		wait = min(h.interval()/5, time.Until(h.renewed.Add(h.Duration)))
	}
}

// errTaken says that the Lease no longer belongs to this process.
var errTaken = errors.New("it belongs to another process")

// renewOnce renews the Lease. A conflict may come from a write of this process whose answer was
// lost.
func (h *held) renewOnce(ctx context.Context) error {
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
	return h.write(ctx, o)
}

// release deletes the Lease if it is still that of this process. If that fails, the Lease ends by
// itself. A conflict may come from a renewal that the release has interrupted.
func (h *held) release(ctx context.Context) {
	if h.last == nil {
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
	if holder, _ := holderOf(o); holder == h.Holder && acquiredAt(o) == acquiredAt(last) {
		_ = h.remove(ctx, o)
	}
}

// remove deletes a version of the Lease.
func (h *held) remove(ctx context.Context, o *unstructured.Unstructured) error {
	uid, version := o.GetUID(), o.GetResourceVersion()
	return h.client().Delete(ctx, h.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: (*types.UID)(&uid), ResourceVersion: &version}})
}
