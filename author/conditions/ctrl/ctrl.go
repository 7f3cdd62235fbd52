// Package ctrl commits conditions with the client of controller-runtime.
//
//	writer := ctrl.NewWriter(mgr.GetClient(), mgr.GetAPIReader())
//	…
//	pass, err := set.Begin(machine)
//	…
//	changed, err := pass.Commit(ctx, writer)
//
// It is a module of its own, because package conditions does not import
// controller-runtime.
package ctrl

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/author/conditions"
)

// A Writer is a [conditions.Writer] for the clients of a manager. It may be used by several
// goroutines.
type Writer struct {
	writer client.StatusClient
	reader client.Reader
}

// NewWriter returns a Writer. The reader must read from the API server (mgr.GetAPIReader()), since
// a cache may still hold the object that caused a conflict.
func NewWriter(writer client.StatusClient, reader client.Reader) Writer {
	return Writer{writer: writer, reader: reader}
}

// Get reads an object, and returns the error of the reader.
func (w Writer) Get(ctx context.Context, obj conditions.Object) error {
	return w.reader.Get(ctx, types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}, obj)
}

// PatchStatus patches the status subresource, and returns the error of the API
// server.
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
