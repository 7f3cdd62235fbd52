package controller

import (
	"context"
	"errors"
	"maps"

	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"kstatus.dev/author/conditions"
)

// lockedPatch returns the patch from before to the present object, with its resourceVersion.
// The API server rejects it after a write by others. So the status never reports about a spec
// that was not read.
func lockedPatch(before client.Object) client.Patch {
	return client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
}

// update changes metadata or spec of an object with one patch, or with none if the change is
// empty. The status in memory stays as it is: the response has the stored one.
func update(ctx context.Context, c client.Client, obj client.Object, change func()) error {
	before := obj.DeepCopyObject().(client.Object)
	change()
	if equality.Semantic.DeepEqual(before, obj) {
		return nil
	}
	return c.Patch(ctx, obj, lockedPatch(before))
}

// claim adds the finalizer, which keeps an object until its resources are deleted. Call it before
// the first request to the cloud that changes something. The same patch blocks a move of the
// object until unblockMove. It also records the UID of the object, because a move changes it and
// keeps annotations.
func claim(ctx context.Context, c client.Client, obj client.Object, finalizer string) error {
	return update(ctx, c, obj, func() {
		controllerutil.AddFinalizer(obj, finalizer)
		annotate(obj, blockMoveAnnotation, "")
		annotate(obj, uidAnnotation, string(obj.GetUID()))
	})
}

// release removes the finalizer. Do not write to the object afterwards.
func release(ctx context.Context, c client.Client, obj client.Object, finalizer string) error {
	before := obj.DeepCopyObject().(client.Object)
	controllerutil.RemoveFinalizer(obj, finalizer)
	return client.IgnoreNotFound(c.Patch(ctx, obj, lockedPatch(before)))
}

// annotate sets an annotation that the object does not have.
func annotate(obj client.Object, key, value string) {
	if _, exists := obj.GetAnnotations()[key]; exists {
		return
	}
	annotations := maps.Clone(obj.GetAnnotations())
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[key] = value
	obj.SetAnnotations(annotations)
}

// unblockMove lets a move copy the object.
func unblockMove(obj client.Object) {
	annotations := maps.Clone(obj.GetAnnotations())
	delete(annotations, blockMoveAnnotation)
	obj.SetAnnotations(annotations)
}

func blocksMove(obj client.Object) bool {
	_, blocks := obj.GetAnnotations()[blockMoveAnnotation]
	return blocks
}

// withoutConflict returns the error of a commit, unless the next pass resolves it: the
// object has changed, so that pass is already scheduled.
func withoutConflict(err error) error {
	if errors.Is(err, conditions.ErrSuperseded) || errors.Is(err, conditions.ErrReplaced) || errors.Is(err, conditions.ErrOutdated) {
		return nil
	}
	return err
}
