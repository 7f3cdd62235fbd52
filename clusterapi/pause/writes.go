package pause

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/facts"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/connection"
	"kstatus.dev/status"
)

// check returns an error if a target cannot be paused or unpaused. Nothing has been written then.
func (r *runner) check() error {
	var errs []error
	for _, p := range r.tracker.targets {
		k := r.tracker.kinds[schema.GroupKind(p.Kind)]
		refuse := func(reason Reason, err error) {
			p.fail(reason, "%s", facts.Text(err.Error()))
			errs = append(errs, &TargetError{p.ID, reason, err})
		}
		if k == nil {
			refuse(ReasonNotSupported, errors.New("want a kind of Cluster API, such as Cluster or ClusterClass"))
			continue
		}
		o := r.tracker.objects[p.ID]
		scope := k.scopes[p.Namespace]
		if scope == nil {
			scope = k.scopes[""]
		}
		switch {
		case o == nil && scope != nil && scope.object != nil:
			refuse(scope.object.Reason, errors.New(scope.object.Message))
		case o == nil:
			refuse(ReasonNotFound, errors.New("it does not exist"))
		case o.Record.Move() != "" && o.Record.By != r.options.By && !r.options.Force:
			refuse(ReasonBeingMoved, fmt.Errorf("it is being moved by %s; a pause or its end would interfere with that", facts.Name(o.Record.By)))
		}
	}
	return errors.Join(errs...)
}

// A TargetError says why a target cannot be paused or unpaused.
type TargetError struct {
	Target status.ID
	Reason Reason
	Err    error
}

// Error names the target.
func (e *TargetError) Error() string { return fmt.Sprintf("%s: %v", e.Target, e.Err) }

// Unwrap returns the cause, such as an error of the server.
func (e *TargetError) Unwrap() error { return e.Err }

// start begins the first write of a target.
func (r *runner) start(ctx context.Context, p *target) {
	o := r.tracker.objects[p.ID]
	p.uid, p.before = o.UID, o.IsPaused
	p.result.Before = Record{Paused: o.IsPaused, By: r.options.By}
	if o.Record != nil {
		p.result.Before = Record(*o.Record)
	}
	if r.unpause && !r.resumes(p, o) {
		p.ignored, r.tracker.moved = true, true
		p.result.Done, p.result.Reason = true, ReasonNotRecorded
		return
	}
	p.stays = r.unpause && o.Record != nil && o.Record.Paused && !r.options.Force
	patch := r.pausePatch
	if r.unpause {
		patch = r.unpausePatch
	}
	p.phase = PhasePausing
	if r.unpause {
		p.phase = PhaseUnpausing
	}
	r.writeObject(ctx, o, patch, func(now time.Time, u *unstructured.Unstructured, err error) {
		if err != nil {
			reason := ReasonWriteFailed
			if apierrors.IsForbidden(err) {
				reason = ReasonForbidden
			}
			p.fail(reason, "%s", facts.Text(err.Error()))
			r.errs = append(r.errs, &TargetError{p.ID, reason, err})
			r.tracker.moved = true
			return
		}
		f := facts.Of(u)
		p.written, p.version, p.at, p.server, p.writtenAt = true, f.Number, now, f.WriteTime(FieldManager), now
	})
}

// resumes reports whether a target is to be unpaused. The result says why not.
func (r *runner) resumes(p *target, o *object) bool {
	switch {
	case r.options.Force:
	case o.Record != nil && o.Record.By != r.options.By:
		p.result.Message = "left alone: it was paused by " + facts.Name(o.Record.By)
		return false
	case o.Record == nil && r.options.RecordedOnly && o.Phase != string(PhaseUnpausing):
		p.result.Message = "left alone: it is not paused"
		if o.IsPaused {
			p.result.Message = "left alone: it was paused by somebody else"
		}
		return false
	}
	return true
}

// write starts the writes that are due. It returns when the next one is.
func (r *runner) write(ctx context.Context, now time.Time) (next time.Time) {
	for _, p := range r.tracker.targets {
		o := r.tracker.objects[p.ID]
		if !p.written || p.ignored || p.writing || o == nil {
			continue
		}
		phase, message := r.phaseOf(p)
		if p.failed && o.Phase != string(p.phase) {
			continue // the other client has set the phase too
		}
		if phase == p.phase && message == p.message {
			continue
		}
		at := p.retryAt
		if phase == p.phase {
			at = sleep.Latest(at, p.writtenAt.Add(messagePause))
		}
		if now.Before(at) {
			next = sleep.Earliest(next, at)
			continue
		}
		p.writing = true
		r.writeObject(ctx, o, r.phasePatch(phase, message), func(now time.Time, _ *unstructured.Unstructured, err error) {
			p.writing, p.writtenAt = false, now
			if err != nil {
				p.retryAt = now.Add(verifyPause)
				r.note("%s: %v; trying again", p.ID, err)
				return
			}
			p.phase, p.message = phase, message
		})
	}
	r.wake(ctx, now)
	return next
}

// isHeld reports whether an object is being written.
func (t *tracker) isHeld(id status.ID) bool {
	_, held := t.held[id]
	return held
}

// writeObject patches an object in another goroutine, and then calls done in the loop.
func (r *runner) writeObject(ctx context.Context, o *object, patch patchFunc, done func(time.Time, *unstructured.Unstructured, error)) {
	id, k, f := o.ID, o.kind, o.Facts
	r.tracker.hold(id)
	r.running.Go(func() {
		select {
		case r.slots <- struct{}{}:
			defer func() { <-r.slots }()
		case <-ctx.Done():
		}
		u, err := r.patch(ctx, id, k, f, patch)
		r.post(func(now time.Time) {
			var own *change
			if err == nil && u != nil {
				own = &change{kind: k, facts: facts.Of(u), at: now}
			}
			done(now, u, err)
			r.tracker.release(id, own)
		})
	})
}

// patch patches an object. It repeats the patch until the version that it was made for is the
// latest, and while the server cannot answer. It returns nil if no patch is needed.
func (r *runner) patch(ctx context.Context, id status.ID, k *kind, f facts.Facts, patchOf patchFunc) (*unstructured.Unstructured, error) {
	resource := r.client.Resource(k.Kind, id.Namespace)
	uid := f.UID
	for pause := firstRetry; ; pause = min(2*pause, lastRetry) {
		body := patchOf(f)
		if body == nil {
			return nil, nil
		}
		meta := decoded.Map(body, "metadata")
		meta["resourceVersion"], meta["uid"] = f.ResourceVersion, string(uid)
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		u, err := resource.Patch(ctx, id.Name, types.MergePatchType, data, metav1.PatchOptions{FieldManager: FieldManager})
		if err == nil {
			u.SetGroupVersionKind(k.GroupVersionKind)
			return u, nil
		}
		if !isTemporary(err) || !sleep.For(ctx, pause) {
			return nil, err
		}
		latest, getErr := resource.Get(ctx, id.Name, metav1.GetOptions{})
		switch {
		case getErr != nil && !isTemporary(getErr):
			return nil, getErr
		case getErr == nil && latest.GetUID() != uid:
			return nil, fmt.Errorf("it was deleted meanwhile, and another object has its name")
		case getErr == nil:
			latest.SetGroupVersionKind(k.GroupVersionKind)
			f = facts.Of(latest)
		}
	}
}

// isTemporary reports whether a write may succeed later.
func isTemporary(err error) bool { return apierrors.IsConflict(err) || connection.IsTransient(err) }
