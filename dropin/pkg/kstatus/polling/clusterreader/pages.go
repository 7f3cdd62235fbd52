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

// noContinue is what the caches of controller-runtime return after each list. They do not list the
// rest: https://github.com/kubernetes-sigs/controller-runtime/blob/v0.25.2/pkg/cache/internal/cache_reader.go
const noContinue = "continue-not-supported"

// listPages passes each object to keep, one page after the other. If the reader has no pages, it may
// pass objects twice.
func listPages(
	ctx context.Context, reader client.Reader, gvk schema.GroupVersionKind, namespace string, selector labels.Selector,
	keep func(*unstructured.Unstructured) error,
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
			if err := keep(&unstructured.Unstructured{Object: page.Items[i].Object}); err != nil {
				return err
			}
		}
		switch options.Continue = page.GetContinue(); {
		case options.Continue == "", options.Limit == 0, options.Continue == noContinue && len(page.Items) < pageSize:
			return nil
		case options.Continue == noContinue:
			options.Continue, options.Limit = "", 0
		}
	}
}
