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

// lockedPatch is what makes before what the object is now, unless somebody else has written in
// between: a spec that we have not seen must not become part of what we report on.
func lockedPatch(before client.Object) client.Patch {
	return client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
}

// ensureFinalizer keeps an object from going before what it stands for is gone. It is there
// before the first call to the cloud.
func ensureFinalizer(ctx context.Context, c client.Client, obj client.Object, finalizer string) error {
	before := obj.DeepCopyObject().(client.Object)
	if !controllerutil.AddFinalizer(obj, finalizer) {
		return nil
	}
	return c.Patch(ctx, obj, lockedPatch(before))
}

// releaseFinalizer lets an object go. Nothing is written to it afterwards.
func releaseFinalizer(ctx context.Context, c client.Client, obj client.Object, finalizer string) error {
	before := obj.DeepCopyObject().(client.Object)
	controllerutil.RemoveFinalizer(obj, finalizer)
	return client.IgnoreNotFound(c.Patch(ctx, obj, lockedPatch(before)))
}

// pause says that the object is paused, and nothing else: neither the cloud nor the rest of
// the object is touched, also if it is being deleted.
func pause(ctx context.Context, w conditions.Writer, set *conditions.Set, obj conditions.Object, reason, message string) error {
	pass, err := set.Begin(obj)
	if err != nil {
		return err
	}
	pass.Pause(reason, message)
	_, err = pass.Commit(ctx, w)
	return settled(err)
}

// finish ends a pass with one write of the status, or none if it would change nothing. An error
// of the cloud is reported there too, and comes back, so that it is tried again.
func finish(ctx context.Context, w conditions.Writer, pass *conditions.Pass, poll time.Duration, again bool, err error) (reconcile.Result, error) {
	pass.Fail(err)
	_, writeErr := pass.Commit(ctx, w)
	for _, warning := range pass.Warnings() {
		log.FromContext(ctx).Info(warning)
	}
	if err := errors.Join(err, settled(writeErr)); err != nil {
		return reconcile.Result{}, err
	}
	if again {
		return reconcile.Result{RequeueAfter: cmp.Or(poll, 5*time.Second)}, nil
	}
	return reconcile.Result{}, nil
}

// settled is the error of a commit, without those that the next pass settles by itself: it is
// under way already, as the object has changed.
func settled(err error) error {
	if errors.Is(err, conditions.ErrSuperseded) || errors.Is(err, conditions.ErrReplaced) {
		return nil
	}
	return err
}
