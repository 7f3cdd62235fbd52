package watcher

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"
)

// A DynamicInformerFactory makes informers for callers that need one. Watches of this package use
// none.
type DynamicInformerFactory struct {
	Client       dynamic.Interface
	ResyncPeriod time.Duration
	Indexers     cache.Indexers
	Filters      *Filters
}

// NewDynamicInformerFactory returns a factory of informers with an index by namespace.
func NewDynamicInformerFactory(client dynamic.Interface, resyncPeriod time.Duration) *DynamicInformerFactory {
	return &DynamicInformerFactory{Client: client, ResyncPeriod: resyncPeriod, Indexers: DefaultIndexers()}
}

// NewInformer returns an informer for a kind in a namespace, or in all if it is empty.
func (f *DynamicInformerFactory) NewInformer(ctx context.Context, mapping *meta.RESTMapping, namespace string) cache.SharedIndexInformer {
	example := &unstructured.Unstructured{}
	example.SetGroupVersionKind(mapping.GroupVersionKind)
	lw := NewFilteredListWatchFromDynamicClient(ctx, f.Client, mapping.Resource, namespace, f.Filters)
	return cache.NewSharedIndexInformer(cache.ToListWatcherWithWatchListSemantics(lw, f.Client), example, f.ResyncPeriod, f.Indexers)
}

// DefaultIndexers returns the index by namespace.
func DefaultIndexers() cache.Indexers {
	return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
}

// Filters select the objects of lists and watches. A nil selector selects all.
type Filters struct {
	Labels labels.Selector
	Fields fields.Selector
}

// NewFilteredListWatchFromDynamicClient returns a ListWatch that adds filters to the selectors of
// each request. Nil filters add nothing.
func NewFilteredListWatchFromDynamicClient(
	ctx context.Context, client dynamic.Interface, resource schema.GroupVersionResource, namespace string, filters *Filters,
) *cache.ListWatch {
	return NewModifiedListWatchFromDynamicClient(ctx, client, resource, namespace, filters.addTo)
}

// addTo adds the filters to options.
func (f *Filters) addTo(options *metav1.ListOptions) error {
	if f == nil {
		return nil
	}
	if f.Labels != nil {
		have, err := labels.Parse(options.LabelSelector)
		if err != nil {
			return fmt.Errorf("parsing label selector: %w", err)
		}
		requirements, selectable := f.Labels.Requirements()
		if have = have.Add(requirements...); !selectable {
			have = f.Labels
		}
		options.LabelSelector = have.String()
	}
	if f.Fields != nil {
		have, err := fields.ParseSelector(options.FieldSelector)
		if err != nil {
			return fmt.Errorf("parsing field selector: %w", err)
		}
		options.FieldSelector = fields.AndSelectors(have, f.Fields).String()
	}
	return nil
}

// NewModifiedListWatchFromDynamicClient returns a ListWatch that calls optionsModifier before each
// request. The requests end with ctx, as in cli-utils.
func NewModifiedListWatchFromDynamicClient(
	ctx context.Context, client dynamic.Interface, resource schema.GroupVersionResource, namespace string,
	optionsModifier func(*metav1.ListOptions) error,
) *cache.ListWatch {
	objects := client.Resource(resource).Namespace(namespace)
	return &cache.ListWatch{
		ListWithContextFunc: func(_ context.Context, options metav1.ListOptions) (runtime.Object, error) {
			if err := optionsModifier(&options); err != nil {
				return nil, fmt.Errorf("modifying list options: %w", err)
			}
			return objects.List(ctx, options)
		},
		WatchFuncWithContext: func(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.Watch = true
			if err := optionsModifier(&options); err != nil {
				return nil, fmt.Errorf("modifying watch options: %w", err)
			}
			return objects.Watch(ctx, options)
		},
	}
}
