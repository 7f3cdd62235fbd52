// Package ctrl commits conditions with the client of controller-runtime.
//
//	writer := ctrl.NewWriter(mgr.GetClient(), mgr.GetAPIReader())
//	…
//	pass, err := set.Begin(machine)
//	…
//	changed, err := pass.Commit(ctx, writer)
//
// Package conditions does not import controller-runtime; this one does.
package ctrl

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/kube/conditions"
)

// Writer is a [conditions.Writer] over the clients of a manager.
type Writer struct {
	writer client.StatusClient
	reader client.Reader
}

// NewWriter writes by one client and reads by another. The reader has to ask the
// API server (mgr.GetAPIReader()): a cache may still hold what a conflict was about.
func NewWriter(writer client.StatusClient, reader client.Reader) Writer {
	return Writer{writer: writer, reader: reader}
}

// Get reads an object anew.
func (w Writer) Get(ctx context.Context, obj conditions.Object) error {
	return w.reader.Get(ctx, types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}, obj)
}

// PatchStatus sends one patch of the status subresource.
func (w Writer) PatchStatus(ctx context.Context, obj conditions.Object, patch conditions.Patch) error {
	var options []client.SubResourcePatchOption
	if patch.FieldOwner != "" {
		options = append(options, client.FieldOwner(patch.FieldOwner))
	}
	if patch.Force {
		options = append(options, client.ForceOwnership)
	}
	return w.writer.Status().Patch(ctx, obj, client.RawPatch(patch.Type, patch.Data), options...)
}
