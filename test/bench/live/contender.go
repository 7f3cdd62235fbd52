package main

import (
	"context"
	"errors"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/collector"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/event"
	"github.com/fluxcd/cli-utils/pkg/kstatus/watcher"
	"github.com/fluxcd/cli-utils/pkg/object"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kstatus.dev/dropin"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// pollInterval is the default interval of the peer.
const pollInterval = 2 * time.Second

// A contender follows targets and reports the updates of each until ctx ends. Each is used as
// its users use it, and keeps the same state.
type contender struct {
	name   string
	follow func(ctx context.Context, config *rest.Config, targets []observe.Target, hear func(update)) error
}

// An update is an update of a target.
type update struct {
	target     observe.Target
	status     status.Status
	generation int64
}

// The contenders. None of their clients has a rate limit.
var contenders = []contender{
	{"kstatus.dev", followOurs},
	{"cli-utils watcher", followWatcher},
	{"cli-utils poller", followPoller},
	{"dropin watcher", followDropinWatcher(dropin.Compat, false)},
	{"dropin right", followDropinWatcher(dropin.Right, false)},
	{"dropin lean", followDropinWatcher(dropin.Compat, true)},
	{"dropin poller", followDropinPoller},
	{"bare watch", followBare},
	{"one client", followOnOneClient},
	{"a client each", followOnManyClients},
}

func contenderOf(name string) (contender, error) {
	for _, c := range contenders {
		if c.name == name {
			return c, nil
		}
	}
	return contender{}, errors.New("no contender is called " + name)
}

func followOurs(ctx context.Context, config *rest.Config, targets []observe.Target, hear func(update)) error {
	var board observe.Board
	w := observe.Watcher{Source: &source.Cluster{Config: config}}
	for u, err := range w.Updates(ctx, targets...) {
		if err != nil {
			return err
		}
		board.Add(u)
		hear(update{u.Target, u.Result.Status, u.Version.Generation})
	}
	return nil
}

// A cliUtils holds what both modes of the peer need.
type cliUtils struct {
	dynamic *dynamic.DynamicClient
	mapper  *restmapper.DeferredDiscoveryRESTMapper
	reader  client.Client
	ids     object.ObjMetadataSet
}

func newCLIUtils(config *rest.Config, targets []observe.Target) (p cliUtils, err error) {
	config = rest.CopyConfig(config)
	config.QPS = -1
	log.SetLogger(logr.Discard()) // otherwise controller-runtime warns about the missing logger
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return p, err
	}
	if p.dynamic, err = dynamic.NewForConfigAndClient(config, http); err != nil {
		return p, err
	}
	known, err := discovery.NewDiscoveryClientForConfigAndClient(config, http)
	if err != nil {
		return p, err
	}
	p.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))
	for _, t := range targets {
		gk := schema.GroupKind(t.Kind)
		p.ids = append(p.ids, object.ObjMetadata{GroupKind: gk, Namespace: t.Namespace, Name: t.Name})
	}
	p.reader, err = client.New(config, client.Options{HTTPClient: http, Mapper: p.mapper})
	return p, err
}

func followWatcher(ctx context.Context, config *rest.Config, targets []observe.Target, hear func(update)) error {
	p, err := newCLIUtils(config, targets)
	if err != nil {
		return err
	}
	return p.listen(watcher.NewDefaultStatusWatcher(p.dynamic, p.mapper).Watch(ctx, p.ids, watcher.Options{}), hear)
}

func followPoller(ctx context.Context, config *rest.Config, targets []observe.Target, hear func(update)) error {
	p, err := newCLIUtils(config, targets)
	if err != nil {
		return err
	}
	poller := polling.NewStatusPoller(p.reader, p.mapper, polling.Options{})
	return p.listen(poller.Poll(ctx, p.ids, polling.PollOptions{PollInterval: pollInterval}), hear)
}

// listen collects the peer's events as its users do, and forwards them.
func (p cliUtils) listen(events <-chan event.Event, hear func(update)) error {
	c := collector.NewResourceStatusCollector(p.ids)
	done := c.ListenWithObserver(events, collector.ObserverFunc(func(_ *collector.ResourceStatusCollector, e event.Event) {
		if e.Type != event.ResourceUpdateEvent {
			return
		}
		r := e.Resource
		n := update{target: observe.Target{
			Kind:      status.Kind(r.Identifier.GroupKind),
			Namespace: r.Identifier.Namespace, Name: r.Identifier.Name,
		}, status: status.Status(r.Status)}
		if r.Resource != nil {
			n.generation = r.Resource.GetGeneration()
		}
		hear(n)
	}))
	var first error
	for result := range done {
		first = errors.Join(first, result.Err)
	}
	return first
}
