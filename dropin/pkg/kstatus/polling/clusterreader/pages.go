package clusterreader

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const pageSize = 500

// listPages passes each object to keep, one page after the other.
func listPages(
	ctx context.Context, reader client.Reader, gvk schema.GroupVersionKind, namespace string, selector labels.Selector,
	keep func(*unstructured.Unstructured),
) error {
	options := &client.ListOptions{Namespace: namespace, Limit: pageSize}
	if !selector.Empty() {
		options.LabelSelector = selector
	}
	for {
		var page unstructured.UnstructuredList
		page.SetGroupVersionKind(gvk)
		err := reader.List(ctx, &page, options)
		if options.Continue != "" && apierrors.IsResourceExpired(err) {
			options.Continue, options.Limit = "", 0
			continue
		}
		if err != nil {
			return err
		}
		for i := range page.Items {
			// A new head, so that the objects do not keep the page.
			keep(&unstructured.Unstructured{Object: page.Items[i].Object})
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return nil
		}
	}
}
