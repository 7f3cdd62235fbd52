package main

import (
	"context"
	"errors"

	"k8s.io/client-go/rest"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/pkg/kstatus/polling"
	"kstatus.dev/dropin/pkg/kstatus/polling/collector"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A replacement is what users of the peer have after they replace its module.
type replacement struct {
	cliUtils
	ids object.ObjMetadataSet
}

func newReplacement(config *rest.Config, targets []observe.Target) (r replacement, err error) {
	r.cliUtils, err = newCLIUtils(config, targets)
	for _, id := range r.cliUtils.ids {
		r.ids = append(r.ids, object.ObjMetadata{GroupKind: id.GroupKind, Namespace: id.Namespace, Name: id.Name})
	}
	return r, err
}

// followDropinWatcher returns the watcher of dropin in a mode, with whole or lean objects.
func followDropinWatcher(mode dropin.Mode, lean bool) func(context.Context, *rest.Config, []observe.Target, func(update)) error {
	return func(ctx context.Context, config *rest.Config, targets []observe.Target, hear func(update)) error {
		r, err := newReplacement(config, targets)
		if err != nil {
			return err
		}
		w := watcher.NewDefaultStatusWatcher(r.dynamic, r.mapper)
		w.Mode, w.Lean = mode, lean
		return r.listen(w.Watch(ctx, r.ids, watcher.Options{}), hear)
	}
}

func followDropinPoller(ctx context.Context, config *rest.Config, targets []observe.Target, hear func(update)) error {
	r, err := newReplacement(config, targets)
	if err != nil {
		return err
	}
	poller := polling.NewStatusPoller(r.reader, r.mapper, polling.Options{})
	return r.listen(poller.Poll(ctx, r.ids, polling.PollOptions{PollInterval: pollInterval}), hear)
}

// listen collects the events as users of the peer do, and forwards them.
func (r replacement) listen(events <-chan event.Event, hear func(update)) error {
	c := collector.NewResourceStatusCollector(r.ids)
	done := c.ListenWithObserver(events, collector.ObserverFunc(func(_ *collector.ResourceStatusCollector, e event.Event) {
		if e.Type != event.ResourceUpdateEvent {
			return
		}
		id := e.Resource.Identifier
		n := update{target: observe.Target{
			Kind: status.Kind(id.GroupKind), Namespace: id.Namespace, Name: id.Name,
		}, status: status.Status(e.Resource.Status)}
		if e.Resource.Resource != nil {
			n.generation = e.Resource.Resource.GetGeneration()
		}
		hear(n)
	}))
	var first error
	for result := range done {
		first = errors.Join(first, result.Err)
	}
	return first
}
