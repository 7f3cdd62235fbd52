package children

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin/pkg/object"
)

// Workloads decides which objects are children, for readers that read in rounds. It is for one
// goroutine.
type Workloads struct {
	parents   parents
	selectors map[childSelector]bool
}

// A childSelector is the selector of a workload for the children of one kind.
type childSelector struct {
	scope
	text string
}

// NewWorkloads returns Workloads without a workload.
func NewWorkloads() *Workloads { return &Workloads{newParents(), map[childSelector]bool{}} }

// Add adds a workload. Other objects are ignored.
func (w *Workloads) Add(u *unstructured.Unstructured) {
	kinds := childKinds[u.GroupVersionKind().GroupKind()]
	if kinds == nil {
		return
	}
	if selector, ok := selectorOf(u); ok {
		w.parents.add(object.UnstructuredToObjMetadata(u), selector)
		for _, kind := range kinds {
			w.selectors[childSelector{scope{kind, u.GetNamespace()}, selector.String()}] = true
		}
	}
}

// Close drops what only Matching, Any and Selector need.
func (w *Workloads) Close() { w.parents = newParents() }

// HasSelector reports whether a selector is that of a workload for children of the kind.
func (w *Workloads) HasSelector(kind schema.GroupKind, namespace string, selector labels.Selector) bool {
	return w.selectors[childSelector{scope{kind, namespace}, selector.String()}]
}

// Matching returns the selectors of the workloads that have an object with these labels as a child.
func (w *Workloads) Matching(kind schema.GroupKind, namespace string, set map[string]string) (selectors []string) {
	for id := range w.parents.matching(kind, namespace, set) {
		if text := w.parents.all[id].text; !slices.Contains(selectors, text) {
			selectors = append(selectors, text)
		}
	}
	return selectors
}

// Any reports whether a workload has children of the kind in the namespace.
func (w *Workloads) Any(kind schema.GroupKind, namespace string) bool {
	return len(w.parents.in(scope{kind, namespace})) > 0
}

// Selector returns a selector for the children of all workloads. It may match other objects too.
func (w *Workloads) Selector(kind schema.GroupKind, namespace string) labels.Selector {
	selector, err := labels.Parse(w.parents.selectorFor(scope{kind, namespace}))
	if err != nil {
		return labels.Everything()
	}
	return selector
}
