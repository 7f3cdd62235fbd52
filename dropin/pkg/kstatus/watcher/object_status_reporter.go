package watcher

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/session"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

// A GroupKindNamespace is a kind in a namespace, or in all namespaces if Namespace is empty.
type GroupKindNamespace struct {
	Group     string
	Kind      string
	Namespace string
}

// String returns the kind and the namespace for a log.
func (gkn GroupKindNamespace) String() string {
	return fmt.Sprintf("%s/%s/namespaces/%s", gkn.Group, gkn.Kind, gkn.Namespace)
}

// GroupKind returns the kind.
func (gkn GroupKindNamespace) GroupKind() schema.GroupKind {
	return schema.GroupKind{Group: gkn.Group, Kind: gkn.Kind}
}

// An ObjectFilter selects objects.
type ObjectFilter interface {
	// Filter reports whether an object is skipped.
	Filter(obj *unstructured.Unstructured) bool
}

// An AllowListObjectFilter skips objects that are not in its list.
type AllowListObjectFilter struct {
	AllowList object.ObjMetadataSet
}

var _ ObjectFilter = &AllowListObjectFilter{}

// Filter reports whether obj is not in the list.
func (f *AllowListObjectFilter) Filter(obj *unstructured.Unstructured) bool {
	return !f.AllowList.Contains(object.UnstructuredToObjMetadata(obj))
}

// An ObjectStatusReporter is one watch. [DefaultStatusWatcher] starts any number of them.
type ObjectStatusReporter struct {
	// InformerFactory has the client, the filters and the period of repetition.
	InformerFactory *DynamicInformerFactory

	Mapper       meta.RESTMapper
	StatusReader engine.StatusReader

	// ClusterReader reads objects for StatusReader.
	ClusterReader engine.ClusterReader

	// StatusComputeWorkers is how many statuses of one kind are computed at once.
	StatusComputeWorkers int

	// Targets are the kinds to read, and their namespaces.
	Targets []GroupKindNamespace

	// ObjectFilter selects the objects to report.
	ObjectFilter ObjectFilter

	// RESTScope is the scope of Targets. It is part of the interface of the original; the
	// namespaces of Targets decide.
	RESTScope meta.RESTScope

	Mode dropin.Mode   // zero: the mode of the program
	Goal status.Status // what the caller waits for, if it is known
	Lean bool          // events have objects without managedFields

	Config *rest.Config // see [DefaultStatusWatcher]

	own bool // ClusterReader belongs to this module

	mu      sync.Mutex // guards the field below
	session *session.Session
}

// Start starts the watch. A second call panics.
func (w *ObjectStatusReporter) Start(ctx context.Context) <-chan event.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session != nil {
		panic("ObjectStatusReporter.Start: the watch has been started; use another ObjectStatusReporter")
	}
	c := session.Config{
		Client: w.InformerFactory.Client, Mapper: w.Mapper, StatusReader: w.StatusReader, ClusterReader: w.ClusterReader, OwnReader: w.own,
		Options: w.InformerFactory.Filters.options(), Resync: w.InformerFactory.ResyncPeriod, Workers: w.StatusComputeWorkers,
		Mode: w.Mode, Goal: w.Goal, Lean: w.Lean, REST: w.Config,
		Wanted: func(u *unstructured.Unstructured) bool { return w.ObjectFilter == nil || !w.ObjectFilter.Filter(u) },
	}
	for _, t := range w.Targets {
		c.Places = append(c.Places, session.Place{Kind: t.GroupKind(), Namespace: t.Namespace})
	}
	if f, ok := w.ObjectFilter.(*AllowListObjectFilter); ok {
		c.Targets = f.AllowList
		wanted := map[object.ObjMetadata]bool{}
		for _, id := range f.AllowList {
			wanted[id] = true
		}
		c.Wanted = func(u *unstructured.Unstructured) bool { return wanted[object.UnstructuredToObjMetadata(u)] }
	}
	w.session = session.Start(ctx, c)
	return w.session.Events()
}

// Stop ends the watch without an error. The watch must have been started.
func (w *ObjectStatusReporter) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session.Stop()
}

// HasSynced reports whether all objects that exist have been read and judged.
func (w *ObjectStatusReporter) HasSynced() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session != nil && w.session.Synced()
}

// options returns the filters as options of lists and watches. A nil f has none.
func (f *Filters) options() (o metav1.ListOptions) {
	if f == nil {
		return o
	}
	if f.Labels != nil {
		o.LabelSelector = f.Labels.String()
	}
	if f.Fields != nil {
		o.FieldSelector = f.Fields.String()
	}
	return o
}
