// Package deletion deletes an object that a controller may use to delete machines in a cloud. No
// controller sees it being deleted without the annotations that protect the machines.
package deletion

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/retry"
)

// An Object is an object to delete.
type Object struct {
	Client dynamic.ResourceInterface // of its kind and namespace
	Name   string
	UID    types.UID
	// Unprotected is true for objects that no controller of Cluster API deletes anything for, such
	// as Secrets. They are deleted without the annotation.
	Unprotected bool
	// Known is what was read of the object last; nil if nothing was. The first attempt believes it,
	// and fails if the object has another version.
	Known *unstructured.Unstructured
	// OwnsNothing is true if nothing belongs to it. Otherwise the garbage collector first removes it
	// from the owners of what it owns, so the server keeps it for some time.
	OwnsNothing bool
}

// ErrReplaced says that another object has the name of the one to delete.
var ErrReplaced = errors.New("another object with this name was created during the move; it stays")

// Delete deletes the object if it exists. It adds the annotation delete-for-move to the others, and
// checks that all of them persist. Then it removes the finalizers and deletes the object, but not
// what it owns. Each write is only valid for the version that the one before has returned. If
// somebody else has changed the object, Delete begins again. It calls before with the live object
// first.
//
// Delete does not wait until the server has removed the object.
func (o Object) Delete(ctx context.Context, before func(ctx context.Context, live *unstructured.Unstructured) error) error {
	known := o.Known
	err := retry.OnConflict(ctx, func() (err error) {
		live := known
		known = nil // after a conflict, it is read again
		if live == nil {
			live, err = o.Client.Get(ctx, o.Name, metav1.GetOptions{})
		}
		if err == nil {
			err = o.try(ctx, live, before)
		}
		return err
	})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func (o Object) try(ctx context.Context, live *unstructured.Unstructured, before func(context.Context, *unstructured.Unstructured) error) (err error) {
	if live.GetUID() != o.UID {
		return ErrReplaced
	}
	if live.GetDeletionTimestamp() != nil {
		return o.releaseDeleted(ctx, live)
	}
	if err := before(ctx, live); err != nil {
		return err
	}
	if live, err = o.release(ctx, live); err != nil {
		return err
	}
	uid, version, policy := live.GetUID(), live.GetResourceVersion(), metav1.DeletePropagationOrphan
	if o.OwnsNothing {
		policy = metav1.DeletePropagationBackground
	}
	return o.Client.Delete(ctx, o.Name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version}, PropagationPolicy: &policy,
	})
}

// release marks an object as moved, if it is protected, and then removes its finalizers.
func (o Object) release(ctx context.Context, live *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	wanted := maps.Clone(live.GetAnnotations())
	if wanted == nil {
		wanted = map[string]string{}
	}
	if _, marked := wanted[management.DeleteForMoveAnnotation]; !marked && !o.Unprotected {
		wanted[management.DeleteForMoveAnnotation] = ""
		patched, err := management.PatchMetadata(ctx, o.Client, live, map[string]any{"annotations": map[string]any{management.DeleteForMoveAnnotation: ""}})
		if err != nil {
			return nil, err
		}
		if !maps.Equal(patched.GetAnnotations(), wanted) {
			return nil, fmt.Errorf("its annotations changed when %s was added, so it is not deleted; look for a webhook that removes annotations", management.DeleteForMoveAnnotation)
		}
		live = patched
	}
	if len(live.GetFinalizers()) == 0 {
		return live, nil
	}
	return management.PatchMetadata(ctx, o.Client, live, map[string]any{"finalizers": nil})
}

// orphanFinalizer is on objects until the garbage collector has removed them as owners.
const orphanFinalizer = "orphan"

// releaseDeleted removes the finalizers of an object that is being deleted, apart from that of the
// deletion itself. Somebody else has deleted it after it was verified.
func (o Object) releaseDeleted(ctx context.Context, live *unstructured.Unstructured) error {
	finalizers := live.GetFinalizers()
	kept := slices.DeleteFunc(slices.Clone(finalizers), func(f string) bool { return f != orphanFinalizer })
	if len(kept) == len(finalizers) {
		return nil
	}
	_, err := management.PatchMetadata(ctx, o.Client, live, map[string]any{"finalizers": kept})
	return err
}
