package watcher

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/pkg/kstatus/polling/clusterreader"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/polling/statusreaders"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

// A DefaultStatusWatcher watches with a dynamic client. [NewDefaultStatusWatcher] sets the fields
// that are required.
type DefaultStatusWatcher struct {
	DynamicClient dynamic.Interface
	Mapper        meta.RESTMapper

	// ResyncPeriod is how often the events of all objects are sent again.
	ResyncPeriod time.Duration

	// StatusReader computes the statuses.
	StatusReader engine.StatusReader

	// ClusterReader reads objects for StatusReader. The one of NewDefaultStatusWatcher reads the
	// children of workloads ahead; a reader of the caller is used as it is.
	ClusterReader engine.ClusterReader

	// Indexers are those of informers of a [DynamicInformerFactory]. A watch needs none.
	Indexers cache.Indexers

	// Filters select the objects of all lists and watches. Nil: all.
	Filters *Filters

	// StatusComputeWorkers is how many statuses of one kind are computed at once. At most one
	// means that they are computed one after the other.
	StatusComputeWorkers int

	Mode dropin.Mode   // zero: the mode of the program
	Goal status.Status // what the caller waits for, if it is known: a finished Job that is gone is then Current
	// Lean drops managedFields and the last applied configuration from the objects of events, and
	// the objects of generated resources.
	Lean bool

	// Config, if it is set, reads the schemas of custom kinds in the mode right, where
	// DynamicClient may not read their definitions. It should be the one of DynamicClient.
	Config *rest.Config

	own *clusterreader.DynamicClusterReader
}

var _ StatusWatcher = &DefaultStatusWatcher{}

// NewDefaultStatusWatcher returns a watcher that repeats its events every hour.
func NewDefaultStatusWatcher(dynamicClient dynamic.Interface, mapper meta.RESTMapper) *DefaultStatusWatcher {
	own := &clusterreader.DynamicClusterReader{DynamicClient: dynamicClient, Mapper: mapper}
	return &DefaultStatusWatcher{
		DynamicClient: dynamicClient,
		Mapper:        mapper,
		ResyncPeriod:  time.Hour,
		StatusReader:  statusreaders.NewDefaultStatusReader(mapper),
		ClusterReader: own,
		Indexers:      DefaultIndexers(),
		own:           own,
	}
}

// maxNamespaces is the number of namespaces that the automatic strategy reads one by one.
const maxNamespaces = 8

// Watch sends the statuses of ids until ctx ends. An error is the last event.
func (w *DefaultStatusWatcher) Watch(ctx context.Context, ids object.ObjMetadataSet, opts Options) <-chan event.Event {
	strategy := opts.RESTScopeStrategy
	if strategy == RESTScopeAutomatic {
		strategy = automatic(ids)
	}
	var scope meta.RESTScope
	switch strategy {
	case RESTScopeRoot:
		scope = meta.RESTScopeRoot
	case RESTScopeNamespace:
		scope = meta.RESTScopeNamespace
	default:
		return failed(ctx, fmt.Errorf("invalid RESTScopeStrategy: %v", strategy))
	}
	reporter := &ObjectStatusReporter{
		InformerFactory: &DynamicInformerFactory{
			Client: w.DynamicClient, ResyncPeriod: w.ResyncPeriod, Indexers: w.Indexers, Filters: w.Filters,
		},
		Mapper: w.Mapper, StatusReader: w.StatusReader, ClusterReader: w.ClusterReader, StatusComputeWorkers: w.StatusComputeWorkers,
		Targets: places(ids, strategy == RESTScopeNamespace), ObjectFilter: &AllowListObjectFilter{AllowList: ids}, RESTScope: scope,
		Mode: w.Mode, Goal: w.Goal, Lean: w.Lean, Config: w.Config,
		own: w.own != nil && w.ClusterReader == engine.ClusterReader(w.own),
	}
	return reporter.Start(ctx)
}

// automatic returns the strategy for the namespaces of ids.
func automatic(ids object.ObjMetadataSet) RESTScopeStrategy {
	namespaces := map[string]bool{}
	for _, id := range ids {
		if id.Namespace != "" {
			namespaces[id.Namespace] = true
		}
	}
	if len(namespaces) > maxNamespaces {
		return RESTScopeRoot
	}
	return RESTScopeNamespace
}

// places returns the kinds of ids, and their namespaces if each is read by itself.
func places(ids object.ObjMetadataSet, namespaced bool) (all []GroupKindNamespace) {
	seen := map[GroupKindNamespace]bool{}
	for _, id := range ids {
		p := GroupKindNamespace{Group: id.GroupKind.Group, Kind: id.GroupKind.Kind}
		if namespaced {
			p.Namespace = id.Namespace
		}
		if !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

// failed returns a channel with an error.
func failed(ctx context.Context, err error) <-chan event.Event {
	events := make(chan event.Event)
	go func() {
		defer close(events)
		select {
		case <-ctx.Done():
		case events <- event.Event{Type: event.ErrorEvent, Error: err}:
		}
	}()
	return events
}
