package controller

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/author/conditions"
	"kstatus.dev/examples/provider/cloud"
)

// lockedPatch returns the patch from before to the present object, with its resourceVersion.
// The API server rejects it after a write by others. So the status never reports about a spec
// that was not read.
func lockedPatch(before client.Object) client.Patch {
	return client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
}

// update changes an object with one patch, or with none if the change is empty.
func update(ctx context.Context, c client.Client, obj client.Object, change func()) error {
	before := obj.DeepCopyObject().(client.Object)
	change()
	if equality.Semantic.DeepEqual(before, obj) {
		return nil
	}
	return c.Patch(ctx, obj, lockedPatch(before))
}

// ensureFinalizer adds the finalizer, which keeps an object until its resources
// are deleted. Call it before the first request to the cloud. If that request starts
// an operation that takes time, the same patch blocks a move of the object.
func ensureFinalizer(ctx context.Context, c client.Client, obj client.Object, finalizer string, starts bool) error {
	return update(ctx, c, obj, func() {
		controllerutil.AddFinalizer(obj, finalizer)
		if starts {
			blockMove(obj)
		}
	})
}

// releaseFinalizer removes the finalizer. Do not write to the object
// afterwards.
func releaseFinalizer(ctx context.Context, c client.Client, obj client.Object, finalizer string) error {
	before := obj.DeepCopyObject().(client.Object)
	controllerutil.RemoveFinalizer(obj, finalizer)
	return client.IgnoreNotFound(c.Patch(ctx, obj, lockedPatch(before)))
}

// blockMove keeps a move from copying the object, because the cloud works for it.
func blockMove(obj client.Object) {
	annotations := maps.Clone(obj.GetAnnotations())
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[blockMoveAnnotation] = ""
	obj.SetAnnotations(annotations)
}

// unblockMove lets a move copy the object.
func unblockMove(obj client.Object) {
	annotations := maps.Clone(obj.GetAnnotations())
	delete(annotations, blockMoveAnnotation)
	obj.SetAnnotations(annotations)
}

// isInProgress reports whether the cloud may still be creating or deleting a resource. state and
// err are the result of the last request.
func isInProgress(state cloud.State, err error) bool {
	switch {
	case cloud.IsNotFound(err), cloud.IsInvalid(err):
		return false
	case err != nil: // the cloud may have accepted an earlier request
		return true
	}
	return state != cloud.Active
}

// A paused is a paused object: why, and how to read its resource from the cloud.
type paused struct {
	obj             conditions.Object
	set             *conditions.Set
	reason, message string
	read            func() (cloud.State, error)
}

// pause reports the pause. It changes neither the cloud nor the rest of the object, even during
// a deletion.
//
// The cloud may still work on a request from before the pause. Then the object blocks moves, and
// pause only reads the resource until the cloud has finished. The report comes after that, so
// it means that nothing changes any more. The result of the work is not recorded during the
// pause. The next pass after it finds the resource by its token, on any cluster.
func (p paused) pause(ctx context.Context, c client.Client, w conditions.Writer, poll time.Duration) (reconcile.Result, error) {
	if _, blocks := p.obj.GetAnnotations()[blockMoveAnnotation]; blocks {
		state, err := p.read()
		if isInProgress(state, err) {
			return requeueAfter(poll), err
		}
		if err := update(ctx, c, p.obj, func() { unblockMove(p.obj) }); err != nil {
			return reconcile.Result{}, err
		}
	}
	pass, err := p.set.Begin(p.obj)
	if err != nil {
		return reconcile.Result{}, err
	}
	pass.Pause(p.reason, p.message)
	_, err = pass.Commit(ctx, w)
	return reconcile.Result{}, withoutConflict(err)
}

// endPause withdraws the acknowledgement of an earlier pause, if the status has one. Call it before
// anything else that a pass does to an object that is not paused. Without it, the pass would work
// under the old acknowledgement, and a new pause would seem acknowledged meanwhile.
func endPause(ctx context.Context, w conditions.Writer, set *conditions.Set, obj conditions.Object) error {
	pass, err := set.Begin(obj)
	if err != nil || !pass.Resume() {
		return err
	}
	_, err = pass.Commit(ctx, w)
	return err
}

// requeueAfter schedules the next pass during slow operations.
func requeueAfter(poll time.Duration) reconcile.Result {
	return reconcile.Result{RequeueAfter: cmp.Or(poll, 5*time.Second)}
}

// finish ends a pass with at most one write of the status. It reports an error
// of the cloud there, and returns it for a retry.
func finish(ctx context.Context, w conditions.Writer, pass *conditions.Pass, poll time.Duration, again bool, err error) (reconcile.Result, error) {
	pass.Fail(err)
	_, writeErr := pass.Commit(ctx, w)
	for _, warning := range pass.Warnings() {
		log.FromContext(ctx).Info(warning)
	}
	if err := errors.Join(err, withoutConflict(writeErr)); err != nil {
		return reconcile.Result{}, err
	}
	if again {
		return requeueAfter(poll), nil
	}
	return reconcile.Result{}, nil
}

// withoutConflict returns the error of a commit, unless the next pass resolves it: the
// object has changed, so that pass is already scheduled.
func withoutConflict(err error) error {
	if errors.Is(err, conditions.ErrSuperseded) || errors.Is(err, conditions.ErrReplaced) || errors.Is(err, conditions.ErrOutdated) {
		return nil
	}
	return err
}
