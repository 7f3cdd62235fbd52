package race

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/pkg/kstatus/polling"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/observe"
)

// DropinWays returns those of dropin in the mode right. They are the watcher with a dynamic client
// alone, the watcher with the configuration of the connection, and the poller.
func DropinWays() []Way {
	// Without the definition, a report in a kind without a status subresource looks like a change.
	unexplained := func(m Mode, u waitingUser) bool { return m.plain && !u.definitions }
	return []Way{
		{Name: "dropin", endless: unexplained, wait: func(ctx context.Context, u user, _ runtime.Object, targets []observe.Target) error {
			return byDropin(ctx, u.config, nil, targets)
		}},
		{Name: "dropin-config", wait: func(ctx context.Context, u user, _ runtime.Object, targets []observe.Target) error {
			return byDropin(ctx, u.config, u.config, targets)
		}},
		{Name: "dropin-poller", endless: func(_ Mode, u waitingUser) bool { return !u.definitions }, wait: func(ctx context.Context, u user, _ runtime.Object, targets []observe.Target) error {
			return byDropinPoller(ctx, u.config, targets)
		}},
	}
}

// byDropin waits until all targets are Current.
func byDropin(ctx context.Context, connection, config *rest.Config, targets []observe.Target) error {
	objects, err := dynamic.NewForConfig(connection)
	if err != nil {
		return err
	}
	mapper, err := mapperOf(connection)
	if err != nil {
		return err
	}
	w := watcher.NewDefaultStatusWatcher(objects, mapper)
	w.Mode, w.Config = dropin.Right, config
	ids := idsOf(targets)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	return untilCurrent(ctx, w.Watch(ctx, ids, watcher.Options{}), len(ids))
}

// byDropinPoller is byDropin with a poller.
func byDropinPoller(ctx context.Context, connection *rest.Config, targets []observe.Target) error {
	mapper, err := mapperOf(connection)
	if err != nil {
		return err
	}
	reader, err := client.New(connection, client.Options{Mapper: mapper})
	if err != nil {
		return err
	}
	ids := idsOf(targets)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	poller := polling.NewStatusPoller(reader, mapper, polling.Options{Mode: dropin.Right})
	return untilCurrent(ctx, poller.Poll(ctx, ids, polling.PollOptions{PollInterval: 500 * time.Millisecond}), len(ids))
}

func mapperOf(connection *rest.Config) (meta.RESTMapper, error) {
	known, err := discovery.NewDiscoveryClientForConfig(connection)
	if err != nil {
		return nil, err
	}
	return restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known)), nil
}

func idsOf(targets []observe.Target) (ids object.ObjMetadataSet) {
	for _, t := range targets {
		ids = append(ids, object.ObjMetadata{GroupKind: schema.GroupKind(t.Kind), Namespace: t.Namespace, Name: t.Name})
	}
	return ids
}

func untilCurrent(ctx context.Context, events <-chan event.Event, number int) error {
	current := map[object.ObjMetadata]bool{}
	for e := range events {
		if e.Type == event.ErrorEvent {
			return e.Error
		}
		if e.Type == event.ResourceUpdateEvent {
			current[e.Resource.Identifier] = e.Resource.Status == status.CurrentStatus
		}
		if all(current, number) {
			return nil
		}
	}
	return errors.Join(errors.New("the events ended before all objects were Current"), ctx.Err())
}

func all(current map[object.ObjMetadata]bool, want int) bool {
	for _, ok := range current {
		if !ok {
			return false
		}
	}
	return len(current) == want
}
