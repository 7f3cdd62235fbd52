package alongside

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	peerpolling "github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	peerclusterreader "github.com/fluxcd/cli-utils/pkg/kstatus/polling/clusterreader"
	peerengine "github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	peerevent "github.com/fluxcd/cli-utils/pkg/kstatus/polling/event"
	peerwatcher "github.com/fluxcd/cli-utils/pkg/kstatus/watcher"
	peerobject "github.com/fluxcd/cli-utils/pkg/object"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin"
	dropinflux "kstatus.dev/dropin/flux"
	"kstatus.dev/dropin/pkg/kstatus/polling"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/observe"
)

// A Side is what one watcher sends.
type Side struct {
	Done chan struct{} // closed when the channel of events is

	mu       sync.Mutex // guards the fields below
	statuses map[string][]string
	children map[string]int // the children of an object, and theirs, in its last event of dropin
	events   int
	synced   bool
	err      error
}

func newSide() *Side {
	return &Side{Done: make(chan struct{}), statuses: map[string][]string{}, children: map[string]int{}}
}

// Statuses returns the statuses of an object in their order, without repetitions.
func (s *Side) Statuses(name string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.statuses[name])
}

// Last returns the last status of an object, empty if there is none.
func (s *Side) Last(name string) string {
	if all := s.Statuses(name); len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// Children returns how many children an object has in its last event of dropin, with theirs.
func (s *Side) Children(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.children[name]
}

// Synced reports whether the SyncEvent has been sent.
func (s *Side) Synced() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.synced
}

// Err returns the error of an ErrorEvent.
func (s *Side) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Events returns how many events were sent.
func (s *Side) Events() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events
}

func (s *Side) status(name, status, message string, err error) {
	text := fmt.Sprintf("%s: %s", status, message)
	if err != nil {
		text += " error: " + err.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events++
	if all := s.statuses[name]; len(all) == 0 || all[len(all)-1] != text {
		s.statuses[name] = append(all, text)
	}
}

func (s *Side) other(sync bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events++
	s.synced = s.synced || sync
	if err != nil {
		s.err = err
	}
}

// clients are those of one connection.
type clients struct {
	config  *rest.Config
	http    *http.Client
	objects *dynamic.DynamicClient
	mapper  *restmapper.DeferredDiscoveryRESTMapper
	close   func()
}

func connect(config *rest.Config) (c clients, err error) {
	config = rest.CopyConfig(config)
	config.QPS = -1
	c.config = config
	if c.http, err = rest.HTTPClientFor(config); err != nil {
		return c, err
	}
	c.close = func() { utilnet.CloseIdleConnectionsFor(c.http.Transport) }
	if c.objects, err = dynamic.NewForConfigAndClient(config, c.http); err != nil {
		return c, err
	}
	known, err := discovery.NewDiscoveryClientForConfig(config) // with a limit of time
	if err != nil {
		return c, err
	}
	c.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))
	return c, nil
}

func kindOf(t observe.Target) schema.GroupKind {
	return schema.GroupKind(t.Kind)
}

// Original starts the watcher of fluxcd/cli-utils.
func Original(ctx context.Context, config *rest.Config, targets []observe.Target) (*Side, error) {
	return watchOriginal(ctx, config, targets, func(clients, *peerwatcher.DefaultStatusWatcher) {})
}

// Adapted starts the watcher of fluxcd/cli-utils with the status reader of dropin/flux.
func Adapted(ctx context.Context, config *rest.Config, targets []observe.Target) (*Side, error) {
	return watchOriginal(ctx, config, targets, func(c clients, w *peerwatcher.DefaultStatusWatcher) {
		w.StatusReader = dropinflux.Reader(c.mapper)
	})
}

func watchOriginal(
	ctx context.Context, config *rest.Config, targets []observe.Target, change func(clients, *peerwatcher.DefaultStatusWatcher),
) (*Side, error) {
	c, err := connect(config)
	if err != nil {
		return nil, err
	}
	w := peerwatcher.NewDefaultStatusWatcher(c.objects, c.mapper)
	change(c, w)
	s := newSide()
	go func() {
		defer c.close()
		s.listen(w.Watch(ctx, peerIDs(targets), peerwatcher.Options{RESTScopeStrategy: peerwatcher.RESTScopeNamespace}))
	}()
	return s, nil
}

// Polled starts the poller of fluxcd/cli-utils with the options of dropin/flux.
func Polled(ctx context.Context, config *rest.Config, targets []observe.Target, mode dropin.Mode, interval time.Duration) (*Side, error) {
	c, reader, err := connectReader(config)
	if err != nil {
		return nil, err
	}
	poller := peerpolling.NewStatusPoller(reader, c.mapper, dropinflux.Options(c.mapper, mode))
	s := newSide()
	go func() {
		defer c.close()
		s.listen(poller.Poll(ctx, peerIDs(targets), peerpolling.PollOptions{PollInterval: interval}))
	}()
	return s, nil
}

// PolledOriginal starts the poller of fluxcd/cli-utils with its direct reader, as Flux does.
func PolledOriginal(ctx context.Context, config *rest.Config, targets []observe.Target, interval time.Duration) (*Side, error) {
	c, reader, err := connectReader(config)
	if err != nil {
		return nil, err
	}
	factory := peerengine.ClusterReaderFactoryFunc(peerclusterreader.NewDirectClusterReader)
	poller := peerpolling.NewStatusPoller(reader, c.mapper, peerpolling.Options{ClusterReaderFactory: factory})
	s := newSide()
	go func() {
		defer c.close()
		s.listen(poller.Poll(ctx, peerIDs(targets), peerpolling.PollOptions{PollInterval: interval}))
	}()
	return s, nil
}

// PolledDropin starts the poller of dropin in the mode compat. factory makes its reader. If cached is
// set, it reads from a cache of controller-runtime.
func PolledDropin(ctx context.Context, config *rest.Config, targets []observe.Target, factory engine.ClusterReaderFactoryFunc, cached bool, interval time.Duration) (*Side, error) {
	c, live, err := connectReader(config)
	if err != nil {
		return nil, err
	}
	var reader client.Reader = live
	if cached {
		all, err := cache.New(c.config, cache.Options{HTTPClient: c.http, Mapper: c.mapper})
		if err != nil {
			return nil, err
		}
		go func() { _ = all.Start(ctx) }() // the readers report errors
		reader = all
	}
	poller := polling.NewStatusPoller(reader, c.mapper, polling.Options{ClusterReaderFactory: factory, Mode: dropin.Compat})
	s := newSide()
	go func() {
		defer close(s.Done)
		defer c.close()
		for e := range poller.Poll(ctx, dropinIDs(targets), polling.PollOptions{PollInterval: interval}) {
			s.add(e)
		}
	}()
	return s, nil
}

// connectReader returns a client of controller-runtime without a cache.
func connectReader(config *rest.Config) (clients, client.Client, error) {
	c, err := connect(config)
	if err != nil {
		return c, nil, err
	}
	reader, err := client.New(c.config, client.Options{HTTPClient: c.http, Mapper: c.mapper})
	return c, reader, err
}

func dropinIDs(targets []observe.Target) (ids object.ObjMetadataSet) {
	for _, t := range targets {
		ids = append(ids, object.ObjMetadata{GroupKind: kindOf(t), Namespace: t.Namespace, Name: t.Name})
	}
	return ids
}

// add records an event of dropin.
func (s *Side) add(e event.Event) {
	if e.Type != event.ResourceUpdateEvent {
		s.other(e.Type == event.SyncEvent, e.Error)
		return
	}
	name := e.Resource.Identifier.Name
	s.mu.Lock()
	s.children[name] = number(e.Resource.GeneratedResources)
	s.mu.Unlock()
	s.status(name, string(e.Resource.Status), e.Resource.Message, e.Resource.Error)
}

func number(children event.ResourceStatuses) (n int) {
	for _, c := range children {
		n += 1 + number(c.GeneratedResources)
	}
	return n
}

func peerIDs(targets []observe.Target) (ids peerobject.ObjMetadataSet) {
	for _, t := range targets {
		ids = append(ids, peerobject.ObjMetadata{GroupKind: kindOf(t), Namespace: t.Namespace, Name: t.Name})
	}
	return ids
}

// listen records the events of fluxcd/cli-utils until their end.
func (s *Side) listen(events <-chan peerevent.Event) {
	defer close(s.Done)
	for e := range events {
		if e.Type == peerevent.ResourceUpdateEvent {
			s.status(e.Resource.Identifier.Name, string(e.Resource.Status), e.Resource.Message, e.Resource.Error)
		} else {
			s.other(e.Type == peerevent.SyncEvent, e.Error)
		}
	}
}

// Dropin starts the watcher of dropin in a mode. It ends the watch after a number of events, if
// that is not zero.
func Dropin(ctx context.Context, config *rest.Config, targets []observe.Target, mode dropin.Mode, limit int) (*Side, error) {
	c, err := connect(config)
	if err != nil {
		return nil, err
	}
	w := watcher.NewDefaultStatusWatcher(c.objects, c.mapper)
	w.Mode = mode
	s := newSide()
	go func() {
		defer close(s.Done)
		defer c.close()
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for e := range w.Watch(ctx, dropinIDs(targets), watcher.Options{RESTScopeStrategy: watcher.RESTScopeNamespace}) {
			s.add(e)
			if limit > 0 && s.Events() == limit {
				stop()
			}
		}
	}()
	return s, nil
}
