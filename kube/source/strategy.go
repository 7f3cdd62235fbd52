package source

import (
	"cmp"
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/guard"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/kube/source/internal/parts"
	"kstatus.dev/kube/watcher"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	maxNamespaces    = 20              // above this number a kind is read in the whole cluster
	maxSingleWatches = 50              // the number of objects that are watched one by one if lists are forbidden
	notServedTimeout = 5 * time.Second // how long discovery may list a kind that is not served yet
)

// neverClusterWide are kinds that are never read in the whole cluster for a few objects.
// Such kinds have too many other objects, or the read looks like an attack.
var neverClusterWide = map[status.Kind]bool{
	{Kind: "Event"}: true, {Group: "events.k8s.io", Kind: "Event"}: true, {Kind: "Secret"}: true,
}

// isNamedOnly reports whether named objects of a kind are read only by their names, however many
// they are. Permission to read all Secrets of a namespace includes their values.
func isNamedOnly(k status.Kind) bool { return k == status.Kind{Kind: "Secret"} }

// A strategy reads the targets of one kind, or one selection.
type strategy struct {
	session   *session
	targets   *targetStore
	refused   []observe.Event // about targets whose names are not a path segment
	namespace string          // of a selection; empty: all

	notServedSince time.Time // since when discovery has listed the kind although it is not served
}

// strategies returns a strategy for each kind and cluster, and for each selection.
func (s *session) strategies(targets []observe.Target, report func(observe.Event) (pending bool), parts *parts.Tracker) []*strategy {
	var all []*strategy
	type group struct {
		kind    status.Kind
		cluster string
	}
	named := map[group]*strategy{}
	for _, t := range targets {
		g := group{t.Kind, t.Cluster}
		if t.IsSelection() {
			g = group{}
		}
		st := named[g]
		if st == nil || t.IsSelection() {
			st = &strategy{session: s, targets: &targetStore{kind: t.Kind, cluster: t.Cluster, defaultNamespace: s.namespace, reportEvent: report, states: map[types.NamespacedName]targetState{}}}
			if parts.Tracks(t.Kind) {
				st.targets.parts = parts
			}
			all = append(all, st)
		}
		if t.IsSelection() {
			st.targets.selection, st.namespace = t, t.Namespace
			continue
		}
		named[g] = st
		if err := cmp.Or(guard.CheckName("namespace", t.Namespace), guard.CheckName("object", t.Name)); err != nil {
			st.refused = append(st.refused, observe.Event{Target: t, Err: &observe.Unreadable{Reason: status.ReasonBadName, Text: err.Error()}})
			continue
		}
		st.targets.states[types.NamespacedName{Namespace: t.Namespace, Name: t.Name}] = targetState{pending: true}
	}
	return all
}

// run reads until ctx ends or the credentials are lost. It looks up the kind again whenever that
// may have changed.
func (st *strategy) run(ctx context.Context) error {
	for _, e := range st.refused {
		st.targets.reportEvent(e)
	}
	if len(st.targets.states) == 0 && !st.targets.selects() {
		<-ctx.Done()
		return nil
	}
	st.targets.peers = st.session.schemas.reader.Kinds.ClaimPeers(st.targets.kind)
	defer st.targets.peers.Close()
	var pause watcher.Pause
	for ctx.Err() == nil {
		began := time.Now()
		mapping, err := st.session.Discovery.Find(ctx, st.targets.kind)
		if err == nil {
			err = st.session.load(ctx, mapping)
		}
		if err == nil {
			err = st.readAndProbePeers(ctx, mapping)
		}
		if ctx.Err() != nil {
			return nil
		}
		if st.session.Credentials.Lost(err) {
			return client.NewCredentialsError(err)
		}
		if time.Since(began) > watcher.UrgentPause {
			pause = watcher.Pause{}
		}
		if time.Since(began) > notServedTimeout {
			st.notServedSince = time.Time{}
		}
		st.handleError(ctx, err)
		pause.Wait(ctx, watcher.UrgentPause) // all targets are pending
	}
	return nil
}

// readAndProbePeers reads the targets, and meanwhile probes their peers and checks their definition.
func (st *strategy) readAndProbePeers(ctx context.Context, m *meta.RESTMapping) error {
	st.targets.mu.Lock()
	st.targets.isUnreported = st.session.schemas.unreportedBy(m)
	st.targets.gate = st.session.newGate(m)
	st.targets.mu.Unlock()
	ctx, stop := context.WithCancel(ctx)
	var tasks crash.Group
	defer tasks.Wait()
	defer stop()
	tasks.Go(func() { st.probePeers(ctx, m) })
	tasks.Go(func() { st.serveGate(ctx) })
	return st.read(ctx, m)
}

// handleError reports why no target can be read. If the server does not find a kind, handleError
// first looks it up again, since another version may have it.
func (st *strategy) handleError(ctx context.Context, err error) {
	if apierrors.IsNotFound(err) {
		st.session.Discovery.Forget(st.targets.kind)
		st.session.schemas.forget(st.targets.kind)
		if st.notServedSince.IsZero() {
			st.notServedSince = time.Now()
		}
		if time.Since(st.notServedSince) < notServedTimeout {
			return
		}
		st.fail(client.NotServed(st.targets.kind))
		return
	}
	if meta.IsNoMatchError(err) {
		st.session.schemas.forget(st.targets.kind)
	}
	st.fail(st.session.LookupFailure(ctx, st.targets.kind, err))
}

// fail reports that the targets cannot be read.
func (st *strategy) fail(why *observe.Unreadable) {
	st.targets.mu.Lock()
	defer st.targets.mu.Unlock()
	st.targets.failAll(why)
}

// read reads the targets as their kind is served, until that changes.
func (st *strategy) read(ctx context.Context, m *meta.RESTMapping) error {
	all := client.Scope{Mapping: m, LabelSelector: st.targets.selection.LabelSelector, FieldSelector: st.targets.selection.FieldSelector, MetadataOnly: metadataOnly(st.targets.kind, st.session.data)}
	namespaced := m.Scope.Name() == meta.RESTScopeNameNamespace
	if st.targets.selects() {
		if !namespaced && st.namespace != "" {
			st.reportBadScope(all)
			<-ctx.Done()
			return nil
		}
		all.Namespace = st.namespace
		s := st.stream(all, "")
		s.WholeScope, s.NoFallback = true, true
		return s.Run(ctx)
	}
	st.reportBadScope(all)
	places := st.namesByNamespace(all)
	switch {
	case len(places) == 0:
		<-ctx.Done()
		return nil
	case st.isClusterWide(all, places):
		return st.withFallback(ctx, st.stream(all, ""), "each namespace is read by itself", func(ctx context.Context, note string) error {
			return st.perNamespace(ctx, all, places, note)
		})
	}
	return st.perNamespace(ctx, all, places, "")
}

// isClusterWide reports whether targets of a kind in so many namespaces are read in
// the whole cluster.
func isClusterWide(m *meta.RESTMapping, namespaces int) bool {
	kind := status.Kind(m.GroupVersionKind.GroupKind())
	return m.Scope.Name() == meta.RESTScopeNameNamespace && namespaces > maxNamespaces && !neverClusterWide[kind]
}

// isClusterWide reports the same for targets in these namespaces together with the
// namespaces in which others read the kind. If others read the whole cluster, these
// targets use that.
func (st *strategy) isClusterWide(all client.Scope, places map[string][]string) bool {
	namespaces := st.session.pool.Namespaces(all.Mapping.Resource)
	for namespace := range places {
		namespaces[namespace] = true
	}
	n := len(namespaces)
	if st.session.pool.IsReading(st.stream(all, "")) {
		n = maxNamespaces + 1
	}
	return isClusterWide(all.Mapping, n)
}

// reportBadScope reports the targets whose namespace does not fit their kind.
func (st *strategy) reportBadScope(s client.Scope) {
	sub := subset{st.targets, s}
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if st.targets.selects() {
		sub.reportEvent(observe.Event{Target: sub.selection, Err: &observe.Unreadable{Reason: status.ReasonBadScope, Text: fmt.Sprintf("%s has no namespace, and %s is named", sub.kind, st.namespace)}})
		return
	}
	for k, state := range sub.states {
		switch in := sub.namespaceOf(k); {
		case sub.namespaced() && in == "":
			sub.record(k, state, nil, &observe.Unreadable{Reason: status.ReasonBadScope, Text: fmt.Sprintf("%s is namespaced, and no namespace is named", sub.kind)})
		case !sub.namespaced() && in != "":
			sub.record(k, state, nil, &observe.Unreadable{Reason: status.ReasonBadScope, Text: fmt.Sprintf("%s has no namespace, and %s is named", sub.kind, in)})
		}
	}
}

// namesByNamespace returns the names of the targets in each namespace.
func (st *strategy) namesByNamespace(all client.Scope) map[string][]string {
	sub := subset{st.targets, all}
	sub.mu.Lock()
	defer sub.mu.Unlock()
	places := map[string][]string{}
	seen := map[types.NamespacedName]bool{}
	for k := range sub.all() {
		if k.Namespace = sub.namespaceOf(k); !seen[k] {
			seen[k] = true
			places[k.Namespace] = append(places[k.Namespace], k.Name)
		}
	}
	return places
}

// stream returns a stream that sends a note after its first read.
func (st *strategy) stream(s client.Scope, note string) *listwatch.Stream {
	return &listwatch.Stream{Client: st.session.Session, Scope: s, Sink: subset{st.targets, s}, Note: note, Options: listwatch.Options{PollPause: listwatch.PollPause}}
}

// perNamespace reads each namespace separately: with one stream, or with one per target if they
// are few.
func (st *strategy) perNamespace(ctx context.Context, all client.Scope, places map[string][]string, note string) error {
	total := 0
	for _, names := range places {
		total += len(names)
	}
	var tasks []func(context.Context) error
	for namespace, names := range places {
		scope := all
		scope.Namespace = namespace
		tasks = append(tasks, func(ctx context.Context) error {
			if st.byName(scope, len(names), total) {
				err := st.perObject(ctx, scope, names, note)
				switch {
				case !connection.IsRejected(err):
					return err
				case isNamedOnly(st.targets.kind):
					return st.poll(ctx, scope, names, note)
				}
			}
			return st.withFallback(ctx, st.stream(scope, note), "its objects are read by name", func(ctx context.Context, note string) error {
				return st.perObject(ctx, scope, names, note)
			})
		})
	}
	return st.each(ctx, tasks)
}

// byName reports whether targets of a kind are read by their names and not with their whole
// namespace. here is their number in the namespace, total their number in all. With a short
// interval, one list of a namespace is cheaper.
func (s *session) byName(kind status.Kind, count, total int) bool {
	return isNamedOnly(kind) || count == 1 || count > 0 && total <= listwatch.MaxSingleReads && (s.Every == 0 || s.Every == Once)
}

// byName reports the same for targets in a namespace that others may read too. If others read
// all of it, or if the objects together are too many, the whole namespace is read.
func (st *strategy) byName(scope client.Scope, count, total int) bool {
	pool, kind := st.session.pool, st.targets.kind
	if !isNamedOnly(kind) && (pool.IsReading(st.stream(scope, "")) || pool.SingleReads(scope)+count > listwatch.MaxSingleReads && count > 0) {
		return false
	}
	return st.session.byName(kind, count, total)
}

// keys returns the targets in a scope.
func (st *strategy) keys(s client.Scope) (all []types.NamespacedName) {
	sub := subset{st.targets, s}
	sub.mu.Lock()
	defer sub.mu.Unlock()
	for k := range sub.all() {
		all = append(all, types.NamespacedName{Namespace: sub.namespaceOf(k), Name: k.Name})
	}
	return all
}

// perObject reads targets in one namespace by their names. It watches them if that
// is permitted and they are not too many, and polls them otherwise.
func (st *strategy) perObject(ctx context.Context, scope client.Scope, names []string, note string) error {
	if len(names) > maxSingleWatches {
		return st.poll(ctx, scope, names, note)
	}
	way := "its objects are got every few seconds"
	if st.session.Every == Once {
		way = "its objects are read by name"
	}
	var tasks []func(context.Context) error
	for _, name := range names {
		this := scope
		this.Name = name
		tasks = append(tasks, func(ctx context.Context) error {
			return st.withFallback(ctx, st.stream(this, note), way, func(ctx context.Context, note string) error {
				return st.poll(ctx, scope, []string{name}, note)
			})
		})
	}
	return st.each(ctx, tasks)
}

// metadataOnly reports whether only the metadata of a kind is read. That applies to Secrets, whose
// values then never leave the server, and to ConfigMaps unless their data matters.
func metadataOnly(k status.Kind, data bool) bool {
	return k.Group == "" && (k.Kind == "Secret" || k.Kind == "ConfigMap" && !data)
}
