package clusterreader

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/kube/connection"
)

// A page has about pageBytes of JSON. Decoded objects take several times as much memory, and the
// largest objects have over 1 MB.
const (
	firstPage = 50 // objects, while their size is not known
	minPage   = 10
	maxPage   = 500
	pageBytes = 1 << 20
	samples   = 5 // objects of a page whose size is measured
)

// noContinue is what the caches of controller-runtime return after each list. They do not list the
// rest: https://github.com/kubernetes-sigs/controller-runtime/blob/v0.25.2/pkg/cache/internal/cache_reader.go
const noContinue = "continue-not-supported"

// A lister lists the objects of a kind in pages.
type lister struct {
	reader    client.Reader
	kind      schema.GroupVersionKind
	namespace string
	selector  labels.Selector
	size      int // mean of some objects, as JSON; 0 if not known

	// keep receives each object. If the reader has no pages, it may receive objects twice.
	keep func(*unstructured.Unstructured) error
	// enough reports, after a page, whether the rest is not worth that number of requests.
	enough func(requests int64) bool

	measured, bytes int // the objects whose size is known, and the sum
}

func (l *lister) limit() int64 {
	if l.size == 0 {
		return firstPage
	}
	return int64(min(max(pageBytes/l.size, minPage), maxPage))
}

// list lists all objects, or fewer if enough says so.
func (l *lister) list(ctx context.Context) error {
	options := &client.ListOptions{Namespace: l.namespace, Limit: l.limit()}
	if !l.selector.Empty() {
		options.LabelSelector = l.selector
	}
	for {
		var page unstructured.UnstructuredList
		page.SetGroupVersionKind(l.kind)
		err := l.reader.List(ctx, &page, options)
		if options.Continue != "" && connection.IsExpired(err) {
			options.Continue, options.Limit = "", 0
			continue
		}
		if err != nil {
			return err
		}
		if err := l.measure(page.Items); err != nil {
			return err
		}
		for i := range page.Items {
			// A new head, so that the objects do not keep the page.
			if err := l.keep(&unstructured.Unstructured{Object: page.Items[i].Object}); err != nil {
				return err
			}
		}
		switch options.Continue = page.GetContinue(); {
		case options.Continue == "", options.Limit == 0:
			return nil
		case options.Continue != noContinue:
			options.Limit = l.limit()
			if rest := page.GetRemainingItemCount(); rest != nil && l.enough((*rest+options.Limit-1)/options.Limit) {
				return nil
			}
		case int64(len(page.Items)) < options.Limit:
			return nil
		default:
			options.Continue, options.Limit = "", 0
		}
	}
}

// measure measures some objects of a page.
func (l *lister) measure(items []unstructured.Unstructured) error {
	for i := 0; i < len(items); i += max(len(items)/samples, 1) {
		data, err := items[i].MarshalJSON()
		if err != nil {
			return fmt.Errorf("%s %s/%s: %w", l.kind.Kind, items[i].GetNamespace(), items[i].GetName(), err)
		}
		l.measured++
		l.bytes += len(data)
	}
	if l.measured > 0 {
		l.size = l.bytes / l.measured
	}
	return nil
}
