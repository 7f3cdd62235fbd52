package race

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/observe"
)

// DropinWays returns the watcher of dropin in the mode right: with a dynamic client alone, and
// with the configuration of the connection.
func DropinWays() []Way {
	return []Way{
		{"dropin", func(ctx context.Context, u user, _ runtime.Object, targets []observe.Target) error {
			return byDropin(ctx, u.config, nil, targets)
		}},
		{"dropin-config", func(ctx context.Context, u user, _ runtime.Object, targets []observe.Target) error {
			return byDropin(ctx, u.config, u.config, targets)
		}},
	}
}

// byDropin waits until all targets are Current.
func byDropin(ctx context.Context, connection, config *rest.Config, targets []observe.Target) error {
	objects, err := dynamic.NewForConfig(connection)
	if err != nil {
		return err
	}
	known, err := discovery.NewDiscoveryClientForConfig(connection)
	if err != nil {
		return err
	}
	w := watcher.NewDefaultStatusWatcher(objects, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known)))
	w.Mode, w.Config = dropin.Right, config
	var ids object.ObjMetadataSet
	for _, t := range targets {
		ids = append(ids, object.ObjMetadata{GroupKind: schema.GroupKind{Group: t.Kind.Group, Kind: t.Kind.Kind}, Namespace: t.Namespace, Name: t.Name})
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	current := map[object.ObjMetadata]bool{}
	for e := range w.Watch(ctx, ids, watcher.Options{}) {
		if e.Type == event.ErrorEvent {
			return e.Error
		}
		if e.Type == event.ResourceUpdateEvent {
			current[e.Resource.Identifier] = e.Resource.Status == status.CurrentStatus
		}
		if all(current, len(ids)) {
			return nil
		}
	}
	return errors.Join(errors.New("the watch ended before all objects were Current"), ctx.Err())
}

func all(current map[object.ObjMetadata]bool, want int) bool {
	for _, ok := range current {
		if !ok {
			return false
		}
	}
	return len(current) == want
}
