package controller

import (
	"cmp"
	"context"
	"errors"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/kube/conditions"
)

// lockedPatch returns the patch from before to the present object, with its resourceVersion.
// The API server rejects it after a write by others. So the status never reports about a spec
// that was not read.
func lockedPatch(before client.Object) client.Patch {
	return client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
}

// ensureFinalizer adds the finalizer, which keeps an object until its resources
// are deleted. Call it before the first request to the cloud.
func ensureFinalizer(ctx context.Context, c client.Client, obj client.Object, finalizer string) error {
	before := obj.DeepCopyObject().(client.Object)
	if !controllerutil.AddFinalizer(obj, finalizer) {
		return nil
	}
	return c.Patch(ctx, obj, lockedPatch(before))
}

// releaseFinalizer removes the finalizer. Do not write to the object
// afterwards.
func releaseFinalizer(ctx context.Context, c client.Client, obj client.Object, finalizer string) error {
	before := obj.DeepCopyObject().(client.Object)
	controllerutil.RemoveFinalizer(obj, finalizer)
	return client.IgnoreNotFound(c.Patch(ctx, obj, lockedPatch(before)))
}

// pause reports the pause. It changes neither the cloud nor the rest of the object, even during
// a deletion.
func pause(ctx context.Context, w conditions.Writer, set *conditions.Set, obj conditions.Object, reason, message string) error {
	pass, err := set.Begin(obj)
	if err != nil {
		return err
	}
	pass.Pause(reason, message)
	_, err = pass.Commit(ctx, w)
	return withoutConflict(err)
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
		return reconcile.Result{RequeueAfter: cmp.Or(poll, 5*time.Second)}, nil
	}
	return reconcile.Result{}, nil
}

// withoutConflict returns the error of a commit, unless the next pass resolves it: the
// object has changed, so that pass is already scheduled.
func withoutConflict(err error) error {
	if errors.Is(err, conditions.ErrSuperseded) || errors.Is(err, conditions.ErrReplaced) {
		return nil
	}
	return err
}
