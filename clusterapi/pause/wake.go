package pause

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/sleep"
)

// Some controllers only see changes of the object: the controller of Machines does not watch for a
// pause of their Cluster. So an object without an answer gets an annotation, which is an event.

// unanswered adds to the verdict on an object when to wake its controller, or that this was done.
func (t *tracker) unanswered(o *object, p *target, v verdict) verdict {
	o.isUnaware = true
	if o.wokenAt.IsZero() {
		v.next = t.wakeAt(o, p)
	} else {
		v.message += ", although it was woken by an annotation"
	}
	return v
}

// wakeAt returns when the controller of an object is woken: when it has answered for no object of the
// kind for some time. Until then it may only be slow, and an annotation is more work for it.
func (t *tracker) wakeAt(o *object, p *target) time.Time {
	return sleep.Earliest(sleep.Latest(p.at, o.kind.answered).Add(t.options.WakeAfter), p.at.Add(6*t.options.WakeAfter))
}

// sleepers returns the objects to wake.
func (t *tracker) sleepers(now time.Time) (all []*object) {
	for _, o := range t.objects {
		p := t.referenceOf(o)
		if p == nil || !o.isReported || o.State != Busy || !o.isUnaware || o.Name == "" || !o.wokenAt.IsZero() {
			continue
		}
		if !now.Before(t.wakeAt(o, p)) {
			all = append(all, o)
		}
	}
	return all
}

// wake wakes controllers that have shown no sign, and removes the annotations at the end.
func (r *runner) wake(ctx context.Context, now time.Time) {
	for _, o := range r.tracker.sleepers(now) {
		o.wokenAt = now
		r.writeObject(ctx, o, wakePatch, r.noteWake(o))
	}
	for _, o := range r.tracker.wokenObjects() {
		if o.IsWoken && o.Done && !r.tracker.isHeld(o.ID) {
			r.writeObject(ctx, o, sleepPatch, r.noteWake(o))
		}
	}
}

func (r *runner) noteWake(o *object) func(time.Time, *unstructured.Unstructured, error) {
	return func(_ time.Time, _ *unstructured.Unstructured, err error) {
		if err != nil && !apierrors.IsNotFound(err) {
			o.IsWoken = false // it cannot be written, so it needs no other write
			r.note("%s: cannot wake its controller: %v", o.ID, err)
		}
	}
}

// wokenObjects returns the objects below targets that this call or an earlier one has woken.
func (t *tracker) wokenObjects() (all []*object) {
	for _, o := range t.objects {
		if o.IsWoken && len(o.Targets) > 0 {
			all = append(all, o)
		}
	}
	return all
}
